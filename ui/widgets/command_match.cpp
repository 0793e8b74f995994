#include "ui/widgets/command_match.h"

#include <algorithm>
#include <vector>

namespace keyaxis {

namespace {

bool beginsWord(const QString& name, qsizetype at)
{
    return at == 0 || !name[at - 1].isLetterOrNumber();
}

/// `wanted` as it stands in `name`, at the beginning of a word if it can be.
std::optional<CommandMatch> together(const QString& name, const QString& wanted)
{
    constexpr int kFirst = 4000;
    constexpr int kWord = 3000;
    constexpr int kPart = 2000;
    std::optional<CommandMatch> best;
    for (qsizetype at = name.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0;
         at = name.indexOf(wanted, at + 1, Qt::CaseInsensitive)) {
        const int score = at == 0 ? kFirst : beginsWord(name, at) ? kWord : kPart;
        if (best && best->score >= score)
            continue;
        best = CommandMatch{score, {}};
        for (qsizetype n = 0; n < wanted.size(); ++n)
            best->at += at + n;
    }
    return best;
}

/// Dynamic programming over (letters so far, where the last of them stands).
std::optional<CommandMatch> scattered(const QString& name, const QString& wanted)
{
    constexpr int kNone = -1;
    constexpr int kBeginsWord = 8;
    constexpr int kBesideTheLast = 5;
    const qsizetype nName = name.size();
    const qsizetype nWanted = wanted.size();
    if (nWanted > nName)
        return std::nullopt;
    struct Place {
        int score = kNone;
        qsizetype before = 0; ///< where the letter before stands
    };
    const std::vector<Place> none(static_cast<std::size_t>(nName));
    std::vector<std::vector<Place>> places(static_cast<std::size_t>(nWanted), none);
    const auto place = [&](qsizetype letter, qsizetype at) -> Place& {
        return places[static_cast<std::size_t>(letter)][static_cast<std::size_t>(at)];
    };
    for (qsizetype n = 0; n < nWanted; ++n)
        for (qsizetype at = n; at < nName; ++at) {
            if (name[at].toCaseFolded() != wanted[n].toCaseFolded())
                continue;
            const int here = 1 + (beginsWord(name, at) ? kBeginsWord : 0);
            if (n == 0) {
                place(n, at) = {here, 0};
                continue;
            }
            for (qsizetype before = n - 1; before < at; ++before) {
                if (place(n - 1, before).score == kNone)
                    continue;
                const int score =
                    place(n - 1, before).score + here + (before + 1 == at ? kBesideTheLast : 0);
                if (score > place(n, at).score)
                    place(n, at) = {score, before};
            }
        }
    const std::vector<Place>& last = places.back();
    const auto best = std::ranges::max_element(last, {}, &Place::score);
    if (best->score == kNone)
        return std::nullopt;
    CommandMatch match{best->score, {}};
    qsizetype at = best - last.begin();
    for (qsizetype n = nWanted - 1; n >= 0; --n) {
        match.at.prepend(at);
        at = place(n, at).before;
    }
    return match;
}

} // namespace

std::optional<CommandMatch> matchOf(const QString& name, const QString& letters)
{
    QString wanted = letters.simplified();
    if (wanted.isEmpty())
        return CommandMatch{};
    if (auto match = together(name, wanted))
        return match;
    return scattered(name, wanted.remove(QLatin1Char(' ')));
}

} // namespace keyaxis
