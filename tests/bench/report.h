#pragma once

#include <QString>
#include <vector>

namespace keyaxis::bench {

/// What a ratio must reach.
struct Reach {
    bool isAtMost = true;
    double limit = 1;

    bool holds(double ratio) const { return isAtMost ? ratio <= limit : ratio >= limit; }
    QString text() const; ///< "<= 1.5"
};

inline Reach atMost(double limit)
{
    return {true, limit};
}
inline Reach atLeast(double limit)
{
    return {false, limit};
}

/// One line of the table.
struct Ratio {
    QString work;    ///< "softmax over keys, [2, 8, 1024, 1024]"
    QString against; ///< "a parallel copy of the same bytes"
    double ratio = 0;
    Reach reach;
    QString figures; ///< what the ratio is made of: "9.1 ms : 7.4 ms"
};

/// Collects ratios, printing each as it comes.
class Report {
public:
    void add(Ratio ratio);
    /// A line that is no ratio: what was left out, and why.
    void say(const QString& sentence) const;
    /// "9 of 11 within reach".
    void conclude() const;
    /// {"ratios": [{"work", "against", "ratio", "reach"}, …]}; false where it cannot be written.
    bool writeJson(const QString& path) const;

private:
    std::vector<Ratio> m_ratios;
};

/// "9.13 ms : 7.40 ms", for `figures`.
QString millisecondsText(double ours, double theirs);

} // namespace keyaxis::bench
