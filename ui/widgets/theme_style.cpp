#include "ui/widgets/theme_style.h"

#include "ui/widgets/choice_widget.h"
#include "ui/widgets/map_accessibility.h"

#include <QApplication>
#include <QStyleFactory>

namespace keyaxis {

void prepareApplication(QApplication& application)
{
    registerFonts();
    installMapAccessibility();
    installChoiceAccessibility();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setFont(uiFont(13));
}

Theme themeOf(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Light:
        return Theme::light();
    case ThemeChoice::Dark:
        return Theme::dark();
    case ThemeChoice::System:
    case ThemeChoice::HighContrast:
        break;
    }
    // Qt 6.4 has no colour scheme to ask for. Our own palette would answer for the desktop's, so it
    // is taken off first.
    QApplication::setPalette(QPalette());
    const QPalette desktop = QApplication::palette();
    const bool isDark = desktop.color(QPalette::WindowText).lightness() >
                        desktop.color(QPalette::Window).lightness();
    if (choice == ThemeChoice::HighContrast)
        return isDark ? Theme::highContrastDark() : Theme::highContrastLight();
    return isDark ? Theme::dark() : Theme::light();
}

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.panel);
    palette.setColor(QPalette::WindowText, theme.ink);
    palette.setColor(QPalette::Base, theme.panel);
    palette.setColor(QPalette::AlternateBase, theme.paper);
    palette.setColor(QPalette::Text, theme.ink);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.ink);
    palette.setColor(QPalette::BrightText, theme.invalid);
    palette.setColor(QPalette::ToolTipBase, theme.ink);
    palette.setColor(QPalette::ToolTipText, theme.panel);
    palette.setColor(QPalette::Highlight, theme.key);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.key);
    palette.setColor(QPalette::LinkVisited, theme.query);
    palette.setColor(QPalette::Light, theme.panel);
    palette.setColor(QPalette::Midlight, theme.hairline);
    palette.setColor(QPalette::Mid, theme.hairline);
    palette.setColor(QPalette::Dark, theme.muted);
    palette.setColor(QPalette::Shadow, theme.hairline);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(theme.muted, theme.panel, 0.6));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.hairline);
    return palette;
}

QString styleSheetOf(const Theme& theme)
{
    QString sheet = QStringLiteral(R"(
QMainWindow, QDialog { background: @panel; }
QMainWindow::separator { background: @hairline; width: 1px; height: 1px; }
QDockWidget { border: none; }
QLabel#muted { color: @muted; }
QScrollArea, QScrollArea > QWidget > QWidget#scrolled { background: @panel; border: none; }

QMenuBar { background: @panel; padding: 2px 8px 0 8px; }
QMenuBar::item { background: transparent; color: @ink; padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @panel; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 22px; border-radius: 4px; color: @ink; }
QMenu::item:selected { background: @hover; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QMenu::indicator { width: 12px; height: 12px; left: 5px; }
QMenu::indicator:checked { image: url(@inkCheck); }

QCheckBox { color: @ink; spacing: 8px; }
QCheckBox:disabled { color: @disabled; }
QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @muted; border-radius: 4px;
                       background: @panel; padding: 1px; }
QCheckBox::indicator:checked { background: @key; border: 1px solid @key; image: url(@keyCheck); }
QCheckBox::indicator:disabled { border: 1px solid @hairline; background: @panel; }
QCheckBox::indicator:focus { border: 2px solid @key; padding: 0; }

QPushButton { background: @panel; color: @ink; border: 1px solid @hairline; border-radius: 7px;
              padding: 6px 13px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed, QPushButton:checked { background: @hairline; }
QPushButton:focus { border: 1px solid @key; }
QPushButton#primary { background: @ink; color: @panel; border: 1px solid @ink; }
QPushButton#primary:hover { background: @pressed; }
QPushButton#primary:focus { border: 2px solid @key; padding: 5px 12px; }
QPushButton:disabled { color: @disabled; }

QToolButton { background: transparent; color: @ink; border: 1px solid transparent;
              border-radius: 6px; padding: 3px 8px; }
QToolButton:hover { background: @hover; }
QToolButton:focus { border: 1px solid @key; }
QToolButton:disabled { color: @disabled; }
QToolButton#mode { background: transparent; border: 1px solid transparent; color: @muted;
                   padding: 1px 0; }
QToolButton#mode:checked { background: @panel; border: 1px solid @hairline; color: @ink;
                           font-weight: 600; }
QToolButton#mode:focus { border: 1px solid @key; }

QToolButton#chooser { background: @panel; border: 1px solid @hairline; padding: 4px 7px; }
QToolButton#chooser:hover { background: @hover; }
QToolButton#chooser:focus { border: 1px solid @key; }
QToolButton#chip { background: @panel; border: 1px solid @hairline; border-radius: 7px;
                   padding: 5px 5px; }
QToolButton#chip:hover { background: @hover; }
QToolButton#chip:focus { border: 1px solid @key; }
QToolButton#chip::menu-indicator { image: none; width: 0; }
QToolButton#tab { color: @muted; border: none; border-radius: 0; padding: 6px 6px 5px 6px;
                  border-bottom: 2px solid transparent; }
QToolButton#tab:checked { color: @ink; font-weight: 600; border-bottom: 2px solid @ink; }
QToolButton#tab:hover { color: @ink; background: transparent; }
QToolButton#tab:focus { color: @key; }
QToolButton#tab:disabled { color: @disabled; }
QToolButton#stepperArrow { padding: 0; border-radius: 4px; }
QLabel#stepperText { font-weight: 600; }
QSpinBox#sizeB, QSpinBox#sizeH, QSpinBox#sizeG, QSpinBox#sizeTq, QSpinBox#sizeTk, QSpinBox#sizedk,
QSpinBox#sizedv { padding: 4px 2px 4px 5px; }
QToolButton#link { color: @muted; }
QToolButton#link:hover { color: @ink; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit {
    background: @panel; color: @ink; border: 1px solid @hairline; border-radius: 6px;
    padding: 4px 7px; selection-background-color: @key; selection-color: @onAccent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus {
    border: 1px solid @key; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/chevron.svg); width: 10px; height: 10px; }
QLineEdit#plainNumber { border: 1px solid transparent; padding: 3px 4px; }
QLineEdit#plainNumber:hover { border: 1px solid @hairline; }
QLineEdit#plainNumber:focus { border: 1px solid @key; }

QTabBar { background: @panel; }
QTabBar::tab { background: transparent; color: @muted; border: none; padding: 6px 10px;
               border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @ink; font-weight: 600; border-bottom: 2px solid @ink; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:focus { color: @key; border-bottom: 2px solid @key; }

QTreeView { background: @panel; color: @ink; border: 1px solid @hairline; outline: none;
            selection-background-color: @key; selection-color: @onAccent; }
QTreeView:focus { border: 1px solid @key; }
QTreeView::item { padding: 2px 0; }
QTreeView::item:focus:!selected { background: @hover; }
QTableView { background: @panel; border: none; gridline-color: transparent; outline: none; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @muted; border: none; padding: 2px 6px; }
QHeaderView::section:horizontal { padding: 2px; }
QTableView QTableCornerButton::section { background: @panel; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @handle; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QToolTip { background: @ink; color: @panel; border: none; padding: 4px 6px; }
QTextBrowser { background: @panel; color: @ink; border: none; }
)");
    const std::pair<const char*, QColor> names[] = {
        {"@panel", theme.panel},
        {"@paper", theme.paper},
        {"@hairline", theme.hairline},
        {"@ink", theme.ink},
        {"@muted", theme.muted},
        {"@key", theme.key},
        {"@onAccent", theme.onAccent},
        {"@hover", theme.paper},
        {"@pressed", mixed(theme.ink, theme.panel, 0.85)},
        {"@handle", mixed(theme.muted, theme.panel, 0.4)},
        {"@disabled", mixed(theme.muted, theme.panel, 0.6)},
    };
    const QString light = QStringLiteral(":/icons/check-light.svg");
    const QString dark = QStringLiteral(":/icons/check-dark.svg");
    sheet.replace(QLatin1String("@inkCheck"), theme.isDark ? light : dark);
    sheet.replace(QLatin1String("@keyCheck"), theme.isDark ? dark : light);
    for (const auto& [name, color] : names)
        sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

} // namespace keyaxis
