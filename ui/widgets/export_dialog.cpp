#include "ui/widgets/export_dialog.h"

#include "ui/paint/figure_text.h"
#include "ui/widgets/export_preview.h"
#include "ui/widgets/number_ranges.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardPaths>

namespace keyaxis {

namespace {

constexpr double kPointsAMillimetre = 72 / 25.4;
constexpr double kColumnScale = 0.64; ///< type of 11 units becomes one of 7 points, as journals ask
constexpr double kSlideScale = 1.4;   ///< readable from the back of a room

QDoubleSpinBox* sizeBox(const QString& name, QWidget* parent)
{
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(10, 60000);
    box->setDecimals(0);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAccessibleName(name);
    return box;
}

/// `path` with the ending of the chosen filter where the user typed none.
QString withEnding(const QString& path, const QString& filter)
{
    if (!QFileInfo(path).suffix().isEmpty())
        return path;
    for (const char* ending : {".svg", ".pdf"})
        if (filter.contains(QLatin1String(ending)))
            return path + QLatin1String(ending);
    return path + QStringLiteral(".png");
}

/// Height of a page for each width that suits the figure.
double shapeOf(const Figure& figure)
{
    if (figure.isSequence)
        return 0.2;
    return figure.maps.size() > 1 ? 0.66 : 0.82;
}

} // namespace

ExportDialog::ExportDialog(Figure figure, std::optional<Cell> highlight,
                           const QString& suggestedName, bool isDark, QWidget* parent)
    : QDialog(parent),
      m_figure(std::move(figure)),
      m_highlight(highlight),
      m_suggestedName(suggestedName),
      m_preview(new ExportPreview(this)),
      m_page(new QComboBox(this)),
      m_width(sizeBox(tr("Width"), this)),
      m_height(sizeBox(tr("Height"), this)),
      m_dpi(new QComboBox(this)),
      m_theme(new QComboBox(this)),
      m_maps(new QLineEdit(this)),
      m_settings(new QCheckBox(tr("&Settings below the maps"), this)),
      m_colorBar(new QCheckBox(tr("&Colour bar"), this)),
      m_outline(new QCheckBox(tr("&Outline the slice that is pointed at"), this)),
      m_window(new QCheckBox(tr("Only the &part that is zoomed into"), this)),
      m_paths(new QCheckBox(tr("&Text as outlines (SVG, PDF)"), this)),
      m_session(new QCheckBox(tr("&Data inside: whoever has the file can open it"), this)),
      m_problem(new QLabel(this))
{
    setWindowTitle(tr("Export"));
    build();
    resize(940, 600);
    m_theme->setCurrentIndex(isDark ? 1 : 0);
    setPage(Page::Screen);
}

void ExportDialog::build()
{
    auto* right = new QVBoxLayout;
    right->setSpacing(16);
    right->addWidget(buildFields());
    right->addStretch(1);
    right->addWidget(m_problem);
    auto* halves = new QHBoxLayout;
    halves->setSpacing(20);
    halves->addWidget(m_preview, 1);
    halves->addLayout(right);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(16);
    column->addLayout(halves, 1);
    column->addWidget(buildButtons());
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();

    connect(m_page, &QComboBox::currentIndexChanged, this, &ExportDialog::onPageChosen);
    for (QDoubleSpinBox* box : {m_width, m_height})
        connect(box, &QDoubleSpinBox::valueChanged, this, &ExportDialog::showPreview);
    for (QComboBox* box : {m_dpi, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::showPreview);
    for (QCheckBox* box : {m_settings, m_colorBar, m_outline, m_window, m_paths})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::showPreview);
    connect(m_maps, &QLineEdit::textChanged, this, &ExportDialog::showPreview);
}

QWidget* ExportDialog::buildFields()
{
    m_page->addItems({tr("As on the screen"), tr("Single column, 85 mm"),
                      tr("Double column, 180 mm"), tr("Slide, 16 : 9"), tr("Own size in pixels"),
                      tr("Own size in mm")});
    m_page->setAccessibleName(tr("Page"));
    for (const int dpi : {96, 150, 192, 300, 600})
        m_dpi->addItem(tr("%1 dpi").arg(dpi), dpi);
    m_dpi->setAccessibleName(tr("Resolution"));
    m_dpi->setToolTip(tr("Of a PNG. A size in mm becomes so many pixels; in a size in pixels type "
                         "and lines become larger"));
    m_theme->addItems({tr("Light"), tr("Dark"), tr("Transparent, for light paper"),
                       tr("Transparent, for dark paper")});
    m_theme->setAccessibleName(tr("Theme"));
    m_maps->setPlaceholderText(tr("all, or 1-4, 7"));
    m_maps->setAccessibleName(tr("Which maps"));
    m_settings->setChecked(true);
    m_colorBar->setChecked(true);
    m_window->setChecked(m_figure.window.has_value());
    m_window->setVisible(m_figure.window.has_value());
    m_outline->setEnabled(!m_figure.maps.empty() && m_figure.maps.front().hasSlices());

    auto* fields = new QWidget(this);
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    auto* size = new QHBoxLayout;
    size->addWidget(m_width, 1);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(m_height, 1);
    form->addRow(tr("Page"), m_page);
    form->addRow(tr("Size"), size);
    form->addRow(tr("Resolution"), m_dpi);
    form->addRow(tr("Theme"), m_theme);
    const bool hasTiles = m_figure.sharesColorBar && !m_figure.isSequence;
    m_maps->setVisible(hasTiles);
    if (hasTiles)
        form->addRow(tr("Maps"), m_maps);
    m_session->setToolTip(tr("The document itself goes into the figure. Keyaxis opens it again"));
    m_session->hide(); // until there is one
    for (QCheckBox* box : {m_settings, m_colorBar, m_outline, m_window, m_paths, m_session})
        form->addRow(QString(), box);
    return fields;
}

QWidget* ExportDialog::buildButtons()
{
    auto* buttons = new QWidget(this);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& text, const QString& tip, auto slot) {
        auto* button = new QPushButton(text, buttons);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        row->addWidget(button);
        return button;
    };
    add(tr("Copy &image"), tr("The picture, for another program"), &ExportDialog::copyImage);
    add(tr("Copy ta&ble"), tr("The numbers, for a spreadsheet"), &ExportDialog::copyTable);
    add(tr("Copy captio&n"), tr("What is shown, for a paper"), &ExportDialog::copyCaption);
    row->addStretch(1);
    add(tr("Cancel"), tr("Write nothing"), &QDialog::reject);
    add(tr("Save &as…"), tr("Choose a file: PNG, SVG or PDF"), &ExportDialog::chooseFile)
        ->setDefault(true);
    return buttons;
}

void ExportDialog::offerSession(std::function<Result<std::vector<std::byte>>()> session)
{
    m_makeSession = std::move(session);
    m_session->show();
}

QString ExportDialog::problem() const
{
    return m_problem->text();
}

void ExportDialog::say(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

void ExportDialog::setPage(Page page)
{
    m_page->setCurrentIndex(static_cast<int>(page));
    onPageChosen();
}

bool ExportDialog::isInMillimetres() const
{
    const auto page = static_cast<Page>(m_page->currentIndex());
    return page == Page::SingleColumn || page == Page::DoubleColumn || page == Page::OwnMillimetres;
}

void ExportDialog::onPageChosen()
{
    const auto page = static_cast<Page>(m_page->currentIndex());
    const double shape = shapeOf(m_figure);
    const QString unit = isInMillimetres() ? tr(" mm") : tr(" px");
    const double width = page == Page::SingleColumn   ? 85
                         : page == Page::DoubleColumn ? 180
                         : page == Page::Slide        ? 1920
                         : page == Page::Screen       ? 1600
                                                      : m_width->value();
    const bool isOwn = page == Page::OwnPixels || page == Page::OwnMillimetres;
    const double height = isOwn                 ? m_height->value()
                          : page == Page::Slide ? 1080
                                                : std::round(width * shape);
    for (QDoubleSpinBox* box : {m_width, m_height}) {
        const QSignalBlocker quiet(box);
        box->setSuffix(unit);
        box->setSingleStep(isInMillimetres() ? 5 : 100);
        box->setEnabled(isOwn || (box == m_height && page != Page::Slide));
        box->setValue(box == m_width ? width : height);
    }
    if (isInMillimetres() && m_dpi->currentIndex() == 0)
        m_dpi->setCurrentIndex(m_dpi->findData(300));
    showPreview();
}

ExportOptions ExportDialog::options(const QString& ending) const
{
    ExportOptions options;
    options.dpi = m_dpi->currentData().toInt();
    options.size = QSizeF(m_width->value(), m_height->value());
    options.isTransparent = m_theme->currentIndex() >= 2;
    options.textAsPaths = m_paths->isChecked();
    const bool isPng = ending == QLatin1String(".png");
    if (isInMillimetres()) {
        options.size *= isPng ? options.dpi / 25.4 : kPointsAMillimetre;
        options.scale = isPng ? kColumnScale * 96 / 72 : kColumnScale;
    } else if (static_cast<Page>(m_page->currentIndex()) == Page::Slide) {
        options.scale = kSlideScale;
    }
    return options;
}

Theme ExportDialog::theme() const
{
    return m_theme->currentIndex() % 2 == 1 ? Theme::dark() : Theme::light();
}

Figure ExportDialog::chosenFigure() const
{
    Figure figure = m_figure;
    if (!m_settings->isChecked())
        figure.settingsLine.clear();
    figure.hasColorBars = m_colorBar->isChecked();
    figure.hasCards = m_theme->currentIndex() < 2;
    if (!m_window->isChecked())
        figure.window.reset();
    for (MapFigure& map : figure.maps)
        map.highlighted = m_outline->isChecked() ? m_highlight : std::nullopt;
    const auto wanted = numbersIn(m_maps->text(), static_cast<Index>(figure.maps.size()));
    if (wanted && !wanted->empty()) {
        std::vector<MapFigure> maps;
        for (const Index n : *wanted)
            maps.push_back(figure.maps[static_cast<std::size_t>(n - 1)]);
        figure.maps = std::move(maps);
    }
    return figure;
}

void ExportDialog::showPreview()
{
    m_preview->show(chosenFigure(), theme(), options(QStringLiteral(".png")));
    const auto fits = checkPage(options(QStringLiteral(".png")), QStringLiteral(".png"));
    const bool isListRead = numbersIn(m_maps->text(), std::ssize(m_figure.maps)).has_value();
    say(!fits         ? QString::fromStdString(fits.error().message)
        : !isListRead ? tr("Maps are numbered 1 to %1: write 1-4, 7.").arg(m_figure.maps.size())
                      : QString());
}

void ExportDialog::chooseFile()
{
    QString filter;
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), QDir(folder).filePath(m_suggestedName + QStringLiteral(".png")),
        tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"), &filter);
    if (!path.isEmpty() && writeTo(withEnding(path, filter)))
        accept();
}

bool ExportDialog::writeTo(const QString& path)
{
    const QString ending = QLatin1Char('.') + QFileInfo(path).suffix().toLower();
    ExportOptions page = options(ending);
    if (m_session->isChecked()) {
        auto session = m_makeSession();
        if (!session) {
            say(QString::fromStdString(session.error().message));
            return false;
        }
        page.session = std::move(*session);
    }
    const Result<void> written = exportFigure(chosenFigure(), theme(), page, path.toStdString());
    say(written ? QString() : QString::fromStdString(written.error().message));
    return written.has_value();
}

void ExportDialog::copyImage()
{
    const ExportOptions page = options(QStringLiteral(".png"));
    if (const auto fits = checkPage(page, QStringLiteral(".png")); !fits) {
        say(QString::fromStdString(fits.error().message));
        return;
    }
    QApplication::clipboard()->setImage(
        pictureImage(pictureOf(chosenFigure(), theme()), theme(), page));
}

void ExportDialog::copyTable()
{
    QStringList tables;
    for (const MapFigure& map : chosenFigure().maps)
        tables +=
            (m_figure.maps.size() > 1 ? map.title + QLatin1Char('\n') : QString()) + tableOf(map);
    QApplication::clipboard()->setText(tables.join(QLatin1Char('\n')));
}

void ExportDialog::copyCaption()
{
    Figure figure = chosenFigure();
    figure.settingsLine = m_figure.settingsLine;
    QApplication::clipboard()->setText(captionOf(figure));
}

} // namespace keyaxis
