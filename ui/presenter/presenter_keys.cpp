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

std::vector<KeyHelp> presenterKeyHelp(const Words& words)
{
    return {{words("→ Page ↓ Space"), words("reveal, then the next step")},
            {words("← Page ↑"), words("hide again, then the step before")},
            {words("Home End"), words("the first step, the last step")},
            {words("A B C D"), words("answer")},
            {words("T"), words("type in a show of hands")},
            {words("1 2 3 4"), words("softmax over queries, keys, batch, heads")},
            {words("M  L"), words("causal mask, ALiBi")},
            {words("+  −"), words("attention τ twice, half as large")},
            {words("E"), words("edit the numbers")},
            {words("Ctrl+Z"), words("take the last edit back")},
            {words("R"), words("reset the step")},
            {words("Z"), words("zoom at the pointer")},
            {words("S  O  P  X"), words("spotlight, pointer, pen, wipe")},
            {words("N  F"), words("notes, freeze what the class sees")},
            {words(".  F5"), words("blank, back")},
            {words("Esc"), words("close what is open, then leave")}};
}

} // namespace keyaxis
