#include "tests/desktop/screen_reader.h"

#include <QDBusArgument>
#include <QDBusMessage>
#include <QDBusObjectPath>
#include <QDBusVariant>

namespace keyaxis::testing {

namespace {

constexpr int kPatience = 10000; // ms
constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kBusName = "keyaxis-a11y";

QDBusConnection accessibilityBus(const QString& sessionBus)
{
    const QString name = QStringLiteral("keyaxis-session");
    QDBusConnection session = QDBusConnection::connectToBus(sessionBus, name);
    const QDBusMessage answer =
        session.call(QDBusMessage::createMethodCall(
                         QStringLiteral("org.a11y.Bus"), QStringLiteral("/org/a11y/bus"),
                         QStringLiteral("org.a11y.Bus"), QStringLiteral("GetAddress")),
                     QDBus::Block, kPatience);
    const QString address = answer.arguments().value(0).toString();
    QDBusConnection::disconnectFromBus(name);
    return QDBusConnection::connectToBus(address, QLatin1String(kBusName));
}

ScreenReader::Node nodeOf(const QDBusArgument& argument)
{
    ScreenReader::Node node;
    QDBusObjectPath path;
    argument.beginStructure();
    argument >> node.service >> path;
    argument.endStructure();
    node.path = path.path();
    return node;
}

} // namespace

ScreenReader::ScreenReader(const QString& sessionBus) : m_bus(accessibilityBus(sessionBus)) {}

ScreenReader::~ScreenReader()
{
    QDBusConnection::disconnectFromBus(QLatin1String(kBusName));
}

QVariantList ScreenReader::call(const Node& on, const char* interface, const char* method,
                                const QVariantList& arguments) const
{
    QDBusMessage message = QDBusMessage::createMethodCall(
        on.service, on.path, QLatin1String(interface), QLatin1String(method));
    message.setArguments(arguments);
    return m_bus.call(message, QDBus::Block, kPatience).arguments();
}

QVariant ScreenReader::property(const Node& of, const char* interface, const char* name) const
{
    const QVariantList answer = call(of, "org.freedesktop.DBus.Properties", "Get",
                                     {QString::fromLatin1(interface), QString::fromLatin1(name)});
    return answer.value(0).value<QDBusVariant>().variant();
}

std::vector<ScreenReader::Node> ScreenReader::programs() const
{
    return children({QStringLiteral("org.a11y.atspi.Registry"),
                     QStringLiteral("/org/a11y/atspi/accessible/root")});
}

std::vector<ScreenReader::Node> ScreenReader::children(const Node& of) const
{
    std::vector<Node> nodes;
    const QVariantList answer = call(of, kAccessible, "GetChildren");
    if (answer.isEmpty() || !answer[0].canConvert<QDBusArgument>())
        return nodes;
    const auto list = answer[0].value<QDBusArgument>();
    list.beginArray();
    while (!list.atEnd())
        nodes.push_back(nodeOf(list));
    list.endArray();
    return nodes;
}

QString ScreenReader::name(const Node& of) const
{
    return property(of, kAccessible, "Name").toString();
}

QString ScreenReader::description(const Node& of) const
{
    return property(of, kAccessible, "Description").toString();
}

QString ScreenReader::role(const Node& of) const
{
    return call(of, kAccessible, "GetRoleName").value(0).toString();
}

bool ScreenReader::has(const Node& node, State state) const
{
    const QVariantList answer = call(node, kAccessible, "GetState");
    if (answer.isEmpty() || !answer[0].canConvert<QDBusArgument>())
        return false;
    QList<uint> words;
    answer[0].value<QDBusArgument>() >> words;
    return (words.value(state / 32) >> (state % 32) & 1U) != 0;
}

QRect ScreenReader::box(const Node& of) const
{
    constexpr uint kOnScreen = 0;
    const QVariantList answer = call(of, "org.a11y.atspi.Component", "GetExtents", {kOnScreen});
    if (answer.isEmpty() || !answer[0].canConvert<QDBusArgument>())
        return {};
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    const auto extents = answer[0].value<QDBusArgument>();
    extents.beginStructure();
    extents >> x >> y >> width >> height;
    extents.endStructure();
    return {x, y, width, height};
}

bool ScreenReader::act(const Node& on) const
{
    return call(on, "org.a11y.atspi.Action", "DoAction", {0}).value(0).toBool();
}

QSize ScreenReader::tableSize(const Node& table) const
{
    return {property(table, "org.a11y.atspi.Table", "NColumns").toInt(),
            property(table, "org.a11y.atspi.Table", "NRows").toInt()};
}

ScreenReader::Node ScreenReader::cell(const Node& table, int row, int column) const
{
    const QVariantList answer =
        call(table, "org.a11y.atspi.Table", "GetAccessibleAt", {row, column});
    if (answer.isEmpty() || !answer[0].canConvert<QDBusArgument>())
        return {};
    return nodeOf(answer[0].value<QDBusArgument>());
}

ScreenReader::Node ScreenReader::find(const Node& from,
                                      const std::function<bool(const Node&)>& isWanted) const
{
    std::vector<Node> waiting{from};
    for (std::size_t n = 0; n < waiting.size(); ++n) {
        const Node node = waiting[n]; // the list grows
        if (n > 0 && isWanted(node))
            return node;
        if (role(node) == QLatin1String("table"))
            continue;
        for (const Node& child : children(node))
            if (!child.isNull())
                waiting.push_back(child);
    }
    return {};
}

ScreenReader::Node ScreenReader::find(const Node& from, const QString& wantedRole,
                                      const QString& nameBegins) const
{
    return find(from, [&](const Node& node) {
        return name(node).startsWith(nameBegins) && role(node) == wantedRole;
    });
}

} // namespace keyaxis::testing
