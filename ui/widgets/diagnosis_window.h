#pragma once

#include "ui/document/diagnosis.h"

#include <QDialog>

namespace keyaxis {

/// A dump has been diagnosed: one sentence, and its evidence. Stops nobody.
class DiagnosisWindow : public QDialog {
    Q_OBJECT

public:
    DiagnosisWindow(const QString& file, const Diagnosis& diagnosis, QWidget* parent);

    QString text() const { return m_text; } ///< all that is said, line by line

private:
    QString m_text;
};

} // namespace keyaxis
