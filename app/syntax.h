#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace keyaxis {

/// One line of a help text: an option as it is typed, or the name of a subcommand.
struct OptionHelp {
    QStringList names; ///< {"-o", "--output"}
    QString value;     ///< what follows it; empty for a switch
    QString text;
};

/// Lines under one heading.
struct OptionGroup {
    QString title;
    std::vector<OptionHelp> options;
};

/// What one command accepts: the parser and the help are made of the same table.
struct Syntax {
    QString usage;
    QString summary;
    std::vector<OptionGroup> groups;
    QString closing;

    QString help() const; ///< at most 80 columns wide
};

Syntax windowSyntax();
Syntax computeSyntax();
Syntax convertSyntax();
Syntax renderSyntax();
Syntax checkSyntax();
Syntax presentSyntax();

} // namespace keyaxis
