#include "app/manual.h"

#include "app/syntax.h"

#include <array>

namespace keyaxis {

namespace {

/// `text` as roff prints it: hyphens that can be copied into a shell, and no line that it would
/// take for a request.
QString escaped(QString text)
{
    text.replace('\\', QStringLiteral("\\e"));
    text.replace('-', QStringLiteral("\\-"));
    const bool isRequest = text.startsWith('.') || text.startsWith('\'');
    return isRequest ? QStringLiteral("\\&") + text : text;
}

QString bold(const QString& text)
{
    return QStringLiteral("\\fB") + escaped(text) + QStringLiteral("\\fR");
}

QString optionLines(const OptionHelp& option)
{
    QStringList names;
    for (const QString& name : option.names)
        names += bold(name);
    QString head = names.join(QStringLiteral(", "));
    if (!option.value.isEmpty())
        head += QStringLiteral(" \\fI") + escaped(option.value) + QStringLiteral("\\fR");
    return QStringLiteral(".TP\n%1\n%2\n").arg(head, escaped(option.text));
}

QString groupLines(const OptionGroup& group)
{
    QString lines = QStringLiteral(".SS %1\n").arg(escaped(group.title));
    for (const OptionHelp& option : group.options)
        lines += optionLines(option);
    return lines;
}

QString commandLines(const Syntax& syntax)
{
    QString lines =
        QStringLiteral(".SH \"%1\"\n%2\n")
            .arg(escaped(syntax.usage.section(' ', 0, 1).toUpper()), bold(syntax.usage));
    lines += QStringLiteral(".PP\n%1\n").arg(escaped(syntax.summary));
    for (const OptionGroup& group : syntax.groups)
        lines += groupLines(group);
    return lines + QStringLiteral(".PP\n%1\n").arg(escaped(syntax.closing));
}

} // namespace

QString manualPage()
{
    const Syntax window = windowSyntax();
    const std::array subcommands{computeSyntax(), convertSyntax(), renderSyntax(), checkSyntax(),
                                 presentSyntax()};
    QString page = QStringLiteral(".TH KEYAXIS 1 \"\" \"Keyaxis %1\" \"User Commands\"\n")
                       .arg(QStringLiteral(KEYAXIS_VERSION));
    page += ".SH NAME\nkeyaxis \\- how attention works, and why the softmax runs over the key "
            "axis\n.SH SYNOPSIS\n" +
            bold(window.usage) + '\n';
    for (const Syntax& syntax : subcommands)
        page += ".br\n" + bold(syntax.usage) + '\n';
    page += ".SH DESCRIPTION\n" + escaped(window.summary) + '\n';
    for (const OptionGroup& group : window.groups)
        page += groupLines(group);
    page += ".PP\n" + escaped(window.closing) + '\n';
    for (const Syntax& syntax : subcommands)
        page += commandLines(syntax);
    return page;
}

} // namespace keyaxis
