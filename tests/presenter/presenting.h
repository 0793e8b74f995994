#pragma once

#include "ui/presenter/presenter_window.h"

#include <QRegularExpression>
#include <QTest>

namespace keyaxis::testing {

/// Five steps: a map, a prediction, a flip with a state before it and a value plane, numbers by
/// hand, words alone.
inline std::shared_ptr<const Lesson> shortLesson()
{
    const QString text = QStringLiteral(R"(# Short
---
## A map
```toml
sentence = "the cat sat on the mat"
seed = 1
sizes = {examples = 2, heads = 2}
causal = true
highlight = [2, 0]
```
Note: Say **one** thing.
---
## Which axis?
```question
[[choice]]
text = "Query axis"
right_if = "valid_rows axis=query == queries"
[[choice]]
text = "Key axis"
right_if = "valid_rows axis=key == queries"
```
Reveal: so it is
Note: Count hands.
---
## The flip
```toml
axis = "query"
plane = 5
[before]
axis = "key"
```
---
## By hand
```toml
logits = [["ln 1", "ln 3"], [0, 0]]
tokens = ["a", "b"]
```
---
## Words alone
```toml
view = "none"
```
)");
    return std::make_shared<const Lesson>(parseLesson(text, "short.md").value());
}

/// A warning of Qt fails a test; what the offscreen platform says about itself is not one of ours.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
}

/// Waits until everything is computed and shown.
inline bool settle(PresenterWindow& window)
{
    return QTest::qWaitFor([&] { return window.isSettled(); });
}

/// A real press and release of `key`, and what follows from it.
inline bool press(PresenterWindow& window, Qt::Key key,
                  Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::keyClick(&window, key, modifiers);
    return settle(window);
}

} // namespace keyaxis::testing
