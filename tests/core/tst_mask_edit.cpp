#include "core/mask_edit.h"
#include "tests/core/sample_values.h"

#include <QTest>

using namespace keyaxis;
using namespace keyaxis::testing;

class TestMaskEdit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAMaskEveryKeyMayBeUsed()
    {
        const Inputs inputs = randomInputs({2, 2, 1, 3, 4, 2, 2}, 1);
        QCOMPARE(maskOf(inputs, 1, 1), Matrix(Matrix::Ones(3, 4)));
    }

    void hidingACellMakesAMaskThatAllHeadsShareAndShowingItTakesItAway()
    {
        const Inputs inputs = randomInputs({2, 2, 1, 3, 4, 2, 2}, 1);
        const Inputs hidden = withMaskCells(inputs, 1, 1, {{2, 3, false}, {0, 1, false}});
        QVERIFY(validated(hidden));
        QCOMPARE(hidden.mask->shape(), (Shape{1, 1, 3, 4}));
        Matrix expected = Matrix::Ones(3, 4);
        expected(2, 3) = expected(0, 1) = 0;
        QCOMPARE(maskOf(hidden, 0, 0), expected);
        const Inputs shown = withMaskCells(hidden, 0, 0, {{2, 3, true}, {0, 1, true}});
        QVERIFY(!shown.mask);
    }

    void aPaddingMaskBecomesOneOfCellsInItsExampleOnly()
    {
        Inputs inputs = randomInputs({2, 2, 1, 3, 4, 2, 2}, 1);
        Tensor padding = Tensor::filled({2, 1, 1, 4}, 1.0F);
        padding.at(1, 0, 0, 3) = 0;
        inputs.mask = share(padding);
        QCOMPARE(maskOf(inputs, 1, 1)(2, 3), 0.0F);
        QCOMPARE(maskOf(inputs, 0, 1)(2, 3), 1.0F);
        const Inputs edited = withMaskCells(inputs, 1, 0, {{0, 3, true}});
        QVERIFY(validated(edited));
        QCOMPARE(maskOf(edited, 1, 1)(0, 3), 1.0F);
        QCOMPARE(maskOf(edited, 1, 1)(2, 3), 0.0F);
        QCOMPARE(maskOf(edited, 0, 0), Matrix(Matrix::Ones(3, 4)));
        QCOMPARE(edited.q, inputs.q);
    }
};

QTEST_APPLESS_MAIN(TestMaskEdit)
#include "tst_mask_edit.moc"
