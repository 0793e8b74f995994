#include "tests/core/sample_values.h"
#include "ui/widgets/tensor_model.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestTensorModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void readsNumbersAsPeopleTypeThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<float>("value");
        QTest::newRow("a dot") << "1.5" << 1.5F;
        QTest::newRow("a comma") << "-1,5" << -1.5F;
        QTest::newRow("a plus and spaces") << " +2 " << 2.0F;
        QTest::newRow("a typographic minus") << QString(QChar(0x2212)) + "3" << -3.0F;
        QTest::newRow("an exponent") << "1e-3" << 1e-3F;
        QTest::newRow("minus infinity") << "-inf" << -std::numeric_limits<float>::infinity();
        QTest::newRow("not a number") << "nan" << std::numeric_limits<float>::quiet_NaN();
    }

    void readsNumbersAsPeopleTypeThem()
    {
        QFETCH(QString, text);
        QFETCH(float, value);
        const auto number = parseNumber(text);
        QVERIFY(number);
        QVERIFY(*number == value || (std::isnan(*number) && std::isnan(value)));
    }

    void refusesWhatIsNoNumber_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", " ", "n/a", "1.5 x", "1.234,5", "1,2,3", "--1", "0x10", "1e400"})
            QTest::newRow(text) << QString(text);
    }

    void refusesWhatIsNoNumber()
    {
        QFETCH(QString, text);
        QVERIFY(!parseNumber(text));
        TensorModel model;
        model.show(share(Tensor::zeros({1, 1, 2, 2})), 0, 0, {});
        QSignalSpy edited(&model, &TensorModel::edited);
        QSignalSpy refused(&model, &TensorModel::refused);
        QVERIFY(!model.setData(model.index(0, 0), text, Qt::EditRole));
        QCOMPARE(edited.count(), 0);
        QCOMPARE(refused.count(), 1);
        QVERIFY(refused[0][0].toString().contains('\'' + text + '\''));
    }

    void showsOneSliceAndFollowsEveryChangeOfShape()
    {
        TensorModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        const SharedTensor tensor = share(randomTensor({2, 3, 4, 5}, 1));
        model.show(tensor, 1, 2, {{"the₀", "cat"}, {"the", "cat"}});
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.columnCount(), 5);
        QCOMPARE(model.valueAt(model.index(3, 4)), tensor->at(1, 2, 3, 4));
        QCOMPARE(model.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(), QString("cat"));
        QCOMPARE(model.headerData(0, Qt::Vertical, Qt::EditRole).toString(), QString("the"));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.show(tensor, 0, 0, {{"the₀", "cat"}, {"the", "cat"}}); // the selection stays
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.valueAt(model.index(0, 0)), tensor->at(0, 0, 0, 0));
        model.show(share(randomTensor({1, 1, 2, 2}, 1)), 0, 0, {});
        QCOMPARE(reset.count(), 1);
        model.show(nullptr, 0, 0, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void anEditIsReportedWithItsPlaceInMemoryAndChangesNothing()
    {
        TensorModel model;
        const SharedTensor tensor = share(randomTensor({2, 3, 4, 5}, 1));
        model.show(tensor, 1, 2, {});
        std::vector<CellEdit> cells;
        connect(&model, &TensorModel::edited, this,
                [&](const std::vector<CellEdit>& edits) { cells = edits; });
        const float before = tensor->at(1, 2, 3, 1);
        QVERIFY(model.setData(model.index(3, 1), "2,5", Qt::EditRole));
        QCOMPARE(cells.size(), std::size_t(1));
        QCOMPARE(cells[0].index, tensor->offset(1, 2) + 3 * 5 + 1);
        QCOMPARE(cells[0].before, before);
        QCOMPARE(cells[0].after, 2.5F);
        QCOMPARE(tensor->at(1, 2, 3, 1), before);
        cells.clear();
        QVERIFY(
            model.setData(model.index(3, 1), model.index(3, 1).data(Qt::EditRole), Qt::EditRole));
        QVERIFY(cells.empty()); // what an unchanged editor commits is the same float
    }

    void tintsAreSymmetricAboutZeroAndOddNumbersStandOut()
    {
        Tensor tensor = Tensor::zeros({1, 1, 1, 5});
        const float values[] = {-2, 0, 2, 1, std::numeric_limits<float>::quiet_NaN()};
        std::copy(std::begin(values), std::end(values), tensor.data());
        TensorModel model;
        model.show(share(std::move(tensor)), 0, 0, {});
        const auto color = [&](int col, int role) {
            return model.index(0, col).data(role).value<QColor>();
        };
        QVERIFY(color(0, Qt::BackgroundRole).blue() > color(0, Qt::BackgroundRole).red());
        QVERIFY(color(2, Qt::BackgroundRole).red() > color(2, Qt::BackgroundRole).blue());
        QVERIFY(color(1, Qt::BackgroundRole).lightness() >
                color(3, Qt::BackgroundRole).lightness());
        QCOMPARE(color(4, Qt::ForegroundRole), Theme::light().invalid);
        model.setTheme(Theme::dark());
        QCOMPARE(color(4, Qt::ForegroundRole), Theme::dark().invalid);
    }

    void shortTextSaysWhatFits()
    {
        Tensor tensor = Tensor::zeros({1, 1, 1, 5});
        const float values[] = {0.375F, -0.0F, 123.456F, 0.00012F, 1e20F};
        std::copy(std::begin(values), std::end(values), tensor.data());
        TensorModel model;
        model.show(share(std::move(tensor)), 0, 0, {});
        QStringList texts;
        for (int col = 0; col < 5; ++col)
            texts << model.index(0, col).data(Qt::DisplayRole).toString();
        QCOMPARE(texts.join(' '), QString("0.38 0.00 123.5 0.00012 1e+20"));
        QCOMPARE(model.index(0, 0).data(Qt::EditRole).toString(), QString("0.375"));
    }
};

QTEST_MAIN(TestTensorModel)
#include "tst_tensor_model.moc"
