#pragma once

#include <QDBusConnection>
#include <QRect>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace keyaxis::testing {

/// What assistive technology sees of the programs on a display: AT-SPI, over D-Bus.
class ScreenReader {
public:
    /// One thing in the tree.
    struct Node {
        QString service;
        QString path;
        bool isNull() const { return path.isEmpty() || path.endsWith(QLatin1String("/null")); }
        bool operator==(const Node&) const = default;
    };
    enum State { Checked = 4, Focusable = 11, Focused = 12, Showing = 25 };

    /// Connects to the bus of accessibility that the session's bus names.
    explicit ScreenReader(const QString& sessionBus);
    ~ScreenReader();

    bool isConnected() const { return m_bus.isConnected(); }
    /// The programs on the display.
    std::vector<Node> programs() const;
    std::vector<Node> children(const Node& of) const;
    QString name(const Node& of) const;
    QString description(const Node& of) const;
    QString role(const Node& of) const; ///< "table", "push button"
    bool has(const Node& node, State state) const;
    QRect box(const Node& of) const; ///< on the screen
    /// Does the first thing that can be done with it: presses, toggles.
    bool act(const Node& on) const;

    QSize tableSize(const Node& table) const; ///< columns × rows
    Node cell(const Node& table, int row, int column) const;

    /// The first thing below `from` for which `isWanted` holds; what is in tables is not looked at.
    Node find(const Node& from, const std::function<bool(const Node&)>& isWanted) const;
    Node find(const Node& from, const QString& role, const QString& nameBegins) const;

private:
    QVariantList call(const Node& on, const char* interface, const char* method,
                      const QVariantList& arguments = {}) const;
    QVariant property(const Node& of, const char* interface, const char* name) const;

    QDBusConnection m_bus;
};

} // namespace keyaxis::testing
