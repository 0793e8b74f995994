#include "ui/presenter/presenter_window.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <iostream>

using namespace keyaxis;

namespace {

/// Lets the presenter compute and show what was asked for.
bool settle(const PresenterWindow& window)
{
    QElapsedTimer clock;
    clock.start();
    while (!window.isSettled() && clock.elapsed() < 10000)
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    return window.isSettled();
}

void press(PresenterWindow& window, Qt::Key key)
{
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

/// Every step of `lesson`, each before and after its reveal.
bool takeAll(const std::shared_ptr<const Lesson>& lesson, const Theme& theme, QSize size,
             const QString& prefix)
{
    PresenterWindow window(lesson, theme);
    window.canvas().setMorphMs(0);
    window.resize(size);
    window.show();
    int n = 0;
    bool isLast = false;
    while (!isLast) {
        if (!settle(window))
            return false;
        const QString path = QStringLiteral("%1-%2.png").arg(prefix).arg(++n, 2, 10, QChar('0'));
        if (!window.grab().save(path))
            return false;
        isLast = window.run().isRevealed() && !window.run().nextStep();
        press(window, Qt::Key_Right);
    }
    return true;
}

} // namespace

/// Renders every step of a lesson without a display:
/// `keyaxis_look_presenter FOLDER [LESSON [WIDTH HEIGHT]]`.
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    registerFonts();
    const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("build/look"));
    folder.mkpath(QStringLiteral("."));
    const auto lesson = readLesson(lessonPath(argc > 2 ? QString::fromLocal8Bit(argv[2]) : "1"));
    if (!lesson) {
        std::cerr << lesson.error().message << '\n';
        return 1;
    }
    const QSize size = argc > 4 ? QSize(atoi(argv[3]), atoi(argv[4])) : QSize(1600, 1000);
    const auto shared = std::make_shared<const Lesson>(*lesson);
    const bool isDone = takeAll(shared, Theme::light(), size, folder.filePath("present-light")) &&
                        takeAll(shared, Theme::dark(), size, folder.filePath("present-dark"));
    return isDone ? 0 : 1;
}
