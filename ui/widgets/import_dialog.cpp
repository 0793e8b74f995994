#include "ui/widgets/import_dialog.h"

#include "core/attention/attention.h"
#include "core/io/attention_names.h"
#include "ui/paint/compositions.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

namespace keyaxis {

namespace {

/// Larger maps are not drawn at once.
constexpr Index kMostCells = 512 * 512;

QString told(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

/// The weights of the first head as a map; nothing where there is none to show.
Figure previewOf(const AttentionFile& file)
{
    const Sizes sizes = sizesOf(file.inputs);
    if (sizes.Tq * sizes.Tk == 0 || sizes.Tq * sizes.Tk > kMostCells)
        return {};
    auto slice = attendSlice(file.inputs, file.settings, 0, 0);
    if (!slice)
        return {};
    SliceSource source{file.inputs, file.settings, 0, 0, {}, nullptr, {}};
    source.axes[static_cast<std::size_t>(file.settings.axis)] =
        std::make_shared<const SliceStages>(std::move(*slice));
    return singleFigure(source, Stage::Weights);
}

bool hasMask(const QString& path, const ReadingChoices& choices)
{
    const auto file = readTensorFile(path.toStdString(), choices.file);
    for (const AttentionNames& names : file ? attentionsIn(*file) : std::vector<AttentionNames>())
        if (!names.mask.empty() || !names.bias.empty())
            return true;
    return false;
}

/// Whether something in the file has no type of its own.
bool hasOpaqueBytes(const QString& path)
{
    const auto file = readTensorFile(path.toStdString());
    if (!file)
        return file.error().code == Errc::Ambiguous;
    for (const auto& [name, error] : file->skipped)
        if (error.code == Errc::Ambiguous)
            return true;
    return false;
}

bool isTable(const QString& path)
{
    static const QStringList endings{"csv", "tsv", "txt", "dat"};
    return endings.contains(QFileInfo(path).suffix().toLower());
}

} // namespace

ImportDialog::ImportDialog(const QString& path, const ReadingChoices& choices, const Theme& theme,
                           QWidget* parent)
    : QDialog(parent),
      m_path(path),
      m_base(choices),
      m_outcome(new QLabel(this)),
      m_preview(new HeatmapView(this)),
      m_remember(new QCheckBox(tr("Read files named like this one so, too"), this))
{
    setWindowTitle(tr("How to read %1").arg(QFileInfo(path).fileName()));
    auto* columns = new QHBoxLayout(this);
    auto* left = new QVBoxLayout;
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    addFields(*form);
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outcome->setMinimumWidth(320);
    m_outcome->setAlignment(Qt::AlignTop);
    m_remember->setChecked(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("Open it so"), QDialogButtonBox::AcceptRole);
    m_open->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    left->addLayout(form);
    left->addWidget(m_outcome, 1);
    left->addWidget(m_remember);
    left->addWidget(buttons);
    m_preview->setTheme(theme);
    m_preview->setMinimumSize(420, 380);
    columns->addLayout(left);
    columns->addWidget(m_preview, 1);
    refresh();
}

template <typename T>
void ImportDialog::addField(QFormLayout& form, const QString& label, const QString& name,
                            std::optional<T>& (*member)(ReadingChoices&),
                            const std::vector<std::pair<QString, std::optional<T>>>& options)
{
    Field field;
    field.box = new QComboBox(this);
    field.box->setObjectName(name);
    field.box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field.box->setMinimumContentsLength(40);
    for (const auto& [text, value] : options) {
        field.box->addItem(text);
        field.texts << text;
        field.apply.push_back(
            [member, value = value](ReadingChoices& choices) { member(choices) = value; });
        if (member(m_base) == value)
            field.box->setCurrentIndex(field.box->count() - 1);
    }
    connect(field.box, &QComboBox::currentIndexChanged, this, &ImportDialog::refresh);
    form.addRow(label, field.box);
    m_fields.push_back(std::move(field));
}

void ImportDialog::addFields(QFormLayout& form)
{
    if (hasOpaqueBytes(m_path))
        addField<ElementType>(form, tr("Bytes without a type"), QStringLiteral("opaque"),
                              [](ReadingChoices & c) -> auto& { return c.file.opaqueType; },
                              {{tr("Not read"), std::nullopt},
                               {told(typeName(ElementType::BF16)), ElementType::BF16},
                               {told(typeName(ElementType::F8E4M3)), ElementType::F8E4M3},
                               {told(typeName(ElementType::F8E5M2)), ElementType::F8E5M2}});
    if (isTable(m_path)) {
        addField<char>(form, tr("Between the cells"), QStringLiteral("separator"),
                       [](ReadingChoices & c) -> auto& { return c.file.table.separator; },
                       {{tr("As the text tells"), std::nullopt},
                        {tr("Commas"), ','},
                        {tr("Semicolons"), ';'},
                        {tr("Tabs"), '\t'},
                        {tr("Blanks"), ' '}});
        addField<char>(
            form, tr("Decimal sign"), QStringLiteral("decimal"),
            [](ReadingChoices & c) -> auto& { return c.file.table.decimalSign; },
            {{tr("As the text tells"), std::nullopt}, {tr("Dot"), '.'}, {tr("Comma"), ','}});
    }
    addField<Layout>(form, tr("Axes of Q, K and V"), QStringLiteral("layout"),
                     [](ReadingChoices & c) -> auto& { return c.layout; },
                     {{tr("As the file tells"), std::nullopt},
                      {tr("Batch, head, token, feature"), Layout::BHTD},
                      {tr("Batch, token, head, feature"), Layout::BTHD},
                      {tr("Head, token, feature"), Layout::HTD},
                      {tr("Batch, token, feature"), Layout::BTD}});
    if (!hasMask(m_path, m_base))
        return;
    addField<MaskAxes>(form, tr("Axes of the mask"), QStringLiteral("maskAxes"),
                       [](ReadingChoices & c) -> auto& { return c.maskAxes; },
                       {{tr("As the file tells"), std::nullopt},
                        {tr("Queries × keys"), MaskAxes::QueryKey},
                        {tr("Examples × keys (padding)"), MaskAxes::BatchKey},
                        {tr("Heads × queries × keys"), MaskAxes::HeadQueryKey},
                        {tr("Examples × queries × keys"), MaskAxes::BatchQueryKey}});
    addField<int>(
        form, tr("A 1 of the mask"), QStringLiteral("maskKeeps"),
        [](ReadingChoices & c) -> auto& { return c.maskKeeps; },
        {{tr("As the file tells"), std::nullopt}, {tr("keeps a key"), 1}, {tr("hides a key"), 0}});
}

ReadingChoices ImportDialog::choices() const
{
    return choicesWith(m_fields.size(), 0);
}

/// The present choices, but for one field.
ReadingChoices ImportDialog::choicesWith(std::size_t field, int option) const
{
    ReadingChoices choices = m_base;
    for (std::size_t n = 0; n < m_fields.size(); ++n) {
        const int at = n == field ? option : m_fields[n].box->currentIndex();
        m_fields[n].apply[static_cast<std::size_t>(at)](choices);
    }
    return choices;
}

bool ImportDialog::isRemembered() const
{
    return m_remember->isChecked();
}

QString ImportDialog::outcome() const
{
    return m_outcome->text();
}

void ImportDialog::refresh()
{
    for (std::size_t n = 0; n < m_fields.size(); ++n)
        for (int option = 0; option < m_fields[n].box->count(); ++option) {
            const auto file = readAttentionFile(m_path, choicesWith(n, option));
            m_fields[n].box->setItemText(
                option,
                tr("%1: %2").arg(m_fields[n].texts[option], file ? sizesLabel(*file)
                                                            : file.error().code == Errc::Ambiguous
                                                                ? tr("leaves it open")
                                                                : tr("does not fit")));
        }
    const auto file = readAttentionFile(m_path, choices());
    QStringList text{file ? sizesLabel(*file) : sentenceOf(file.error())};
    for (const std::string& note : file ? file->notes : std::vector<std::string>())
        text << QString::fromStdString(note);
    m_outcome->setText(text.join(QLatin1Char('\n')));
    m_open->setEnabled(file.has_value());
    m_preview->setFigure(file ? previewOf(*file) : Figure());
}

} // namespace keyaxis
