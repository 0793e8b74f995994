#pragma once

#include <QHeaderView>

class QLineEdit;

namespace keyaxis {

/// Names beside or above a table. A double click on one opens a field over it: Return or leaving
/// keeps what is written, Esc does not.
class TokenHeader : public QHeaderView {
    Q_OBJECT

public:
    TokenHeader(Qt::Orientation orientation, QWidget* parent);

    /// Whether the sections have names at all; features are numbered.
    void setNameable(bool isNameable) { m_isNameable = isNameable; }
    void openEditor(int section);
    QLineEdit* editor() const { return m_editor; } ///< hidden while nothing is renamed

Q_SIGNALS:
    void renamed(int section, const QString& name);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void close(bool keeps);

    bool m_isNameable = false;
    int m_section = -1;
    QLineEdit* m_editor;
};

} // namespace keyaxis
