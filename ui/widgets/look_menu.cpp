#include "ui/widgets/look_menu.h"

#include "ui/widgets/command_palette.h"
#include "ui/widgets/number_ranges.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <utility>

namespace keyaxis {

namespace {

/// [first, end) of "3-10" among n tokens; everything of an empty text.
std::optional<std::pair<Index, Index>> rangeIn(const QString& text, Index n)
{
    const auto numbers = numbersIn(text, n);
    if (!numbers)
        return std::nullopt;
    if (numbers->empty())
        return std::pair<Index, Index>{0, n};
    for (std::size_t at = 1; at < numbers->size(); ++at)
        if ((*numbers)[at] != (*numbers)[at - 1] + 1)
            return std::nullopt; // not one piece
    return std::pair<Index, Index>{numbers->front() - 1, numbers->back()};
}

QString textOf(Index first, Index end, Index n)
{
    return first == 0 && end == n ? QString() : QStringLiteral("%1-%2").arg(first + 1).arg(end);
}

} // namespace

LookMenu::LookMenu(QWidget* parent) : QMenu(tr("Heads and to&kens"), parent)
{
    setToolTipsVisible(true);
    const auto add = [&](const QString& text, const QString& tip) {
        QAction* action = addAction(text);
        action->setToolTip(tip);
        action->setStatusTip(tip);
        return action;
    };
    m_sort = add(tr("&Sort heads by entropy"),
                 tr("In All heads: first those whose queries use few keys"));
    m_mean = add(tr("&Mean over heads"), tr("In All heads: their mean, as a map of its own"));
    for (QAction* action : {m_sort, m_mean})
        action->setCheckable(true);
    addSeparator();
    m_crop = add(tr("&Crop to tokens…"), tr("Show some queries and keys only; sums stay whole"));
    m_whole = add(tr("&Whole map"), tr("Show all queries and keys again"));
    connect(m_sort, &QAction::triggered, this, [this](bool isOn) {
        m_view.sortsHeads = isOn;
        Q_EMIT edited(m_view);
    });
    connect(m_mean, &QAction::triggered, this, [this](bool isOn) {
        m_view.showsMean = isOn;
        Q_EMIT edited(m_view);
    });
    connect(m_crop, &QAction::triggered, this, &LookMenu::askForCrop);
    connect(m_whole, &QAction::triggered, this, [this] { cropTo({}, {}); });
}

void LookMenu::show(const ViewSettings& view, const Sizes& sizes)
{
    m_view = view;
    m_sizes = sizes;
    m_sort->setChecked(view.sortsHeads);
    m_mean->setChecked(view.showsMean);
    setUsable(*m_whole, view.crop.has_value(), tr("All tokens are shown already."));
}

bool LookMenu::cropTo(const QString& queries, const QString& keys)
{
    const auto rows = rangeIn(queries, m_sizes.Tq);
    const auto cols = rangeIn(keys, m_sizes.Tk);
    if (!rows || !cols)
        return false;
    m_view.crop = CellCrop{rows->first, rows->second, cols->first, cols->second};
    Q_EMIT edited(m_view);
    return true;
}

void LookMenu::askForCrop()
{
    QDialog dialog(parentWidget());
    dialog.setWindowTitle(tr("Crop to tokens"));
    const CellCrop now = m_view.crop.value_or(CellCrop{0, m_sizes.Tq, 0, m_sizes.Tk});
    auto* queries = new QLineEdit(textOf(now.firstQuery, now.endQuery, m_sizes.Tq), &dialog);
    auto* keys = new QLineEdit(textOf(now.firstKey, now.endKey, m_sizes.Tk), &dialog);
    for (QLineEdit* field : {queries, keys})
        field->setPlaceholderText(tr("all, or 3-10"));
    auto* problem = new QLabel(&dialog);
    problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
    auto* form = new QFormLayout(&dialog);
    form->addRow(tr("Queries"), queries);
    form->addRow(tr("Keys"), keys);
    form->addRow(problem);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, &dialog, [&] {
        if (cropTo(queries->text(), keys->text()))
            dialog.accept();
        else
            problem->setText(tr("Write one range each, such as 3-10: there are %1 queries and %2 "
                                "keys.")
                                 .arg(m_sizes.Tq)
                                 .arg(m_sizes.Tk));
    });
    dialog.exec();
}

} // namespace keyaxis
