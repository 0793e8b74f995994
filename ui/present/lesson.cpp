#include "ui/present/lesson.h"

#include "ui/present/quantity.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringDecoder>

namespace keyaxis {

namespace {

constexpr QLatin1String kShipped(":/lessons");
constexpr QLatin1String kOriginal("en");
constexpr qint64 kLargestLesson = 1 << 20;

/// Lines of the file from `first` on.
struct Section {
    QStringList lines;
    int first = 1;
};

bool isFence(const QString& line)
{
    return line.trimmed().startsWith(QLatin1String("```"));
}

/// Lines between lines `---`; inside a fence such a line is text.
std::vector<Section> sectionsOf(const QString& text)
{
    std::vector<Section> sections(1);
    bool isFenced = false;
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        isFenced = isFence(line) != isFenced;
        if (!isFenced && line.trimmed() == QLatin1String("---"))
            sections.push_back({{}, number + 1});
        else
            sections.back().lines += line;
    }
    return sections;
}

/// A text and the line that it begins in.
struct Part {
    QString text;
    int line = 0;

    void add(const QString& more, int number)
    {
        if (line == 0)
            line = number;
        text += more + '\n';
    }
};

/// A step taken apart, nothing understood yet.
struct StepParts {
    Part title, body, hidden, notes;
    std::optional<Part> settings, question; ///< line: of the opening fence
};

/// Takes a section apart line by line.
class StepReader {
public:
    StepReader(const Section& section, const QString& file) : m_section(section), m_file(file) {}

    Result<StepParts> read()
    {
        m_target = &m_parts.body;
        for (m_at = 0; m_at < m_section.lines.size(); ++m_at)
            if (const auto done = readLine(m_section.lines[m_at]); !done)
                return tl::unexpected(done.error());
        if (m_parts.title.text.isEmpty())
            return failAt(place(m_section.first),
                          QStringLiteral("expected the step's title, \"## …\"."));
        return m_parts;
    }

private:
    int number() const { return m_section.first + static_cast<int>(m_at); }
    LessonPlace place(int line) const { return {m_file, line}; }

    Result<void> readLine(const QString& line)
    {
        if (isFence(line))
            return readFence(line.trimmed().mid(3).trimmed());
        if (m_parts.title.text.isEmpty())
            return readTitle(line);
        if (line.startsWith(QLatin1String("# ")) || line.startsWith(QLatin1String("## ")))
            return failAt(place(number()), QStringLiteral("a second title; expected --- before "
                                                          "the next step."));
        if (const auto word = partNamed(line); !word.isEmpty())
            return openPart(word, line.mid(word.size() + 1).trimmed());
        m_target->add(line, number());
        return {};
    }

    Result<void> readTitle(const QString& line)
    {
        if (line.trimmed().isEmpty())
            return {};
        if (!line.startsWith(QLatin1String("## ")) || line.mid(3).trimmed().isEmpty())
            return failAt(place(number()), QStringLiteral("expected the step's title, \"## …\"."));
        m_parts.title = {line.mid(3).trimmed(), number()};
        return {};
    }

    static QString partNamed(const QString& line)
    {
        for (const char* word : {"Reveal", "Note"})
            if (line.startsWith(QLatin1String(word) + ':'))
                return QString::fromLatin1(word);
        return {};
    }

    Result<void> openPart(const QString& word, const QString& rest)
    {
        Part& part = word == QLatin1String("Note") ? m_parts.notes : m_parts.hidden;
        if (part.line != 0)
            return failAt(place(number()),
                          QStringLiteral("a second %1: in this step; expected one.").arg(word));
        m_target = &part;
        m_target->add(rest, number());
        return {};
    }

    /// A block of settings, a question, or text in a typewriter face.
    Result<void> readFence(const QString& kind)
    {
        const int opening = number();
        Part block;
        block.line = opening;
        for (++m_at; m_at < m_section.lines.size() && !isFence(m_section.lines[m_at]); ++m_at)
            block.text += m_section.lines[m_at] + '\n';
        if (m_at == m_section.lines.size())
            return failAt(place(opening), QStringLiteral("this block has no end; expected ```."));
        const bool isSettings = kind == QLatin1String("toml");
        if (isSettings || kind == QLatin1String("question")) {
            std::optional<Part>& target = isSettings ? m_parts.settings : m_parts.question;
            if (target)
                return failAt(place(opening),
                              QStringLiteral("a second %1 block in this step; expected one.")
                                  .arg(isSettings ? QStringLiteral("settings") : kind));
            target = block;
            if (m_target->line != 0) // an empty line for each, so that the lines still count
                m_target->text += QString(m_section.first + m_at + 1 - opening, '\n');
            return {};
        }
        if (!kind.isEmpty() && kind != QLatin1String("text") && kind != QLatin1String("python"))
            return failAt(place(opening), QStringLiteral("a block of kind %1; expected toml, "
                                                         "question, python or text.")
                                              .arg(kind));
        m_target->add("```\n" + block.text + "```", opening);
        return {};
    }

    const Section& m_section;
    const QString& m_file;
    StepParts m_parts;
    Part* m_target = nullptr;
    qsizetype m_at = 0;
};

/// Understands a step; `previous` is what it changes.
Result<Step> readStep(const StepParts& parts, const QString& file, const StepState& previous)
{
    Step step;
    step.title = parts.title.text;
    step.line = parts.title.line;
    step.state = previous;
    step.state.blanks.clear();
    if (parts.settings) {
        auto change =
            readStepSettings(parts.settings->text, {file, parts.settings->line}, previous);
        if (!change)
            return tl::unexpected(change.error());
        step.state = std::move(change->state);
        step.before = std::move(change->before);
    }
    for (const auto& [part, target] :
         {std::pair{&parts.body, &step.body}, std::pair{&parts.hidden, &step.hidden},
          std::pair{&parts.notes, &step.notes}}) {
        const auto text = filledIn(part->text, step.state, {file, part->line});
        if (!text)
            return tl::unexpected(text.error());
        *target = text->trimmed();
    }
    if (parts.question) {
        auto question =
            readQuestion(parts.question->text, {file, parts.question->line}, step.state);
        if (!question)
            return tl::unexpected(question.error());
        step.question = std::move(*question);
    }
    return step;
}

/// "# Title", then what the lesson is about.
Result<Lesson> readHead(const Section& section, const QString& file)
{
    Lesson lesson;
    int number = section.first - 1;
    for (const QString& line : section.lines) {
        ++number;
        if (lesson.title.isEmpty() && !line.trimmed().isEmpty()) {
            if (!line.startsWith(QLatin1String("# ")) || line.mid(2).trimmed().isEmpty())
                return failAt({file, number},
                              QStringLiteral("expected the lesson's title, \"# …\"."));
            lesson.title = line.mid(2).trimmed();
        } else {
            lesson.summary += line + '\n';
        }
    }
    lesson.summary = lesson.summary.trimmed();
    if (lesson.title.isEmpty())
        return failAt({file, section.first},
                      QStringLiteral("expected the lesson's title, \"# …\"."));
    return lesson;
}

} // namespace

StepState Step::shownState(bool isRevealed) const
{
    if (isRevealed)
        return state;
    if (before)
        return *before;
    StepState shown = state;
    if (question && !question->showsMap && state.blanks.empty())
        shown.picture = StepState::Picture::None;
    return shown;
}

Result<Lesson> parseLesson(const QString& text, const QString& fileName)
{
    QString lines = text;
    lines.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    const std::vector<Section> sections = sectionsOf(lines);
    auto lesson = readHead(sections.front(), fileName);
    if (!lesson)
        return lesson;
    StepState state;
    for (std::size_t n = 1; n < sections.size(); ++n) {
        const auto parts = StepReader(sections[n], fileName).read();
        if (!parts)
            return tl::unexpected(parts.error());
        auto step = readStep(*parts, fileName, state);
        if (!step)
            return tl::unexpected(step.error());
        state = step->state;
        lesson->steps.push_back(std::move(*step));
    }
    if (lesson->steps.empty())
        return failAt({fileName, static_cast<int>(lines.count('\n')) + 1},
                      QStringLiteral("the lesson has no steps; expected --- and \"## …\"."));
    return lesson;
}

Result<Lesson> readLesson(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Errc::BadInput,
                    (path + " cannot be read: " + file.errorString() + '.').toStdString());
    if (file.size() > kLargestLesson)
        return fail(Errc::BadInput,
                    (path + " is larger than 1 MiB; that is no lesson.").toStdString());
    QStringDecoder decode(QStringDecoder::Utf8);
    const QString text = decode(file.readAll());
    if (decode.hasError())
        return fail(Errc::BadInput, (path + " is not UTF-8 text.").toStdString());
    auto lesson = parseLesson(text, name);
    // A translation is in a folder that is named by its language.
    const QString folder = QFileInfo(path).dir().dirName();
    if (lesson && lessonLanguages().contains(folder))
        lesson->language = folder;
    return lesson;
}

QString lessonTitle(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString line = QString::fromUtf8(file.readLine(1000)).trimmed();
    return line.startsWith(QLatin1String("# ")) ? line.mid(2) : QString();
}

QStringList lessonLanguages()
{
    return QStringList(QString(kOriginal)) +
           QDir(kShipped).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

QString lessonLanguage(const QStringList& preferred)
{
    const QStringList languages = lessonLanguages();
    for (const QString& tag : preferred)
        if (const QString language = tag.section('-', 0, 0); languages.contains(language))
            return language;
    return kOriginal;
}

QStringList shippedLessons(const QString& language)
{
    QStringList paths;
    const QDir folder(kShipped);
    for (const QString& name :
         folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        const QString translated = folder.filePath(language + QLatin1Char('/') + name);
        paths += QFile::exists(translated) ? translated : folder.filePath(name);
    }
    return paths;
}

QString lessonPath(const QString& name, const QString& language)
{
    for (const QString& path : shippedLessons(language)) {
        const QString base = QFileInfo(path).completeBaseName(); // "1-along-which-axis"
        if (name == base || name == base.section('-', 0, 0) || name == base.section('-', 1))
            return path;
    }
    return name;
}

} // namespace keyaxis
