#pragma once

#include <QHash>
#include <QString>

namespace keyaxis {

/// What a picture or a page says, in one language: English, and what each sentence of it becomes.
/// *immutable*
class Words {
public:
    Words() = default; ///< English
    /// @param own  by English sentence; its numbers are %1, %2 … in order.
    explicit Words(QHash<QString, QString> own) : m_own(std::move(own)) {}

    /// `english` in this language; itself where there is no word for it.
    QString operator()(const char* english) const { return (*this)(QString::fromUtf8(english)); }
    QString operator()(const QString& english) const { return m_own.value(english, english); }

    /// The same of a text with numbers in it, "3 of 6 rows sum to 1"; where it is no sentence that
    /// is known, of its parts between commas.
    QString numbered(const QString& english) const;

private:
    QHash<QString, QString> m_own;
};

} // namespace keyaxis
