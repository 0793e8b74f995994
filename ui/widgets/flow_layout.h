#pragma once

#include <QLayout>
#include <QList>

namespace keyaxis {

/// Places widgets side by side and breaks into lines like words.
class FlowLayout : public QLayout {
public:
    explicit FlowLayout(QWidget* parent);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& box) override;

private:
    /// Height of the lines in `box`; moves the widgets if `moves`.
    int place(const QRect& box, bool moves) const;

    QList<QLayoutItem*> m_items;
};

} // namespace keyaxis
