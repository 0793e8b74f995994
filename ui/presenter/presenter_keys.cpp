#include "ui/presenter/presenter_keys.h"

#include <QKeyEvent>
#include <QMap>
#include <QObject>

namespace keyaxis {

namespace {

using Action = PresenterAction;

/// Keys without modifiers. Clickers send PageDown, PageUp, `.`, F5 and Esc.
const QMap<int, Action>& plainKeys()
{
    static const QMap<int, Action> keys{
        {Qt::Key_Right, Action::Next},    {Qt::Key_Down, Action::Next},
        {Qt::Key_PageDown, Action::Next}, {Qt::Key_Space, Action::Next},
        {Qt::Key_Return, Action::Next},   {Qt::Key_Enter, Action::Next},
        {Qt::Key_Left, Action::Back},     {Qt::Key_Up, Action::Back},
        {Qt::Key_PageUp, Action::Back},   {Qt::Key_Backspace, Action::Back},
        {Qt::Key_Home, Action::First},    {Qt::Key_End, Action::Last},
        {Qt::Key_M, Action::Mask},        {Qt::Key_L, Action::Alibi},
        {Qt::Key_Plus, Action::Hotter},   {Qt::Key_Minus, Action::Colder},
        {Qt::Key_Period, Action::Blank},  {Qt::Key_F5, Action::Wake},
        {Qt::Key_Escape, Action::Leave},  {Qt::Key_R, Action::Reset},
        {Qt::Key_T, Action::Tally},       {Qt::Key_E, Action::Edit},
        {Qt::Key_N, Action::Notes},       {Qt::Key_F, Action::Freeze},
        {Qt::Key_Z, Action::Zoom},        {Qt::Key_S, Action::Spotlight},
        {Qt::Key_O, Action::Pointer},     {Qt::Key_P, Action::Pen},
        {Qt::Key_X, Action::Wipe},        {Qt::Key_Question, Action::Help},
        {Qt::Key_F1, Action::Help},
    };
    return keys;
}

} // namespace

std::optional<PresenterKey> presenterKey(const QKeyEvent& event, std::size_t nChoices)
{
    if (event.isAutoRepeat())
        return std::nullopt;
    const int key = event.key();
    if (event.matches(QKeySequence::Undo))
        return PresenterKey{Action::Undo};
    if (event.matches(QKeySequence::Redo))
        return PresenterKey{Action::Redo};
    if ((event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0)
        return std::nullopt;
    if (key >= Qt::Key_A && key < Qt::Key_A + static_cast<int>(nChoices))
        return PresenterKey{Action::Answer, static_cast<char>('A' + (key - Qt::Key_A))};
    if (key >= Qt::Key_1 && key <= Qt::Key_4)
        return PresenterKey{Action::Axis, 0, kAllAxes[static_cast<std::size_t>(key - Qt::Key_1)]};
    if (key == Qt::Key_Space && event.modifiers().testFlag(Qt::ShiftModifier))
        return PresenterKey{Action::Back};
    const auto found = plainKeys().find(key);
    return found == plainKeys().end() ? std::nullopt : std::optional(PresenterKey{*found});
}

std::vector<KeyHelp> presenterKeyHelp()
{
    return {{QObject::tr("→ Page ↓ Space"), QObject::tr("reveal, then the next step")},
            {QObject::tr("← Page ↑"), QObject::tr("hide again, then the step before")},
            {QObject::tr("Home End"), QObject::tr("the first step, the last step")},
            {QObject::tr("A B C D"), QObject::tr("answer")},
            {QObject::tr("T"), QObject::tr("type in a show of hands")},
            {QObject::tr("1 2 3 4"), QObject::tr("softmax over queries, keys, batch, heads")},
            {QObject::tr("M  L"), QObject::tr("causal mask, ALiBi")},
            {QObject::tr("+  −"), QObject::tr("attention τ twice, half as large")},
            {QObject::tr("E"), QObject::tr("edit the numbers")},
            {QObject::tr("Ctrl+Z"), QObject::tr("take the last edit back")},
            {QObject::tr("R"), QObject::tr("reset the step")},
            {QObject::tr("Z"), QObject::tr("zoom at the pointer")},
            {QObject::tr("S  O  P  X"), QObject::tr("spotlight, pointer, pen, wipe")},
            {QObject::tr("N  F"), QObject::tr("notes, freeze what the class sees")},
            {QObject::tr(".  F5"), QObject::tr("blank, back")},
            {QObject::tr("Esc"), QObject::tr("close what is open, then leave")}};
}

} // namespace keyaxis
