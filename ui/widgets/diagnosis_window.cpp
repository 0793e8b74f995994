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
    const auto say = [&](const std::string& text, const QFont& font) {
        const QString line = QString::fromStdString(text);
        column->addWidget(lineOf(line, font, this));
        m_text += QLatin1Char('\n') + line;
    };
    for (const std::string& evidence : diagnosis.evidence)
        say(evidence, uiFont(13));
    if (!diagnosis.code.empty())
        column->addWidget(lineOf(tr("Right would be:"), uiFont(13, QFont::DemiBold), this));
    for (const std::string& code : diagnosis.code)
        say(code, codeFont(13));
    column->addStretch(1);
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
