#include "ui/widgets/diagnosis_window.h"

#include "ui/paint/theme.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

namespace keyaxis {

namespace {

QLabel* lineOf(const QString& text, const QFont& font, QWidget* parent)
{
    auto* line = new QLabel(text, parent);
    line->setFont(font);
    line->setWordWrap(true);
    line->setTextFormat(Qt::PlainText);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return line;
}

/// Lines of code are told by what they are made of.
bool isCode(const QString& line)
{
    return line.contains(QLatin1String("= ")) && line.contains(QLatin1Char('('));
}

} // namespace

DiagnosisWindow::DiagnosisWindow(const QString& file, const Diagnosis& diagnosis, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Diagnosis of %1").arg(file));
    setMinimumWidth(520);
    const QString sentence = QString::fromStdString(diagnosis.sentence);
    m_text = sentence;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 22, 24, 18);
    column->setSpacing(8);
    auto* head =
        lineOf(tr("%1 · %2").arg(file, QString::fromStdString(diagnosis.tensor)), uiFont(11), this);
    head->setObjectName(QStringLiteral("muted"));
    column->addWidget(head);
    column->addWidget(lineOf(sentence, uiFont(18, QFont::DemiBold), this));
    column->addSpacing(6);
    for (const std::string& evidence : diagnosis.evidence) {
        const QString line = QString::fromStdString(evidence);
        column->addWidget(lineOf(line, isCode(line) ? codeFont(12) : uiFont(13), this));
        m_text += QLatin1Char('\n') + line;
    }
    column->addSpacing(8);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the sentence and its evidence"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_text); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setAccessibleDescription(m_text);
}

} // namespace keyaxis
