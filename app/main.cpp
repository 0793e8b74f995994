#include "app/check.h"
#include "app/command_line.h"
#include "app/compute.h"
#include "app/convert.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/present.h"
#include "app/render.h"
#include "app/report.h"
#include "ui/widgets/main_window.h"

#include <QApplication>
#include <QTemporaryDir>
#include <iostream>
#include <new>

namespace keyaxis {

namespace {

Result<void> runCompute(const ComputeCommand& command)
{
    const Interruption interruption;
    return compute(command, interruption.token());
}

void setWhereUnset(const char* variable, const QByteArray& value)
{
    if (qEnvironmentVariableIsEmpty(variable))
        qputenv(variable, value);
}

/// Painting needs a platform, but no display: unless the user chose one, none is looked for.
template <typename Work>
Result<void> runPainting(Work work)
{
    const Interruption interruption;
    const QTemporaryDir runtime; // without one Qt complains and leaves a folder of its own behind
    setWhereUnset("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    setWhereUnset("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "keyaxis";
    char* argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);
    return work(interruption.token());
}

Result<void> runRender(const RenderCommand& command)
{
    return runPainting([&](std::stop_token stop) { return render(command, stop); });
}

bool hasDisplay()
{
    const auto isSet = [](const char* variable) { return !qEnvironmentVariableIsEmpty(variable); };
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

Result<void> runWindow(const WindowCommand& command)
{
    if (!hasDisplay())
        return fail(Errc::BadValue, "There is no display to open a window on; keyaxis render draws "
                                    "without one.");
    int argc = 1;
    char name[] = "keyaxis";
    char* argv[] = {name, nullptr};
    QApplication application(argc, argv);
    prepareApplication(application);
    MainWindow window;
    window.restoreLayout();
    window.show();
    window.offerLeftover();
    if (!command.file.empty())
        window.open(QString::fromStdString(command.file.string()));
    QApplication::exec();
    return {};
}

Result<void> runPresent(const PresentCommand& command)
{
    if (!command.output.empty())
        return runPainting([&](std::stop_token stop) { return writeHandout(command, stop); });
    if (!hasDisplay())
        return fail(Errc::BadValue, "There is no display to present on; -o OUT.pdf writes the "
                                    "hand-out without one.");
    int argc = 1;
    char name[] = "keyaxis";
    char* argv[] = {name, nullptr};
    QApplication application(argc, argv);
    prepareApplication(application);
    return present(command);
}

/// The exit code of what was asked for.
Result<int> run(const Command& command)
{
    const auto succeeded = [] { return 0; };
    if (const auto* text = std::get_if<TextCommand>(&command)) {
        std::cout << text->text.toStdString();
        return 0;
    }
    if (const auto* toCompute = std::get_if<ComputeCommand>(&command))
        return runCompute(*toCompute).map(succeeded);
    if (const auto* toConvert = std::get_if<ConvertCommand>(&command))
        return convert(*toConvert).map(succeeded);
    if (const auto* toRender = std::get_if<RenderCommand>(&command))
        return runRender(*toRender).map(succeeded);
    if (const auto* toCheck = std::get_if<CheckCommand>(&command))
        return check(*toCheck);
    if (const auto* toPresent = std::get_if<PresentCommand>(&command))
        return runPresent(*toPresent).map(succeeded);
    return runWindow(std::get<WindowCommand>(command)).map(succeeded);
}

int runArguments(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments += QString::fromLocal8Bit(argv[i]);
    Result<int> done = parseCommandLine(arguments).and_then(run);
    if (done && !std::cout.flush())
        done = fail(Errc::BadOutput, "Standard output cannot be written.");
    if (done)
        return *done;
    printError(done.error().message);
    return exitCode(done.error().code);
}

} // namespace

} // namespace keyaxis

int main(int argc, char** argv)
{
    try {
        return keyaxis::runArguments(argc, argv);
    } catch (const std::bad_alloc&) {
        keyaxis::printError("There is not enough memory for tensors of this size.");
        return keyaxis::exitCode(keyaxis::Errc::BadInput);
    }
}
