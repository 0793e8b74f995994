#include "ui/widgets/import_dialog.h"

#include "core/io/attention_names.h"
#include "core/io/layers.h"
#include "core/proof/map_picture.h"
#include "ui/paint/compositions.h"
#include "ui/paint/picture_figure.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/layer_tree.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace keyaxis {

namespace {

/// Maps up to this size are there before the choice is shown.
constexpr Index kAtOnce = 512 * 512;

/// Larger ones are sampled: what is drawn has this many cells a side.
constexpr Index kKept = 2048 * 2048;
constexpr Index kSampleSide = 512;

QString told(std::string_view text)
{
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

Index cellsOf(const AttentionFile& file)
{
    const Sizes sizes = sizesOf(file.inputs);
    return sizes.Tq * sizes.Tk;
}

/// The first look at a map that is too large to be kept here.
Figure sampleOf(const AttentionFile& file, std::stop_token stop)
{
    const Sizes sizes = sizesOf(file.inputs);
    std::stop_source enough;
    const std::stop_callback isReplaced(stop, [&] { enough.request_stop(); });
    std::optional<MapPicture> first;
    const auto keep = [&](const MapPicture& picture) {
        first = picture;
        enough.request_stop();
    };
    auto whole = mapPicture(file.inputs, file.settings, 0, 0, std::min(kSampleSide, sizes.Tq),
                            std::min(kSampleSide, sizes.Tk), keep, enough.get_token());
    if (whole)
        first = std::move(*whole);
    return first ? pictureFigure(file.inputs, file.settings, 0, 0,
                                 std::make_shared<const MapPicture>(std::move(*first)))
                 : Figure();
}

/// The weights of the first head as a map; nothing where there is none to show.
Figure previewOf(const AttentionFile& file, const std::stop_token& stop)
{
    if (cellsOf(file) == 0)
        return {};
    if (cellsOf(file) > kKept && !file.inputs.given())
        return sampleOf(file, stop);
    const auto source = withSlices({file.inputs, file.settings, 0, 0, {}, nullptr, {}},
                                   std::array{file.settings.axis}, stop);
    return source ? singleFigure(*source, Stage::Weights) : Figure();
}

bool hasMask(const TensorFile& file)
{
    return std::ranges::any_of(attentionsIn(file), [](const AttentionNames& names) {
        return !names.mask.empty() || !names.bias.empty();
    });
}

/// Whether something in the file has no type of its own.
bool hasOpaqueBytes(const Result<std::shared_ptr<const TensorFile>>& file)
{
    if (!file)
        return file.error().code == Errc::Ambiguous;
    return std::ranges::any_of((*file)->skipped, [](const auto& skipped) {
        return skipped.second.code == Errc::Ambiguous;
    });
}

bool isCalledATable(const QString& path)
{
    static const QStringList endings{"csv", "tsv", "txt", "dat"};
    return endings.contains(QFileInfo(path).suffix().toLower());
}

/// "As the text tells", and what it tells.
QString sniffed(const QString& what)
{
    return what.isEmpty() ? ImportDialog::tr("As the text tells")
                          : ImportDialog::tr("As the text tells (%1)").arg(what);
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
    addLayers(*columns);
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

/// What `choices` make of the bytes: read once each.
const ImportDialog::Content& ImportDialog::content(const FileChoices& choices)
{
    const auto known = std::ranges::find(m_contents, choices, &Known::choices);
    if (known != m_contents.end())
        return known->content;
    m_contents.push_back(
        {choices, readTensorFile(m_path.toStdString(), choices).map([](TensorFile file) {
             return std::make_shared<const TensorFile>(std::move(file));
         })});
    return m_contents.back().content;
}

Result<AttentionFile> ImportDialog::read(const ReadingChoices& choices)
{
    const Content& file = content(choices.file);
    if (!file)
        return tl::unexpected(file.error());
    return readAttention(**file, QFileInfo(m_path).completeBaseName().toStdString(), choices);
}

/// Several layers are a tree before everything else.
void ImportDialog::addLayers(QHBoxLayout& columns)
{
    const Content& file = content(m_base.file);
    const std::vector<std::string> layers =
        file ? layersIn(**file, m_base) : std::vector<std::string>();
    if (layers.size() < 2)
        return;
    auto* tree = new LayerTree(this);
    tree->setMinimumWidth(200);
    tree->setLayers(layers);
    const auto chosen = std::ranges::find(layers, m_base.group) - layers.begin();
    tree->setCurrentLayer(static_cast<std::size_t>(chosen) % layers.size());
    m_base.group = layers[static_cast<std::size_t>(chosen) % layers.size()];
    connect(tree, &LayerTree::reached, this, [this, layers](std::size_t layer) {
        m_base.group = layers[layer];
        refresh();
    });
    columns.addWidget(tree);
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
    const Content plain = content({});
    if (hasOpaqueBytes(plain))
        addField<ElementType>(form, tr("Bytes without a type"), QStringLiteral("opaque"),
                              [](ReadingChoices & c) -> auto& { return c.file.opaqueType; },
                              {{tr("Not read"), std::nullopt},
                               {told(typeName(ElementType::BF16)), ElementType::BF16},
                               {told(typeName(ElementType::F8E4M3)), ElementType::F8E4M3},
                               {told(typeName(ElementType::F8E5M2)), ElementType::F8E5M2}});
    const auto table = plain ? (*plain)->table : std::nullopt;
    if (table || isCalledATable(m_path)) {
        const std::vector<std::pair<QString, char>> separators{
            {tr("Commas"), ','}, {tr("Semicolons"), ';'}, {tr("Tabs"), '\t'}, {tr("Blanks"), ' '}};
        const std::vector<std::pair<QString, char>> signs{{tr("Dot"), '.'}, {tr("Comma"), ','}};
        const auto options = [](const auto& all, std::optional<char> found) {
            std::vector<std::pair<QString, std::optional<char>>> list{{sniffed({}), std::nullopt}};
            for (const auto& [text, sign] : all) {
                list.push_back({text, sign});
                if (sign == found)
                    list.front().first = sniffed(text.toLower());
            }
            return list;
        };
        addField<char>(
            form, tr("Between the cells"), QStringLiteral("separator"),
            [](ReadingChoices & c) -> auto& { return c.file.table.separator; },
            options(separators, table ? table->separator : std::nullopt));
        addField<char>(
            form, tr("Decimal sign"), QStringLiteral("decimal"),
            [](ReadingChoices & c) -> auto& { return c.file.table.decimalSign; },
            options(signs, table ? table->decimalSign : std::nullopt));
    }
    addField<Layout>(form, tr("Axes of Q, K and V"), QStringLiteral("layout"),
                     [](ReadingChoices & c) -> auto& { return c.layout; },
                     {{tr("As the file tells"), std::nullopt},
                      {tr("Batch, head, token, feature"), Layout::BHTD},
                      {tr("Batch, token, head, feature"), Layout::BTHD},
                      {tr("Head, token, feature"), Layout::HTD},
                      {tr("Batch, token, feature"), Layout::BTD}});
    const Content& now = content(m_base.file);
    if (!now || !hasMask(**now))
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
    auto chosen = read(choices());
    for (std::size_t n = 0; n < m_fields.size(); ++n)
        for (int option = 0; option < m_fields[n].box->count(); ++option) {
            const bool isChosen = option == m_fields[n].box->currentIndex();
            const auto file = isChosen ? chosen : read(choicesWith(n, option));
            m_fields[n].box->setItemText(
                option,
                tr("%1: %2").arg(m_fields[n].texts[option], file ? sizesLabel(*file)
                                                            : file.error().code == Errc::Ambiguous
                                                                ? tr("leaves it open")
                                                                : tr("does not fit")));
        }
    QStringList text{chosen ? sizesLabel(*chosen) : sentenceOf(chosen.error())};
    for (const std::string& note : chosen ? chosen->notes : std::vector<std::string>())
        text << QString::fromStdString(note);
    m_outcome->setText(text.join(QLatin1Char('\n')));
    m_open->setEnabled(chosen.has_value());
    showPreview(chosen ? std::make_shared<const AttentionFile>(std::move(*chosen)) : nullptr);
}

/// A large map is worked out beside the window, and shown unless another one is wanted by then.
void ImportDialog::showPreview(const std::shared_ptr<const AttentionFile>& file)
{
    ++m_wanted;
    if (!file || cellsOf(*file) <= kAtOnce) {
        m_preview->setFigure(file ? previewOf(*file, {}) : Figure());
        return;
    }
    Figure waiting;
    waiting.message = tr("Computing…");
    m_preview->setFigure(std::move(waiting));
    m_painting.submit([this, file, wanted = m_wanted](const std::stop_token& stop) {
        auto figure = std::make_shared<Figure>(previewOf(*file, stop));
        QMetaObject::invokeMethod(
            this,
            [this, figure, wanted] {
                if (wanted == m_wanted)
                    m_preview->setFigure(std::move(*figure));
            },
            Qt::QueuedConnection);
    });
}

} // namespace keyaxis
