#include "ui/widgets/layer_tree.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <algorithm>

namespace keyaxis {

namespace {

constexpr int kLayerRole = Qt::UserRole;

/// A part of the layers' names, with the sign behind it, and what lies in it.
struct Branch {
    std::string text; ///< "layers."
    std::optional<std::size_t> layer;
    std::vector<Branch> branches; ///< in the order of the layers

    Branch& in(std::string_view part)
    {
        const auto found = std::ranges::find(branches, part, &Branch::text);
        if (found != branches.end())
            return *found;
        branches.push_back({std::string(part), std::nullopt, {}});
        return branches.back();
    }

    /// Takes in a branch that is the only way on.
    void join()
    {
        while (!layer && branches.size() == 1) {
            Branch only = std::move(branches.front());
            text += only.text;
            layer = only.layer;
            branches = std::move(only.branches);
        }
        for (Branch& branch : branches)
            branch.join();
    }
};

Branch treeOf(const std::vector<std::string>& names)
{
    Branch root;
    for (std::size_t n = 0; n < names.size(); ++n) {
        Branch* branch = &root;
        for (std::string_view rest = names[n]; !rest.empty();) {
            const std::size_t end = std::min(rest.find_first_of("./:"), rest.size() - 1) + 1;
            branch = &branch->in(rest.substr(0, end));
            rest.remove_prefix(end);
        }
        branch->layer = n;
    }
    for (Branch& branch : root.branches)
        branch.join();
    return root;
}

void addTo(QTreeWidgetItem* parent, const Branch& branch, const std::vector<std::string>& names,
           std::vector<QTreeWidgetItem*>& items)
{
    auto* item = new QTreeWidgetItem(parent);
    const bool endsInSign = !branch.layer && branch.text.size() > 1;
    item->setText(0, QString::fromStdString(
                         branch.text.substr(0, branch.text.size() - (endsInSign ? 1 : 0))));
    item->setFlags(Qt::ItemIsEnabled);
    if (branch.layer) {
        const QString name = QString::fromStdString(names[*branch.layer]);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setData(0, kLayerRole, QVariant::fromValue(qulonglong(*branch.layer)));
        item->setToolTip(0, name);
        item->setData(0, Qt::AccessibleTextRole, name);
        items[*branch.layer] = item;
    }
    for (const Branch& each : branch.branches)
        addTo(item, each, names, items);
}

} // namespace

LayerTree::LayerTree(QWidget* parent) : QTreeWidget(parent)
{
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(14);
    setAccessibleName(tr("Layers of the file"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (const auto layer = currentLayer())
            Q_EMIT reached(*layer);
    });
    connect(this, &QTreeWidget::itemClicked, this, [this] {
        if (const auto layer = currentLayer())
            Q_EMIT picked(*layer);
    });
}

void LayerTree::setLayers(const std::vector<std::string>& names)
{
    constexpr std::size_t kOpen = 200; // more are found faster branch by branch
    const QSignalBlocker isSilent(this);
    clear();
    m_items.assign(names.size(), nullptr);
    const Branch root = treeOf(names);
    for (const Branch& branch : root.branches)
        addTo(invisibleRootItem(), branch, names, m_items);
    setRootIsDecorated(std::ranges::any_of(
        root.branches, [](const Branch& branch) { return !branch.branches.empty(); }));
    if (names.size() <= kOpen)
        expandAll();
}

void LayerTree::setCurrentLayer(std::size_t layer)
{
    const QSignalBlocker isSilent(this);
    setCurrentItem(m_items[layer]);
    scrollToItem(m_items[layer], QAbstractItemView::PositionAtCenter); // opens its branches
}

std::optional<std::size_t> LayerTree::currentLayer() const
{
    const QVariant layer = currentItem() ? currentItem()->data(0, kLayerRole) : QVariant();
    return layer.isValid() ? std::optional(static_cast<std::size_t>(layer.toULongLong()))
                           : std::nullopt;
}

void LayerTree::showEvent(QShowEvent* event)
{
    QTreeWidget::showEvent(event);
    if (currentItem())
        scrollToItem(currentItem(), QAbstractItemView::PositionAtCenter);
}

void LayerTree::keyPressEvent(QKeyEvent* event)
{
    QTreeWidgetItem* item = currentItem();
    if (event->key() == Qt::Key_Left && item && item->parent() &&
        (item->childCount() == 0 || !item->isExpanded())) // a leaf counts as expanded
        return setCurrentItem(item->parent());
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isReturn || !item)
        return QTreeWidget::keyPressEvent(event);
    if (const auto layer = currentLayer())
        Q_EMIT picked(*layer);
    else
        item->setExpanded(!item->isExpanded());
}

} // namespace keyaxis
