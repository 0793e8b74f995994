#include "ui/widgets/sequence_dialog.h"

#include "core/attention/attention.h"
#include "ui/document/layer_maps.h"
#include "ui/paint/compositions.h"
#include "ui/widgets/figures.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>

namespace keyaxis {

namespace {

constexpr double kColdest = 0.05; ///< as far as the slider goes
constexpr double kHottest = 20;

QDoubleSpinBox* temperatureBox(double value, const QString& name, QWidget* parent)
{
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(kColdest, kHottest);
    box->setDecimals(2);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setValue(value);
    box->setAccessibleName(name);
    return box;
}

QString withEnding(const QString& path, const QString& filter)
{
    if (!QFileInfo(path).suffix().isEmpty())
        return path;
    return path + (filter.contains(QLatin1String(".png")) ? QStringLiteral(".png")
                                                          : QStringLiteral(".gif"));
}

} // namespace

SequenceDialog::SequenceDialog(SequenceSource source, const QString& suggestedName, bool isDark,
                               QWidget* parent)
    : QDialog(parent),
      m_source(std::move(source)),
      m_suggestedName(suggestedName),
      m_kind(new QComboBox(this)),
      m_sweepFields(new QWidget(this)),
      m_flipFields(new QWidget(this)),
      m_low(temperatureBox(0.1, tr("First τ"), this)),
      m_high(temperatureBox(10, tr("Last τ"), this)),
      m_count(new QSpinBox(this)),
      m_axis(new QComboBox(this)),
      m_size(new QComboBox(this)),
      m_theme(new QComboBox(this)),
      m_problem(new QLabel(this))
{
    setWindowTitle(tr("Export a sequence"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(16);
    column->addWidget(buildFields());
    column->addWidget(m_problem);
    column->addStretch(1);
    column->addWidget(buildButtons());
    m_theme->setCurrentIndex(isDark ? 1 : 0);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    connect(m_kind, &QComboBox::currentIndexChanged, this, &SequenceDialog::showKind);
    showKind();
    resize(440, sizeHint().height());
}

QWidget* SequenceDialog::buildFields()
{
    m_kind->addItems({tr("Attention τ, from cold to hot"), tr("The axis, as it turns")});
    m_kind->setAccessibleName(tr("What changes"));
    m_count->setRange(static_cast<int>(kFewestFrames), static_cast<int>(kMostFrames));
    m_count->setValue(24);
    m_count->setAccessibleName(tr("Pictures"));
    for (const Axis axis : kAllAxes)
        if (axis != m_source.settings.axis)
            m_axis->addItem(QString::fromLatin1(names(axis).title.data()), static_cast<int>(axis));
    m_axis->setAccessibleName(tr("Turns to"));
    m_size->addItem(tr("1000 × 800"), QSize(1000, 800));
    m_size->addItem(tr("1280 × 720, slide"), QSize(1280, 720));
    m_size->addItem(tr("1920 × 1080, slide"), QSize(1920, 1080));
    m_size->setAccessibleName(tr("Size"));
    m_theme->addItems({tr("Light"), tr("Dark")});
    m_theme->setAccessibleName(tr("Theme"));

    auto* sweep = new QHBoxLayout(m_sweepFields);
    sweep->setContentsMargins(0, 0, 0, 0);
    sweep->addWidget(m_low, 1);
    sweep->addWidget(new QLabel(tr("to"), this));
    sweep->addWidget(m_high, 1);
    sweep->addWidget(new QLabel(tr("in"), this));
    sweep->addWidget(m_count, 1);
    sweep->addWidget(new QLabel(tr("pictures"), this));
    auto* flip = new QHBoxLayout(m_flipFields);
    flip->setContentsMargins(0, 0, 0, 0);
    flip->addWidget(new QLabel(
        tr("from the %1 to the")
            .arg(QString::fromLatin1(names(m_source.settings.axis).title.data()).toLower()),
        this));
    flip->addWidget(m_axis, 1);

    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    auto* how = new QVBoxLayout;
    how->addWidget(m_sweepFields);
    how->addWidget(m_flipFields);
    form->addRow(tr("Changes"), m_kind);
    form->addRow(QString(), how);
    form->addRow(tr("Size"), m_size);
    form->addRow(tr("Theme"), m_theme);
    return fields;
}

QWidget* SequenceDialog::buildButtons()
{
    auto* buttons = new QWidget(this);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    auto* cancel = new QPushButton(tr("Cancel"), buttons);
    auto* save = new QPushButton(tr("Save &as…"), buttons);
    cancel->setAutoDefault(false);
    cancel->setToolTip(tr("Write nothing"));
    save->setToolTip(tr("Choose a file: one GIF, or a PNG for each picture"));
    save->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &SequenceDialog::chooseFile);
    row->addWidget(cancel);
    row->addWidget(save);
    return buttons;
}

void SequenceDialog::setKind(Kind kind)
{
    m_kind->setCurrentIndex(static_cast<int>(kind));
}

void SequenceDialog::setSweep(double low, double high, int nFrames)
{
    m_low->setValue(low);
    m_high->setValue(high);
    m_count->setValue(nFrames);
}

void SequenceDialog::setFlipTo(Axis axis)
{
    m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(axis)));
}

void SequenceDialog::showKind()
{
    const bool isSweep = m_kind->currentIndex() == static_cast<int>(Kind::Sweep);
    m_sweepFields->setVisible(isSweep);
    m_flipFields->setVisible(!isSweep);
    say({});
}

QString SequenceDialog::problem() const
{
    return m_problem->text();
}

void SequenceDialog::say(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

Theme SequenceDialog::theme() const
{
    return m_theme->currentIndex() == 1 ? Theme::dark() : Theme::light();
}

/// What the window shows, under other settings: as it is cut down and zoomed into.
Result<Figure> SequenceDialog::figureUnder(const ScoreSettings& settings) const
{
    using Mode = ViewSettings::Mode;
    const ViewSettings& view = m_source.view;
    auto figure = view.mode == Mode::Heads    ? headsUnder(settings)
                  : view.mode == Mode::Layers ? layersUnder(settings)
                                              : cardsUnder(settings);
    if (!figure)
        return figure;
    if (figure->maps.empty())
        return fail(Errc::BadValue, figure->message.toStdString());
    leaveOut(*figure, m_source.inputs, settings, view);
    if (m_source.window)
        figure->window = m_source.window->whole();
    return figure;
}

/// Every head, and their mean where it is shown. They keep the order of the present settings: small
/// maps that changed places with τ could not be followed.
Result<Figure> SequenceDialog::headsUnder(const ScoreSettings& settings) const
{
    auto all = attend(m_source.inputs, settings, {.logits = true, .output = false});
    if (!all)
        return tl::unexpected(all.error());
    const auto shared = std::make_shared<const Attention>(std::move(*all));
    const ViewSettings& view = m_source.view;
    Figure figure = headsFigure(
        {m_source.inputs, settings, shared, m_source.colors, view.sortsHeads, view.showsMean},
        m_source.heads);
    for (MapFigure& map : figure.maps)
        map.isSelected = !map.isMean && map.batch == view.batch && map.head == view.head;
    return figure;
}

/// Every layer of the file that has maps of the same size.
Result<Figure> SequenceDialog::layersUnder(const ScoreSettings& settings) const
{
    const ViewSettings& view = m_source.view;
    return mapsOfLayers(*m_source.layers, m_source.inputs, settings, view.batch, view.head, {})
        .map([&](const std::shared_ptr<const LayerMaps>& maps) {
            return layersOf(maps, m_source.inputs, settings, view, m_source.colors);
        });
}

/// The four axes, one of them, or the weights less those of another axis under the same settings or
/// of the kept state as it is.
Result<Figure> SequenceDialog::cardsUnder(const ScoreSettings& settings) const
{
    using Mode = ViewSettings::Mode;
    ViewSettings view = possibleView(m_source.view, m_source.inputs);
    const bool isFlip = m_kind->currentIndex() == static_cast<int>(Kind::Flip);
    if (isFlip && view.mode == Mode::Compare) // all axes at once have none to turn to
        view.mode = Mode::Single;
    std::vector<Axis> axes{settings.axis};
    if (view.mode == Mode::Compare)
        axes.assign(kAllAxes.begin(), kAllAxes.end());
    else if (view.mode == Mode::Difference && view.reference)
        axes.push_back(*view.reference);
    return withSlices(
               {m_source.inputs, settings, view.batch, view.head, {}, nullptr, m_source.colors},
               axes)
        .map([&](const SliceSource& source) { return cardsOf(source, view, m_source.kept.get()); });
}

Result<Sequence> SequenceDialog::sequence() const
{
    const FigureMaker maker = [this](const ScoreSettings& settings) {
        return figureUnder(settings);
    };
    if (m_kind->currentIndex() == static_cast<int>(Kind::Sweep))
        return temperatureSweep(m_source.settings,
                                {static_cast<float>(m_low->value()),
                                 static_cast<float>(m_high->value()), m_count->value()},
                                maker, m_source.colors, theme());
    return axisFlip(m_source.settings, static_cast<Axis>(m_axis->currentData().toInt()),
                    m_source.highlight, maker, theme());
}

void SequenceDialog::chooseFile()
{
    QString filter;
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export a sequence"),
        QDir(folder).filePath(m_suggestedName + QStringLiteral(".gif")),
        tr("Animation (*.gif);;Numbered pictures (*.png)"), &filter);
    if (!path.isEmpty() && writeTo(withEnding(path, filter)))
        accept();
}

bool SequenceDialog::writeTo(const QString& path)
{
    auto made = sequence();
    if (!made) {
        say(QString::fromStdString(made.error().message));
        return false;
    }
    QProgressDialog progress(tr("Drawing…"), tr("Cancel"), 0, static_cast<int>(made->nFrames),
                             this);
    progress.setWindowModality(Qt::WindowModal);
    std::stop_source stop;
    const auto draw = made->picture;
    made->picture = [&](Index n) {
        progress.setValue(static_cast<int>(n)); // lets a click on Cancel come through
        if (progress.wasCanceled())
            stop.request_stop();
        return draw(n);
    };
    ExportOptions options;
    options.size = m_size->currentData().toSize();
    const auto written =
        exportSequence(*made, theme(), options, path.toStdString(), stop.get_token());
    say(written ? QString() : QString::fromStdString(written.error().message));
    return written.has_value();
}

} // namespace keyaxis
