#include "core/attention/attention.h"
#include "core/attention/code_text.h"
#include "core/io/attention_file.h"
#include "core/io/tensor_file.h"
#include "tests/core/sample_values.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

using namespace keyaxis;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Case {
    Inputs inputs;
    ScoreSettings settings;
};

/// Everything that a program can hold: every axis, mask, bias, ALiBi, grouped heads, both policies.
std::vector<Case> cases()
{
    std::vector<Case> all;
    for (const Axis axis : kAllAxes)
        for (int kind = 0; kind < 7; ++kind) {
            Case c{testing::randomInputs(kind == 3 ? Sizes{2, 3, 3, 3, 6, 4, 2}
                                                   : Sizes{2, 4, 2, 5, 5, 4, 3},
                                         static_cast<std::uint64_t>(kind + 1)),
                   {}};
            c.settings.axis = axis;
            c.settings.causal = kind == 1 || kind == 3;
            c.settings.alibi = kind == 1 || kind == 3;
            c.settings.align = kind == 3 ? Align::End : Align::Start;
            c.settings.empty = kind % 2 == 0 ? EmptySlice::Nan : EmptySlice::Zero;
            if (kind == 2 || kind == 5) {
                Tensor mask = Tensor::filled({2, 1, 5, 5}, 1.0F);
                for (Index j = 0; j < 5; ++j)
                    mask.at(1, 0, 2, j) = 0.0F; // a query that may use no key
                c.inputs.mask = share(std::move(mask));
                Tensor bias = testing::randomTensor({1, 4, 5, 5}, 5);
                bias.at(0, 1, 3, 3) = -kInfinity;
                bias.at(0, 2, 4, 0) = kInfinity;
                c.inputs.bias = share(std::move(bias));
                c.settings.scale = -0.75;
                c.settings.temperature = 0.5F;
            }
            if (kind == 4)
                c.settings.temperature = 1e-38F;
            if (kind == 5)
                c.settings.temperature = 0.0F;
            if (kind == 6) {
                c.settings.scale = 1.0;
                c.inputs.v = nullptr;
            }
            all.push_back(std::move(c));
        }
    return all;
}

TensorFile fileOf(const Inputs& inputs)
{
    TensorFile file;
    file.tensors = {rawTensor("q", *inputs.q), rawTensor("k", *inputs.k)};
    for (const auto& [name, tensor] :
         {std::pair{"v", inputs.v}, std::pair{"mask", inputs.mask}, std::pair{"bias", inputs.bias}})
        if (tensor)
            file.tensors.push_back(rawTensor(name, *tensor));
    return file;
}

void writeText(const QString& path, const std::string& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
}

QString readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A Python that can import `module`; empty where none is installed.
QString pythonWith(const QString& module)
{
    for (const QString& python : {QStringLiteral("/usr/bin/python3"), QStringLiteral("python3")}) {
        QProcess process;
        process.start(python, {"-c", "import " + module});
        if (process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit &&
            process.exitCode() == 0)
            return python;
    }
    return {};
}

/// Equal up to float32; NaN where the other is.
bool agree(const Tensor& a, const Tensor& b)
{
    if (a.shape() != b.shape())
        return false;
    for (Index n = 0; n < a.size(); ++n) {
        const float x = a.data()[n];
        const float y = b.data()[n];
        if (std::isnan(x) != std::isnan(y) || (!std::isnan(x) && std::abs(x - y) > 2e-6F))
            return false;
    }
    return true;
}

Tensor tensorOf(const RawTensor& raw)
{
    Tensor tensor({raw.shape[0], raw.shape[1], raw.shape[2], raw.shape[3]});
    Narrowing narrowing;
    std::ranges::copy(toFloats(raw, narrowing), tensor.data());
    return tensor;
}

struct Library {
    CodeLibrary library;
    const char* module;
    const char* reference;
};

constexpr std::array kLibraries{Library{CodeLibrary::NumPy, "numpy", "numpy.py"},
                                Library{CodeLibrary::PyTorch, "torch", "pytorch.py"},
                                Library{CodeLibrary::Jax, "jax", "jax.py"}};

void addLibraries()
{
    QTest::addColumn<int>("library");
    for (std::size_t n = 0; n < kLibraries.size(); ++n)
        QTest::newRow(kLibraries[n].module) << static_cast<int>(n);
}

} // namespace

class TestCodeText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void programsGiveTheShownWeights_data() { addLibraries(); }
    void programsGiveTheShownWeights()
    {
        QFETCH(int, library);
        const Library& used = kLibraries.at(static_cast<std::size_t>(library));
        const QString python = pythonWith(used.module);
        if (python.isEmpty())
            QSKIP("not installed; the stored references still hold the text");
        QTemporaryDir folder;
        const QDir dir(folder.path());
        const std::vector<Case> all = cases();
        for (std::size_t n = 0; n < all.size(); ++n) {
            const QString number = QString::number(n);
            const std::string npz = dir.filePath(number + ".npz").toStdString();
            QVERIFY(writeTensorFile(npz, fileOf(all[n].inputs)).has_value());
            writeText(dir.filePath(number + ".py"),
                      codeText(used.library, all[n].inputs, all[n].settings, npz));
        }
        // One process for all: importing a library takes seconds.
        writeText(dir.filePath("run.py"),
                  "import runpy, sys\nimport numpy as np\n"
                  "for n in range(int(sys.argv[1])):\n"
                  "    found = runpy.run_path(f'{n}.py')\n"
                  "    np.save(f'w{n}.npy', np.asarray(found['weights']))\n"
                  "    if 'output' in found:\n"
                  "        np.save(f'o{n}.npy', np.asarray(found['output']))\n");
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(python, {"run.py", QString::number(all.size())});
        QVERIFY(process.waitForFinished(240'000));
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, errors.constData());
        for (std::size_t n = 0; n < all.size(); ++n) {
            const Attention expected = *attend(all[n].inputs, all[n].settings);
            const auto weights =
                readTensorFile(dir.filePath(QStringLiteral("w%1.npy").arg(n)).toStdString());
            QVERIFY2(weights && agree(tensorOf(weights->tensors.front()), expected.weights),
                     qPrintable(readText(dir.filePath(QString::number(n) + ".py"))));
            if (!all[n].inputs.v)
                continue;
            const auto output =
                readTensorFile(dir.filePath(QStringLiteral("o%1.npy").arg(n)).toStdString());
            QVERIFY(output && output->tensors.front().shape ==
                                  (std::vector<Index>{2, expected.output.shape().heads,
                                                      expected.output.shape().rows,
                                                      expected.output.shape().cols}));
        }
    }

    void theTextIsThatOfTheStoredReference_data() { addLibraries(); }
    void theTextIsThatOfTheStoredReference()
    {
        QFETCH(int, library);
        const Library& used = kLibraries.at(static_cast<std::size_t>(library));
        Case c{testing::randomInputs({2, 4, 2, 5, 6, 4, 3}, 1), {}};
        c.inputs.mask = share(Tensor::filled({2, 1, 1, 6}, 1.0F));
        c.inputs.bias = share(Tensor::zeros({1, 4, 5, 6}));
        c.settings = {.axis = Axis::Head,
                      .causal = true,
                      .align = Align::End,
                      .alibi = true,
                      .temperature = 0.5F};
        const QString path =
            QStringLiteral(KEYAXIS_TEST_DATA "/code/") + QLatin1String(used.reference);
        QCOMPARE(
            QString::fromStdString(codeText(used.library, c.inputs, c.settings, "attention.npz")),
            readText(path));
    }

    void theAxisIsWrittenOut()
    {
        const Inputs inputs = testing::randomInputs({1, 1, 1, 2, 2, 2, 2}, 1);
        for (const Axis axis : kAllAxes) {
            ScoreSettings settings;
            settings.axis = axis;
            const std::string number = std::to_string(names(axis).torchDim);
            QVERIFY(codeText(CodeLibrary::PyTorch, inputs, settings, "x.npz")
                        .find("torch.softmax(logits, dim=" + number + ")") != std::string::npos);
            QVERIFY(codeText(CodeLibrary::Jax, inputs, settings, "x.npz")
                        .find("jax.nn.softmax(logits, axis=" + number + ")") != std::string::npos);
            QVERIFY(codeText(CodeLibrary::NumPy, inputs, settings, "x.npz")
                        .find("powers.sum(axis=" + number + ", keepdims=True)") !=
                    std::string::npos);
        }
    }

    void namesOfFilesAreQuoted()
    {
        const Inputs inputs = testing::randomInputs({1, 1, 1, 2, 2, 2, 2}, 1);
        QVERIFY(codeText(CodeLibrary::NumPy, inputs, {}, "a\"b\\c.npz")
                    .find("np.load(\"a\\\"b\\\\c.npz\")") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestCodeText)
#include "tst_code_text.moc"
