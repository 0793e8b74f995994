#pragma once

#include "core/io/attention_file.h"
#include "core/job_runner.h"
#include "ui/document/autosave.h"
#include "ui/document/document.h"
#include "ui/document/recompute.h"
#include "ui/document/session.h"
#include "ui/widgets/cell_cursor.h"
#include "ui/widgets/file_watch.h"
#include "ui/widgets/mask_painter.h"
#include "ui/widgets/theme_style.h"

#include <QMainWindow>
#include <QPointer>
#include <QStringList>
#include <QVariantList>
#include <functional>

namespace keyaxis {

class Banner;
class DropOverlay;
class CentreView;
class HelpWindow;
class InputsPanel;
class SideDocks;
class StatusStrip;
class TopBar;
class WhyPanel;
class WindowActions;
enum class SettingsField;
struct Reading;
struct Sample;
struct ShownResults;

/// The window and the one composition root: it makes the document, its recomputation, panels and
/// views, and turns the edits that panels report into commands. *GUI thread*
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Opens on the default sample.
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens `path`; where it is refused its sentence stands in the banner and the document stays.
    /// What it leaves open is read as the user chose for files named like it, or asked.
    bool open(const QString& path);
    bool open(const QString& path, const ReadingChoices& choices);
    static QString autosaveFolder(); ///< beside the user's settings
    /// Writes the document to `path`; where that fails its sentence stands in the banner.
    bool saveTo(const QString& path);
    /// Offers the work that a crash left behind, if there is any.
    void offerLeftover();
    bool openSample(const Sample& sample);
    void setThemeChoice(ThemeChoice choice);
    /// Brings back place, docks, theme, colours, motion and view of the last time, and what was
    /// zoomed into where the same document comes; they are kept when the window closes.
    void restoreLayout();
    /// Whether everything that was asked for is computed and shown.
    bool isSettled() const;

    Document& document() { return m_document; }
    TopBar& topBar() { return *m_topBar; }
    Banner& banner() { return *m_banner; }
    CentreView& centre() { return *m_centre; }
    InputsPanel& inputsPanel() { return *m_inputs; }
    SideDocks& docks() { return *m_docks; }
    WhyPanel& whyPanel() { return *m_why; }
    StatusStrip& statusStrip() { return *m_status; }
    WindowActions& actions() { return *m_actions; }
    CellCursor& cursor() { return m_cursor; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What the document was read of, so that it can be read again.
    struct Origin {
        QStringList files; ///< none: a sample; several: its parts
        ReadingChoices reading;
        Inputs inputs; ///< as they were read or saved
        ScoreSettings settings;
    };

    void arrange();
    void restoreZoom();
    void keepLayout() const;
    void connectActions();
    void connectPanels();
    void connectMask();
    void onChanged(Changes changes);
    void showResults();
    void showCell();
    void showColors();
    void showTitle();
    void applyTheme();
    void editSettings(const ScoreSettings& after, SettingsField field, const QString& text,
                      quint64 gesture = 0);
    void setAxis(Axis axis);
    void setCausal(bool isOn);
    void setAlibi(bool isOn);
    void setTemperature(float tau, quint64 gesture);
    void nudge(Nudged what, Index at);
    void look(Index batchStep, Index headStep);
    void setMode(ViewSettings::Mode mode);
    void showLayer(std::size_t layer);
    void adopt(AttentionFile file, const QStringList& files, const ReadingChoices& reading,
               Index head, std::shared_ptr<const Layers> layers = nullptr);
    void copyCommand(bool isFigure);
    bool openTogether(const QStringList& paths, const ReadingChoices& choices = {});
    void nameTokens(const QString& path);
    void askForMask();
    void loadMask(const QString& path, const ReadingChoices& choices = {});
    void showPainting();
    /// Offers `readings` of what is called `name`, or says `error` where there are none.
    void askForReading(const Error& error, const QString& name,
                       const std::vector<Reading>& readings,
                       const std::function<void(const ReadingChoices&)>& then,
                       const std::function<void()>& compare = {});
    void openAndRemember(const QString& path, const ReadingChoices& choices);
    void compareReadings(const QString& path, const ReadingChoices& choices);
    void readAgain();
    void diagnose(const QString& path, const AttentionFile& file,
                  std::shared_ptr<const TensorFile> content);
    void putAside();
    void question(const QString& sentence, const QStringList& answers,
                  std::function<void(int)> then);
    bool save();
    bool saveAs();
    bool mayClose();
    void showRecent();
    void reload();
    bool isAsRead() const;
    void filesChanged(const QStringList& paths);
    void askForFile();
    void askForExport();
    void askForSequence();
    void findCommand();
    void showHelp();
    void showAbout();

    Document m_document; ///< first: everything else listens to it, and goes before it
    Autosave m_autosave;
    FileWatch m_watch;
    Origin m_origin;
    bool m_isFollowing = false; ///< a file that changes on disk is read again at once
    bool m_isRereading = false; ///< what is opened now takes the place of what it was before
    Recompute m_recompute;
    CellCursor m_cursor;
    MaskPainter m_painter;
    std::shared_ptr<const ShownResults> m_shown;
    ThemeChoice m_themeChoice = ThemeChoice::System;
    Theme m_theme;
    quint64 m_temperatureGesture = 0;
    QVariantList m_keptZoom; ///< of the last time, until the first maps are shown

    WindowActions* m_actions;
    TopBar* m_topBar; // in the order of the Tab key, from here on
    Banner* m_banner;
    InputsPanel* m_inputs;
    CentreView* m_centre;
    StatusStrip* m_status;
    WhyPanel* m_why;
    SideDocks* m_docks;
    DropOverlay* m_overlay; ///< while a file hangs over the window
    QPointer<HelpWindow> m_help;
    JobRunner m_diagnosing; ///< last: joined before anything that its jobs speak to goes
};

} // namespace keyaxis
