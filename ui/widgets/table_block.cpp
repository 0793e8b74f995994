#include "ui/widgets/table_block.h"

#include "core/io/bracket_text.h"
#include "core/io/delimited_text.h"
#include "core/settings.h"
#include "ui/widgets/tensor_model.h"

#include <QMimeData>
#include <algorithm>

namespace keyaxis {

QMimeData* newMimeData(const Matrix& block)
{
    QString text;
    QString html = QStringLiteral("<table>");
    for (Index row = 0; row < block.rows(); ++row) {
        html += QStringLiteral("<tr>");
        for (Index col = 0; col < block.cols(); ++col) {
            const QString number = QString::fromStdString(shortest(block(row, col)));
            text += (col > 0 ? QStringLiteral("\t") : QString()) + number;
            html += QStringLiteral("<td>%1</td>").arg(number);
        }
        text += QLatin1Char('\n');
        html += QStringLiteral("</tr>");
    }
    auto* data = new QMimeData;
    data->setText(text);
    data->setHtml(html + QStringLiteral("</table>"));
    return data;
}

Result<Matrix> readBlock(const QMimeData& data)
{
    const QString whole = data.text();
    if (const auto number = parseNumber(whole)) // "1,5" alone is one number, not two cells
        return Matrix(Matrix::Constant(1, 1, *number));
    const std::string text = whole.toStdString();
    const std::string label = "The clipboard";
    TableChoices choices;
    // A spreadsheet brings a table along: a single column of decimal commas is one column.
    if (data.hasHtml() && data.html().contains(QLatin1String("<table"), Qt::CaseInsensitive))
        choices.separator = '\t';
    const auto file =
        looksBracketed(text) ? readBrackets(text, label) : readDelimited(text, label, choices);
    if (!file)
        return tl::unexpected(file.error());
    const RawTensor& raw = file->tensors.front();
    if (raw.type == ElementType::Text || raw.shape.empty() || raw.shape.size() > 2 ||
        raw.size() == 0)
        return fail(Errc::BadInput, label + " holds no block of numbers.");
    Narrowing narrowing;
    const std::vector<float> values = toFloats(raw, narrowing);
    if (narrowing.nOverflows > 0)
        return fail(Errc::BadInput, label + " holds a number beyond float32.");
    const Index nCols = raw.shape.back();
    Matrix block(raw.size() / nCols, nCols);
    std::ranges::copy(values, block.data());
    return block;
}

} // namespace keyaxis
