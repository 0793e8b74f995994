#include "ui/widgets/remembered_readings.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QVariantMap>

namespace keyaxis {

namespace {

QString keyOf(const QString& path)
{
    return QStringLiteral("readings/") + namePattern(path);
}

template <typename T>
void put(QVariantMap& map, const char* name, const std::optional<T>& value)
{
    if (value)
        map[QLatin1String(name)] = static_cast<int>(*value);
}

/// `map[name]`, if it is there and one of the first `n` values.
template <typename T>
void take(const QVariantMap& map, const char* name, std::optional<T>& value, int n)
{
    bool isNumber = false;
    const int number = map.value(QLatin1String(name)).toInt(&isNumber);
    if (isNumber && number >= 0 && number < n)
        value = static_cast<T>(number);
}

} // namespace

QString namePattern(const QString& path)
{
    static const QRegularExpression digits(QStringLiteral("[0-9]+"));
    return QFileInfo(path).fileName().replace(digits, QStringLiteral("#"));
}

void rememberReading(QSettings& settings, const QString& path, const ReadingChoices& choices)
{
    QVariantMap map;
    put(map, "layout", choices.layout);
    put(map, "maskAxes", choices.maskAxes);
    put(map, "maskKeeps", choices.maskKeeps);
    put(map, "opaqueType", choices.file.opaqueType);
    put(map, "separator", choices.file.table.separator);
    put(map, "decimalSign", choices.file.table.decimalSign);
    if (map.isEmpty())
        settings.remove(keyOf(path));
    else
        settings.setValue(keyOf(path), map);
}

std::optional<ReadingChoices> rememberedReading(const QSettings& settings, const QString& path)
{
    const QVariantMap map = settings.value(keyOf(path)).toMap();
    if (map.isEmpty())
        return std::nullopt;
    ReadingChoices choices;
    take(map, "layout", choices.layout, static_cast<int>(Layout::BTD) + 1);
    take(map, "maskAxes", choices.maskAxes, static_cast<int>(MaskAxes::BatchQueryKey) + 1);
    take(map, "maskKeeps", choices.maskKeeps, 2);
    take(map, "opaqueType", choices.file.opaqueType, static_cast<int>(ElementType::Text));
    take(map, "separator", choices.file.table.separator, 128);
    take(map, "decimalSign", choices.file.table.decimalSign, 128);
    return choices;
}

} // namespace keyaxis
