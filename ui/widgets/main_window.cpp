#include "ui/widgets/main_window.h"

#include "core/attention/code_text.h"
#include "ui/document/commands.h"
#include "ui/document/samples.h"
#include "ui/widgets/append_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/color_menu.h"
#include "ui/widgets/drop_overlay.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/file_reading.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/influence_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/lesson_menu.h"
#include "ui/widgets/look_menu.h"
#include "ui/widgets/nan_card.h"
#include "ui/widgets/side_docks.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/value_plane_view.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>

namespace keyaxis {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_autosave(m_document, autosaveFolder()),
      m_recompute(m_document),
      m_painter(m_document),
      m_actions(new WindowActions(m_document.undoStack(), this)),
      m_topBar(new TopBar(this)),
      m_banner(new Banner(this)),
      m_inputs(new InputsPanel(m_document, m_actions->samplesMenu, this)),
      m_centre(new CentreView(m_cursor, this)),
      m_status(new StatusStrip(this)),
      m_why(new WhyPanel(this)),
      m_docks(new SideDocks(*this, m_inputs, m_why)),
      m_overlay(new DropOverlay(this))
{
    setAcceptDrops(true);
    arrange();
    connectActions();
    connectPanels();
    connect(&m_document, &Document::changed, this, &MainWindow::onChanged);
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
    connect(&m_recompute, &Recompute::failed, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
    connect(&m_cursor, &CellCursor::moved, this, &MainWindow::showCell);
    setThemeChoice(ThemeChoice::System);
    openSample(defaultSample());
    showColors();
    m_centre->setFocus();
}

// An open editor commits when its window goes, and panels speak of the document: so the window goes
// first, then its widgets, and only then, as members, what they speak of.
MainWindow::~MainWindow()
{
    hide();
    m_document.disconnect(this);
    m_document.undoStack().disconnect(this);
    m_cursor.disconnect();
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void MainWindow::connectActions()
{
    WindowActions& a = *m_actions;
    connect(a.open, &QAction::triggered, this, &MainWindow::askForFile);
    connect(a.save, &QAction::triggered, this, &MainWindow::save);
    connect(a.saveAs, &QAction::triggered, this, &MainWindow::saveAs);
    connect(a.reload, &QAction::triggered, this, &MainWindow::reload);
    connect(a.readAgain, &QAction::triggered, this, &MainWindow::readAgain);
    connect(a.follow, &QAction::toggled, this, [this](bool isOn) { m_isFollowing = isOn; });
    connect(a.recentMenu, &QMenu::aboutToShow, this, &MainWindow::showRecent);
    connect(&m_watch, &FileWatch::changed, this, &MainWindow::filesChanged);
    connect(&m_autosave, &Autosave::failed, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
    connect(a.exportFigure, &QAction::triggered, this, &MainWindow::askForExport);
    connect(a.exportSequence, &QAction::triggered, this, &MainWindow::askForSequence);
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.causal, &QAction::triggered, this, &MainWindow::setCausal);
    connect(a.alibi, &QAction::triggered, this, &MainWindow::setAlibi);
    connect(a.resetTemperature, &QAction::triggered, this, [this] { setTemperature(1.0F, 0); });
    constexpr std::array kLibraries{CodeLibrary::NumPy, CodeLibrary::PyTorch, CodeLibrary::Jax};
    for (std::size_t n = 0; n < kLibraries.size(); ++n)
        connect(a.copyCode[n], &QAction::triggered, this, [this, library = kLibraries[n]] {
            const QString name = QFileInfo(m_document.filePath()).fileName();
            const std::string file = name.isEmpty() ? "qkv.npz" : name.toStdString();
            QGuiApplication::clipboard()->setText(QString::fromStdString(
                codeText(library, m_document.inputs(), m_document.settings(), file)));
        });
    connect(a.copyCompute, &QAction::triggered, this, [this] { copyCommand(false); });
    connect(a.copyRender, &QAction::triggered, this, [this] { copyCommand(true); });
    connect(a.details, &AttentionMenu::edited, this,
            [this](const ScoreSettings& after, SettingsField field, const QString& text) {
                editSettings(after, field, text);
            });
    for (std::size_t n = 0; n < a.modes().size(); ++n)
        connect(a.modes()[n], &QAction::triggered, this,
                [this, n] { setMode(static_cast<ViewSettings::Mode>(n)); });
    connect(a.keepState, &QAction::triggered, m_centre, &CentreView::keepState);
    connect(a.nextHead, &QAction::triggered, this, [this] { look(0, 1); });
    connect(a.previousHead, &QAction::triggered, this, [this] { look(0, -1); });
    connect(a.nextBatch, &QAction::triggered, this, [this] { look(1, 0); });
    connect(a.previousBatch, &QAction::triggered, this, [this] { look(-1, 0); });
    connect(a.zoomIn, &QAction::triggered, this, [this] { m_centre->maps().zoom(1.25); });
    connect(a.zoomOut, &QAction::triggered, this, [this] { m_centre->maps().zoom(0.8); });
    connect(a.zoomFit, &QAction::triggered, &m_centre->maps(), &HeatmapView::fit);
    a.lessons->setDocument(m_document);
    connect(a.lessons, &LessonMenu::refused, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
    connect(a.lessons, &LessonMenu::done, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Note); });
    connect(m_topBar, &TopBar::presentAsked, a.lessons->present, &QAction::trigger);
    connect(a.colors, &ColorMenu::chosen, m_centre, &CentreView::setColors);
    connect(&m_centre->maps(), &HeatmapView::colorBarClicked, a.colors,
            [this](QPoint at) { m_actions->colors->popup(at); });
    constexpr int kMorphMs = 250;
    connect(a.reduceMotion, &QAction::toggled, this, [this](bool isReduced) {
        m_centre->maps().setMotion(isReduced ? 0 : kMorphMs);
        m_why->plane().setMotion(isReduced ? 0 : kMorphMs);
        m_actions->lessons->setMotion(!isReduced);
    });
    connect(a.resetLayout, &QAction::triggered, m_docks, &SideDocks::reset);
    connect(a.palette, &QAction::triggered, this, &MainWindow::findCommand);
    connect(a.help, &QAction::triggered, this, &MainWindow::showHelp);
    connect(a.about, &QAction::triggered, this, &MainWindow::showAbout);
    for (const Axis axis : kAllAxes)
        connect(a.axes[static_cast<std::size_t>(axis)], &QAction::triggered, this,
                [this, axis] { setAxis(axis); });
    for (std::size_t n = 0; n < a.themes.size(); ++n)
        connect(a.themes[n], &QAction::triggered, this,
                [this, n] { setThemeChoice(static_cast<ThemeChoice>(n)); });
    for (std::size_t n = 0; n < a.samples.size(); ++n)
        connect(a.samples[n], &QAction::triggered, this, [this, n] { openSample(samples()[n]); });
}

void MainWindow::connectPanels()
{
    connect(m_topBar, &TopBar::axisChosen, this, &MainWindow::setAxis);
    connect(m_topBar, &TopBar::causalToggled, this, &MainWindow::setCausal);
    connect(m_topBar, &TopBar::alibiToggled, this, &MainWindow::setAlibi);
    connect(m_topBar, &TopBar::temperatureGestureStarted, this,
            [this] { m_temperatureGesture = newGesture(); });
    connect(m_topBar, &TopBar::temperatureEdited, this,
            [this](float tau) { setTemperature(tau, m_temperatureGesture); });
    connect(m_topBar, &TopBar::exportAsked, this, &MainWindow::askForExport);

    connect(m_centre, &CentreView::axisChosen, this, &MainWindow::setAxis);
    connect(m_centre, &CentreView::stageChosen, this, [this](Stage stage) {
        ViewSettings view = m_document.view();
        view.mode = ViewSettings::Mode::Single;
        view.stage = stage;
        m_document.setView(view);
    });
    connect(m_centre, &CentreView::headChosen, this, [this](Index batch, Index head) {
        ViewSettings view = m_document.view();
        view.mode = ViewSettings::Mode::Single;
        view.stage = Stage::Weights;
        view.batch = batch;
        view.head = head;
        m_document.setView(view);
    });
    connect(m_centre, &CentreView::layerChosen, this, [this](std::size_t layer) {
        showLayer(layer);
        setMode(ViewSettings::Mode::Single);
    });
    connect(m_inputs, &InputsPanel::layerChosen, this, &MainWindow::showLayer);
    connect(m_actions->look, &LookMenu::edited, &m_document, &Document::setView);
    connect(m_centre, &CentreView::referenceChosen, this, [this](std::optional<Axis> reference) {
        ViewSettings view = m_document.view();
        view.reference = reference;
        m_document.setView(view);
    });
    connect(m_why, &WhyPanel::axisChosen, this, &MainWindow::setAxis);
    connect(m_why, &WhyPanel::paddingLeftOut, this, [this](bool isLeftOut) {
        ViewSettings view = m_document.view();
        view.leavesOutPadding = isLeftOut;
        m_document.setView(view);
    });
    connect(m_why, &WhyPanel::refused, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
    connect(&m_why->influence(), &InfluenceView::nudgeAsked, this, &MainWindow::nudge);
    connect(&m_why->appendCard(), &AppendCard::keepAsked, this, [this] {
        m_document.undoStack().push(new ReplaceInputs(
            m_document, withTokenAppended(m_document.inputs()), tr("Append a token")));
    });
    connect(&m_why->nanCard(), &NanCard::zeroPolicyAsked, this, [this] {
        ScoreSettings after = m_document.settings();
        after.empty = EmptySlice::Zero;
        editSettings(after, SettingsField::Empty, tr("Empty slices: 0"));
    });
    connect(&m_why->plane(), &ValuePlaneView::cellHovered, &m_cursor, &CellCursor::hover);
    connect(&m_why->plane(), &ValuePlaneView::cellClicked, &m_cursor, &CellCursor::lock);
    connect(&m_why->plane(), &ValuePlaneView::valueDragged, this,
            [this](const std::vector<CellEdit>& cells, Gesture gesture) {
                m_document.undoStack().push(new EditCells(m_document, InputTensor::V, cells,
                                                          tr("Drag value row"), gesture));
            });

    connect(m_inputs, &InputsPanel::cellsEdited, this,
            [this](InputTensor which, const std::vector<CellEdit>& cells, const QString& text,
                   Gesture gesture) {
                m_document.undoStack().push(new EditCells(m_document, which, cells, text, gesture));
            });
    connect(m_inputs, &InputsPanel::inputsReplaced, this,
            [this](const Inputs& inputs, const QString& text, Gesture gesture) {
                m_document.undoStack().push(new ReplaceInputs(m_document, inputs, text, gesture));
            });
    connectMask();
    connect(m_inputs, &InputsPanel::asked, this, &MainWindow::question);
    connect(m_inputs, &InputsPanel::viewEdited, &m_document, &Document::setView);
    connect(m_inputs, &InputsPanel::cellHovered, &m_cursor, &CellCursor::hover);
    connect(m_inputs, &InputsPanel::cellClicked, &m_cursor, &CellCursor::lock);
    connect(m_inputs, &InputsPanel::openRequested, this, &MainWindow::askForFile);
    connect(m_inputs, &InputsPanel::refused, m_banner,
            [this](const QString& sentence) { m_banner->say(sentence, Banner::Kind::Refusal); });
}

void MainWindow::editSettings(const ScoreSettings& after, SettingsField field, const QString& text,
                              quint64 gesture)
{
    if (m_document.inputs().weights && field != SettingsField::Axis)
        m_banner->say(tr("These weights were loaded, not computed: there is nothing before them to "
                         "change."),
                      Banner::Kind::Note);
    else if (const auto fine = checked(after); !fine)
        m_banner->say(sentenceOf(fine.error()), Banner::Kind::Refusal);
    else if (after != m_document.settings())
        m_document.undoStack().push(new EditSettings(m_document, after, field, text, gesture));
    m_topBar->setSettings(m_document.settings());
    m_actions->show(m_document.settings(), m_document.view(), m_document.sizes());
}

void MainWindow::setAxis(Axis axis)
{
    ScoreSettings after = m_document.settings();
    after.axis = axis;
    editSettings(after, SettingsField::Axis,
                 tr("Softmax over %1").arg(QString::fromLatin1(names(axis).members.data())));
}

void MainWindow::setCausal(bool isOn)
{
    ScoreSettings after = m_document.settings();
    after.causal = isOn;
    editSettings(after, SettingsField::Causal, isOn ? tr("Causal mask on") : tr("Causal mask off"));
}

void MainWindow::setAlibi(bool isOn)
{
    ScoreSettings after = m_document.settings();
    after.alibi = isOn;
    editSettings(after, SettingsField::Alibi, isOn ? tr("ALiBi on") : tr("ALiBi off"));
}

void MainWindow::setTemperature(float tau, quint64 gesture)
{
    ScoreSettings after = m_document.settings();
    after.temperature = tau;
    editSettings(after, SettingsField::Temperature, tr("Attention temperature"), gesture);
}

void MainWindow::nudge(Nudged what, Index at)
{
    ViewSettings view = m_document.view();
    m_centre->keepState(); // the maps then show the difference from it
    m_document.undoStack().push(new ReplaceInputs(
        m_document, nudged(m_document.inputs(), {what, view.batch, view.head, at}), tr("Nudge")));
    view.mode = ViewSettings::Mode::Difference;
    view.reference.reset();
    m_document.setView(view);
}

void MainWindow::look(Index batchStep, Index headStep)
{
    ViewSettings view = m_document.view();
    view.batch += batchStep;
    view.head += headStep;
    m_document.setView(view);
}

void MainWindow::setMode(ViewSettings::Mode mode)
{
    ViewSettings view = m_document.view();
    view.mode = mode;
    m_document.setView(view);
}

void MainWindow::onChanged(Changes changes)
{
    if (changes & (Change::Inputs | Change::File))
        showTitle();
    if (changes & (Change::Inputs | Change::Settings | Change::View)) {
        m_topBar->setSettings(m_document.settings());
        m_actions->show(m_document.settings(), m_document.view(), m_document.sizes());
        m_actions->layers->setVisible(m_document.layers() != nullptr);
    }
    if (changes & Change::Results)
        showResults();
    else if (changes & Change::View)
        m_centre->show(m_shown, m_document.view());
    if (changes & Change::View) {
        m_why->setLeavesOutPadding(m_document.view().leavesOutPadding);
        showColors();
        showPainting();
    }
}

/// Until new results are there the old ones stay, so nothing flashes while a slider moves; those of
/// another document go at once.
void MainWindow::showResults()
{
    const auto results = m_document.results();
    if (!results) { // another file, or other sizes: nothing that is shown is true any more
        m_shown.reset();
        m_centre->show(nullptr, m_document.view());
        m_why->show(nullptr);
        showCell();
        return;
    }
    m_shown = std::make_shared<const ShownResults>(results);
    m_cursor.rest(restingCell(*m_shown), static_cast<Index>(m_shown->queries.size()),
                  static_cast<Index>(m_shown->keys.size()));
    m_centre->show(m_shown, m_document.view());
    restoreZoom();
    m_why->show(m_shown);
    showCell();
}

void MainWindow::showColors()
{
    const Stage stage = m_centre->coloredStage();
    m_actions->colors->show(m_centre->colors().of(stage), stage == Stage::Weights);
}

void MainWindow::showCell()
{
    m_inputs->point(m_cursor.cell());
    m_status->show(m_shown, m_cursor.cell());
    m_why->point(m_shown, m_cursor.cell());
}

bool MainWindow::isSettled() const
{
    return !m_recompute.isBusy() && m_shown && m_shown->results == m_document.results();
}

void MainWindow::showTitle()
{
    const QString name = QString::fromStdString(m_document.inputs().name);
    const bool isModified = !m_document.undoStack().isClean();
    setWindowTitle(name + QStringLiteral("[*] – Keyaxis"));
    setWindowFilePath(m_document.filePath());
    setWindowModified(isModified);
    m_topBar->setDocumentName(name, isModified);
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_themeChoice = choice;
    m_theme = themeOf(choice);
    m_actions->themes[static_cast<std::size_t>(choice)]->setChecked(true);
    applyTheme();
}

void MainWindow::applyTheme()
{
    QApplication::setPalette(paletteOf(m_theme));
    qApp->setStyleSheet(styleSheetOf(m_theme));
    m_actions->lessons->setTheme(m_theme);
    m_topBar->setTheme(m_theme);
    m_banner->setTheme(m_theme);
    m_centre->setTheme(m_theme);
    m_status->setTheme(m_theme);
    m_inputs->setTheme(m_theme);
    m_why->setTheme(m_theme);
    m_docks->setTheme(m_theme);
    m_overlay->setTheme(m_theme);
}

} // namespace keyaxis
