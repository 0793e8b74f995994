#include "ui/widgets/export_dialog.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>

namespace keyaxis {

namespace {

QSpinBox* sizeBox(int value, const QString& name, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(100, 16000);
    box->setSingleStep(100);
    box->setValue(value);
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

} // namespace

ExportDialog::ExportDialog(Figure figure, std::optional<Cell> highlight,
                           const QString& suggestedName, bool isDark, QWidget* parent)
    : QDialog(parent),
      m_figure(std::move(figure)),
      m_highlight(highlight),
      m_suggestedName(suggestedName),
      m_width(sizeBox(1600, tr("Width"), this)),
      m_height(sizeBox(1000, tr("Height"), this)),
      m_dpi(new QComboBox(this)),
      m_theme(new QComboBox(this)),
      m_settings(new QCheckBox(tr("Write the settings below the maps"), this)),
      m_outline(new QCheckBox(tr("Outline the slice that is pointed at"), this)),
      m_problem(new QLabel(this))
{
    setWindowTitle(tr("Export"));
    for (const int dpi : {96, 150, 192, 300, 600})
        m_dpi->addItem(tr("%1 dpi").arg(dpi), dpi);
    m_dpi->setAccessibleName(tr("Resolution"));
    m_dpi->setToolTip(
        tr("Of a PNG: more makes type and lines larger in the same number of pixels"));
    m_theme->addItems({tr("Light"), tr("Dark")});
    m_theme->setCurrentIndex(isDark ? 1 : 0);
    m_theme->setAccessibleName(tr("Theme"));
    m_settings->setChecked(true);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();

    auto* size = new QHBoxLayout;
    size->addWidget(m_width);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(m_height);
    size->addStretch(1);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->addRow(tr("Size"), size);
    auto* unit = new QLabel(tr("pixels for PNG, points for SVG and PDF"), this);
    unit->setObjectName(QStringLiteral("muted"));
    form->addRow(QString(), unit);
    form->addRow(tr("Resolution"), m_dpi);
    form->addRow(tr("Theme"), m_theme);
    form->addRow(QString(), m_settings);
    form->addRow(QString(), m_outline);

    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* save = new QPushButton(tr("Save as…"), this);
    save->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(16);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &ExportDialog::chooseFile);
}

QString ExportDialog::problem() const
{
    return m_problem->text();
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
    Figure figure = m_figure;
    if (!m_settings->isChecked())
        figure.settingsLine.clear();
    for (MapFigure& map : figure.maps)
        map.highlighted = m_outline->isChecked() ? m_highlight : std::nullopt;
    const Theme theme = m_theme->currentIndex() == 1 ? Theme::dark() : Theme::light();
    const ExportOptions options{QSizeF(m_width->value(), m_height->value()),
                                m_dpi->currentData().toInt()};
    const Result<void> written = exportFigure(figure, theme, options, path.toStdString());
    m_problem->setText(written ? QString() : QString::fromStdString(written.error().message));
    m_problem->setVisible(!written);
    return written.has_value();
}

} // namespace keyaxis
