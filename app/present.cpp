#include "app/present.h"

#include "ui/presenter/presenter_window.h"
#include "ui/widgets/theme_style.h"

#include <QApplication>
#include <QLocale>
#include <QStyle>

namespace keyaxis {

namespace {

Result<Lesson> lessonOf(const PresentCommand& command)
{
    const QString language = command.language.empty()
                                 ? lessonLanguage(QLocale::system().uiLanguages())
                                 : QString::fromStdString(command.language);
    return readLesson(lessonPath(QString::fromStdString(command.lesson), language));
}

} // namespace

Result<void> writeHandout(const PresentCommand& command, std::stop_token stop)
{
    const auto lesson = lessonOf(command);
    if (!lesson)
        return tl::unexpected(lesson.error());
    registerFonts();
    return writeHandout(*lesson, command.handout, command.output, stop);
}

Result<void> present(const PresentCommand& command)
{
    auto lesson = lessonOf(command);
    if (!lesson)
        return tl::unexpected(lesson.error());
    const Theme theme = command.dark ? (*command.dark ? Theme::dark() : Theme::light())
                                     : themeOf(ThemeChoice::System);
    PresenterWindow window(std::make_shared<const Lesson>(std::move(*lesson)), theme);
    if (QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0)
        window.canvas().setMorphMs(0); // a desktop without animations
    window.present(QGuiApplication::primaryScreen());
    QApplication::exec();
    return {};
}

} // namespace keyaxis
