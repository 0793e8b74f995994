#include "ui/widgets/tensor_model.h"

#include <charconv>
#include <cmath>

namespace keyaxis {

namespace {

/// Two decimals where they say something, three significant digits elsewhere.
QString shortText(float value)
{
    const double v = static_cast<double>(value);
    if (!std::isfinite(v))
        return QString::fromStdString(shortest(value));
    if (v == 0)
        return QStringLiteral("0.00"); // without the sign of a negative zero
    const bool isPlain = std::abs(v) >= 0.005 && std::abs(v) < 999.95;
    return QString::number(v, isPlain ? 'f' : 'g', isPlain ? (std::abs(v) < 99.995 ? 2 : 1) : 3);
}

} // namespace

std::optional<float> parseNumber(const QString& text)
{
    QString trimmed = text.trimmed();
    if (trimmed.count(QLatin1Char(',')) == 1 && !trimmed.contains(QLatin1Char('.')))
        trimmed.replace(QLatin1Char(','), QLatin1Char('.'));
    trimmed.replace(QChar(0x2212), QLatin1Char('-')); // a typographic minus
    if (trimmed.startsWith(QLatin1Char('+')))
        trimmed.remove(0, 1);
    const std::string bytes = trimmed.toStdString();
    float value = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), value);
    if (bytes.empty() || error != std::errc() || end != bytes.data() + bytes.size())
        return std::nullopt;
    return value;
}

TensorModel::TensorModel(QObject* parent)
    : QAbstractTableModel(parent), m_colors(Palette::BlueRed, {-1, 1})
{
}

void TensorModel::show(SharedTensor tensor, Index b, Index h, const SectionNames& rows,
                       const SectionNames& columns)
{
    const bool keepsShape = m_tensor && tensor && m_tensor->shape() == tensor->shape();
    if (!keepsShape)
        beginResetModel();
    const bool renamed = m_rows != rows || m_columns != columns;
    m_tensor = std::move(tensor);
    m_b = b;
    m_h = h;
    m_rows = rows;
    m_columns = columns;
    if (m_tensor)
        m_colors =
            ColorMap(Palette::BlueRed,
                     symmetricRange(m_tensor->data(), static_cast<std::size_t>(m_tensor->size())));
    if (!keepsShape) {
        endResetModel();
        return;
    }
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    if (renamed && rowCount() > 0)
        Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    if (renamed && columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void TensorModel::setTheme(const Theme& theme)
{
    m_theme = theme;
    if (rowCount() > 0 && columnCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                           {Qt::BackgroundRole, Qt::ForegroundRole});
}

void TensorModel::markRow(std::optional<Index> row)
{
    if (row == m_markedRow)
        return;
    m_markedRow = row;
    if (rowCount() > 0)
        Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
}

Index TensorModel::memoryIndex(const QModelIndex& index) const
{
    return m_tensor->offset(m_b, m_h) + index.row() * m_tensor->shape().cols + index.column();
}

float TensorModel::valueAt(const QModelIndex& index) const
{
    return m_tensor->data()[memoryIndex(index)];
}

std::vector<CellEdit> TensorModel::editsFor(const QModelIndexList& cells,
                                            const std::vector<float>& values) const
{
    std::vector<CellEdit> edits;
    for (int n = 0; n < cells.size(); ++n) {
        const float after = values[static_cast<std::size_t>(n)];
        if (!cells[n].isValid())
            continue;
        const float before = valueAt(cells[n]);
        if (before != after || std::isnan(before) != std::isnan(after))
            edits.push_back({memoryIndex(cells[n]), before, after});
    }
    return edits;
}

std::vector<CellEdit> TensorModel::editsFor(int row, int col, const Matrix& block) const
{
    QModelIndexList cells;
    for (Index i = 0; i < block.rows(); ++i)
        for (Index j = 0; j < block.cols(); ++j)
            cells << index(row + static_cast<int>(i), col + static_cast<int>(j));
    return editsFor(cells, {block.data(), block.data() + block.size()});
}

Matrix TensorModel::block(const QItemSelectionRange& range) const
{
    Matrix block(range.height(), range.width());
    for (int row = 0; row < range.height(); ++row)
        for (int col = 0; col < range.width(); ++col)
            block(row, col) = valueAt(index(range.top() + row, range.left() + col));
    return block;
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return m_tensor && !parent.isValid() ? static_cast<int>(m_tensor->shape().rows) : 0;
}

int TensorModel::columnCount(const QModelIndex& parent) const
{
    return m_tensor && !parent.isValid() ? static_cast<int>(m_tensor->shape().cols) : 0;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const float value = valueAt(index);
    const QColor fill = m_isMask ? (value != 0 ? m_theme.tint(m_theme.key) : m_theme.paper)
                        : std::isfinite(value) ? m_colors.color(value)
                                               : m_theme.tint(m_theme.invalid);
    switch (role) {
    case Qt::DisplayRole:
        return m_isMask ? QString::fromStdString(shortest(value)) : shortText(value);
    case Qt::EditRole:
        return QString::fromStdString(shortest(value));
    case Qt::BackgroundRole:
        return fill;
    case Qt::ForegroundRole:
        return m_isMask               ? (value != 0 ? m_theme.ink : m_theme.muted)
               : std::isfinite(value) ? textOn(fill)
                                      : m_theme.invalid;
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (m_isMask)
            return tr("Query %1, key %2: %3")
                .arg(headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString(),
                     headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                     value != 0 ? tr("kept") : tr("hidden"));
        return tr("%1 · feature %2: %3\nAlt + drag or Ctrl + wheel changes it")
            .arg(headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString())
            .arg(index.column())
            .arg(QString::fromStdString(shortest(value)));
    default:
        return {};
    }
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isMarked = orientation == Qt::Vertical && m_markedRow == section;
    if (role == Qt::FontRole && isMarked) { // as wide as the others: columns stay where they are
        QFont font = uiFont(12);
        font.setUnderline(true);
        return font;
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    const SectionNames& side = orientation == Qt::Vertical ? m_rows : m_columns;
    const QStringList& names = role == Qt::DisplayRole ? side.shown : side.written;
    if (section < names.size())
        return names[section];
    return section;
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsEditable
                           : Qt::NoItemFlags;
}

bool TensorModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid())
        return false;
    const std::optional<float> number = parseNumber(value.toString());
    if (!number) {
        Q_EMIT refused(tr("'%1' is not a number in float32; write 1.5, 1,5, -inf or nan.")
                           .arg(value.toString()));
        return false;
    }
    const std::vector<CellEdit> edits = editsFor({index}, {*number});
    if (!edits.empty())
        Q_EMIT edited(edits);
    return true;
}

} // namespace keyaxis
