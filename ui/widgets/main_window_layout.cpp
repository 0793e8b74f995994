// How the main window is put together, and what of that is kept from one time to the next.
#include "ui/present/lesson.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/centre_view.h"
#include "ui/widgets/heatmap_view.h"
#include "ui/widgets/inputs_panel.h"
#include "ui/widgets/lesson_menu.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/side_docks.h"
#include "ui/widgets/status_strip.h"
#include "ui/widgets/table_actions.h"
#include "ui/widgets/tensor_table.h"
#include "ui/widgets/top_bar.h"
#include "ui/widgets/user_settings.h"
#include "ui/widgets/why_panel.h"
#include "ui/widgets/window_actions.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMenuBar>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QStyle>
#include <cmath>
#include <utility>

namespace keyaxis {

void MainWindow::arrange()
{
    resize(1600, 1000);
    setMinimumSize(1024, 680);

    auto* top = new QWidget(this);
    auto* rows = new QVBoxLayout(top);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* menus = new QMenuBar(top);
    menus->setNativeMenuBar(false);
    for (QWidget* row : {static_cast<QWidget*>(menus), static_cast<QWidget*>(m_topBar),
                         static_cast<QWidget*>(m_banner)})
        rows->addWidget(row);
    setMenuWidget(top);
    setCentralWidget(m_centre);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_status, 1);

    m_actions->fill(*menus, m_inputs->table().actions(), m_docks->toggleActions());
    // What is asked for is seen, also where one panel hides the other.
    for (const QAction* action : m_inputs->table().actions().findChildren<QAction*>())
        connect(action, &QAction::triggered, m_docks, &SideDocks::showInputs);
    connect(&m_centre->maps(), &HeatmapView::cellClicked, this, [this](Cell cell) {
        if (m_shown && m_shown->contains(cell) &&
            std::isnan(
                m_shown->stages(m_shown->results->settings.axis).weights(cell.row, cell.col)))
            m_docks->showWhy(); // how it came about
    });
    m_actions->addCentreKeys(*m_centre);
    m_centre->addModeActions(m_actions->modes());
    m_centre->addKeepAction(m_actions->keepState);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_docks->fit();
}

namespace {

const QString kWeightColors = QStringLiteral("colours/weights");
const QString kSignedColors = QStringLiteral("colours/signed");

/// A number of an enumeration whose last one is `last`, or `otherwise`.
template <typename Enum>
Enum readEnum(const QSettings& settings, const QString& key, Enum last, Enum otherwise)
{
    const int number = settings.value(key, static_cast<int>(otherwise)).toInt();
    return number >= 0 && number <= static_cast<int>(last) ? static_cast<Enum>(number) : otherwise;
}

void write(QSettings& settings, const QString& group, const ColorChoice& choice)
{
    settings.setValue(group + QStringLiteral("/palette"), static_cast<int>(choice.palette));
    settings.setValue(group + QStringLiteral("/reversed"), choice.isReversed);
    // A fixed range of signed values belongs to the numbers that were shown.
    const bool isOfWeights = group == kWeightColors;
    if (choice.rule != RangeRule::Fixed || isOfWeights)
        settings.setValue(group + QStringLiteral("/range"), static_cast<int>(choice.rule));
}

ColorChoice read(const QSettings& settings, const QString& group, ColorChoice choice)
{
    choice.palette =
        readEnum(settings, group + QStringLiteral("/palette"), Palette::BlueRed, choice.palette);
    choice.rule =
        readEnum(settings, group + QStringLiteral("/range"), RangeRule::Logarithmic, choice.rule);
    choice.isReversed =
        settings.value(group + QStringLiteral("/reversed"), choice.isReversed).toBool();
    return choice;
}

const QString kMode = QStringLiteral("view/mode");
const QString kStage = QStringLiteral("view/stage");
const QString kReference = QStringLiteral("view/reference");
const QString kSortsHeads = QStringLiteral("view/sortsHeads");
const QString kShowsMean = QStringLiteral("view/showsMean");
const QString kZoom = QStringLiteral("view/zoom");

void write(QSettings& settings, const ViewSettings& view)
{
    settings.setValue(kMode, static_cast<int>(view.mode));
    settings.setValue(kStage, static_cast<int>(view.stage));
    if (view.reference) // a kept state goes with the window
        settings.setValue(kReference, static_cast<int>(*view.reference));
    settings.setValue(kSortsHeads, view.sortsHeads);
    settings.setValue(kShowsMean, view.showsMean);
}

ViewSettings read(const QSettings& settings, ViewSettings view)
{
    view.mode = readEnum(settings, kMode, ViewSettings::Mode::Layers, view.mode);
    view.stage = readEnum(settings, kStage, Stage::Output, view.stage);
    view.reference = readEnum(settings, kReference, Axis::Head, Axis::Query);
    view.sortsHeads = settings.value(kSortsHeads, view.sortsHeads).toBool();
    view.showsMean = settings.value(kShowsMean, view.showsMean).toBool();
    return view;
}

/// By what a document is known again: its file or the name of its sample, and its sizes.
QVariantList identityOf(const Document& document)
{
    const Sizes sizes = document.sizes();
    return {document.filePath(), QString::fromStdString(document.inputs().name),
            qlonglong(sizes.Tq), qlonglong(sizes.Tk), qlonglong(sizes.dv)};
}

} // namespace

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) // that no editor and no list took
        m_cursor.unlock();
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::restoreLayout()
{
    const QSettings settings = userSettings();
    constexpr QSize kFrame(8, 48); // what a window manager adds
    if (!restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray()))
        resize(size().boundedTo(screen()->availableSize() - kFrame));
    m_docks->restore(settings);
    setThemeChoice(readEnum(settings, QStringLiteral("theme"), ThemeChoice::HighContrast,
                            ThemeChoice::System));
    const MapColors standard;
    MapColors colors{read(settings, kWeightColors, standard.weights),
                     read(settings, kSignedColors, standard.signedStages)};
    m_centre->setAllColors(colors);
    showColors();
    m_actions->lessons->setLanguage(
        lessonLanguage(QStringList(settings.value(QStringLiteral("lessonLanguage")).toString()) +
                       QLocale::system().uiLanguages()));
    // A desktop without animations asks for none here either.
    const bool isStill = style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    m_actions->reduceMotion->setChecked(
        settings.value(QStringLiteral("reduceMotion"), isStill).toBool());
    m_document.setView(read(settings, m_document.view()));
    m_keptZoom = settings.value(kZoom).toList();
}

/// Only the document that is there at first may be the one of the last time.
void MainWindow::restoreZoom()
{
    const QVariantList kept = std::exchange(m_keptZoom, {});
    constexpr qsizetype kEdges = 4;
    const qsizetype nIdentity = kept.size() - kEdges;
    if (nIdentity < 0 || kept.first(nIdentity) != identityOf(m_document))
        return;
    const auto edge = [&](qsizetype n) { return kept[nIdentity + n].toDouble(); };
    m_centre->maps().zoomInto({edge(0), edge(1), edge(2), edge(3)});
}

void MainWindow::keepLayout() const
{
    QSettings settings = userSettings();
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    m_docks->save(settings);
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_themeChoice));
    write(settings, kWeightColors, m_centre->colors().weights);
    write(settings, kSignedColors, m_centre->colors().signedStages);
    settings.setValue(QStringLiteral("lessonLanguage"), m_actions->lessons->language());
    settings.setValue(QStringLiteral("reduceMotion"), m_actions->reduceMotion->isChecked());
    write(settings, m_document.view());
    settings.remove(kZoom);
    if (const auto zoom = m_centre->maps().zoomedInto())
        settings.setValue(kZoom, identityOf(m_document) +
                                     QVariantList{zoom->row, zoom->col, zoom->nRows, zoom->nCols});
}

} // namespace keyaxis
