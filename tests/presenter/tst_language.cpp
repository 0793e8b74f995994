// A German lesson is German all over: page, pictures, speaker's view, overlays.

#include "tests/paint/recorder.h"
#include "tests/presenter/presenting.h"
#include "ui/present/lesson_words.h"
#include "ui/presenter/numbers_panel.h"
#include "ui/presenter/presenter_keys.h"
#include "ui/presenter/speaker_window.h"

#include <QLabel>
#include <QLineEdit>
#include <QSet>

using namespace keyaxis;
using namespace keyaxis::testing;

namespace {

QSet<QString> wordsIn(const QString& text)
{
    static const QRegularExpression between(QStringLiteral("[^\\p{L}]+"));
    QSet<QString> words;
    for (const QString& word : text.toLower().split(between, Qt::SkipEmptyParts))
        if (word.size() > 1)
            words += word;
    return words;
}

/// English words that are no German ones here: those of the table's English side alone.
QSet<QString> englishWords()
{
    QSet<QString> english = wordsIn(lessonWords("en").place + lessonWords("en").revealed + ' ' +
                                    lessonWords("en").keys);
    QSet<QString> german = wordsIn(lessonWords("de").keys);
    for (auto entry = germanWords().begin(); entry != germanWords().end(); ++entry) {
        english += wordsIn(entry.key());
        german += wordsIn(entry.value());
    }
    // Terms that German has taken over, and what is a German word of another meaning.
    for (const char* term : {"logits", "in", "softmax", "scores"})
        german += term;
    return english - german;
}

/// What the translator wrote, code in it included, and the tokens, which are data in whatever
/// language.
QSet<QString> ownWordsOf(const Step& step)
{
    QSet<QString> words = wordsIn(step.title + ' ' + step.body + ' ' + step.hidden);
    if (step.question) {
        words += wordsIn(step.question->ask);
        for (const Choice& choice : step.question->choices)
            words += wordsIn(choice.text + ' ' + choice.why);
    }
    const StepState& state = step.state;
    for (const TokenNames* names : {&state.inputs.queryTokens, &state.inputs.keyTokens})
        for (const auto& example : *names)
            for (const std::string& token : example)
                words += wordsIn(QString::fromStdString(token));
    return words;
}

QString foundIn(const QString& text, const QSet<QString>& english)
{
    const QSet<QString> found = wordsIn(text) & english;
    return found.isEmpty() ? QString() : text + ": " + QStringList(found.values()).join(", ");
}

} // namespace

class TestLanguage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { registerFonts(); }
    void init() { failOnWarnings(); }

    void theListKnowsEnglishFromGerman()
    {
        const QSet<QString> english = englishWords();
        for (const char* word : {"row", "rows", "sum", "columns", "the", "undefined", "step"})
            QVERIFY2(english.contains(word), word);
        for (const char* word : {"queries", "keys", "softmax"})
            QVERIFY2(!english.contains(word), word);
    }

    void aGermanStepHasNoEnglishWord_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QSize>("size");
        for (const QString& path : shippedLessons("de"))
            for (const QSize size : {QSize(1024, 768), QSize(1600, 1000)})
                QTest::addRow("%s, %d", qPrintable(path), size.width()) << path << size;
    }
    void aGermanStepHasNoEnglishWord()
    {
        QFETCH(QString, path);
        QFETCH(QSize, size);
        const auto lesson = std::make_shared<const Lesson>(readLesson(path).value());
        QCOMPARE(lesson->language, QString("de"));
        PresenterWindow window(lesson, Theme::light());
        window.canvas().setMorphMs(0);
        window.resize(size);
        window.show();
        QVERIFY(settle(window));
        int nTexts = 0;
        const auto verify = [&](const QString& text, const QSet<QString>& english) {
            ++nTexts;
            const QString found = foundIn(text, english);
            QVERIFY2(found.isEmpty(), qPrintable(window.canvas().page().title + " – " + found));
        };
        bool isLast = false;
        while (!isLast) {
            const QSet<QString> english = englishWords() - ownWordsOf(window.run().step());
            Recorder device(size);
            QPainter painter(&device);
            paintStepPage(painter, window.canvas().page(), window.canvas().pageLayout(),
                          Theme::light());
            painter.end();
            for (const DrawnText& text : device.texts())
                verify(text.text, english);
            for (const MapFigure& map : window.canvas().page().figure.maps)
                verify(map.title + ' ' + map.gloss, english); // also where there is no room
            for (const QLabel* label : window.speaker().findChildren<QLabel*>())
                verify(label->text(), english);
            isLast = window.run().isRevealed() && !window.run().nextStep();
            QVERIFY(press(window, Qt::Key_Right));
        }
        QVERIFY(nTexts > 300);
        verify(window.speaker().windowTitle(), englishWords());
        verify(window.help().text().remove(QRegularExpression("<[^>]*>")), englishWords());
    }

    void whatIsTypedIntoIsGermanToo()
    {
        const Lesson lesson = readLesson(lessonPath("1", "de")).value();
        PresenterWindow window(std::make_shared<const Lesson>(lesson), Theme::light(), 2);
        window.show();
        QVERIFY(press(window, Qt::Key_T));
        QVERIFY(window.tally().placeholderText().startsWith(QStringLiteral("Meldungen für A, B")));
        QTest::keyClicks(&window.tally(), "1");
        QTest::keyClick(&window.tally(), Qt::Key_Return);
        QVERIFY(window.tally().placeholderText().startsWith(QStringLiteral("Eine Zahl")));
        QCOMPARE(window.numbers().accessibleName(), QString("Zahlen"));
    }

    /// Each sentence has its numbers, and each key of the help its words.
    void theTableIsWhole()
    {
        static const QRegularExpression place(QStringLiteral("%\\d"));
        const auto placesIn = [](const QString& text) {
            QStringList found;
            for (auto match = place.globalMatch(text); match.hasNext();)
                found += match.next().captured();
            found.sort();
            return found;
        };
        for (auto entry = germanWords().begin(); entry != germanWords().end(); ++entry)
            QCOMPARE(placesIn(entry.value()), placesIn(entry.key()));
        for (const KeyHelp& help : presenterKeyHelp({}))
            QVERIFY2(germanWords().contains(help.text), qPrintable(help.text));
    }

    void aSentenceKeepsItsNumbers_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        QTest::newRow("a verdict") << "3 of 6 rows sum to 1"
                                   << "3 von 6 Zeilen mit Summe 1";
        QTest::newRow("its parts") << "5 undefined, 1 sums to 3.31"
                                   << "5 undefiniert, 1 mit Summe 3.31";
        QTest::newRow("a range") << "4 undefined, 2 sum to 0.20 … 1e-05"
                                 << "4 undefiniert, 2 mit Summe 0.20 … 1e-05";
        QTest::newRow("NaN") << "The weights sum to NaN, and the output is not a point."
                             << "Die Gewichte summieren sich zu NaN, und die Ausgabe ist kein "
                                "Punkt.";
        QTest::newRow("unknown") << "2 cats, 1 dog"
                                 << "2 cats, 1 dog";
    }
    void aSentenceKeepsItsNumbers()
    {
        QFETCH(QString, english);
        QFETCH(QString, german);
        QCOMPARE(lessonWords("de").words.numbered(english), german);
        QCOMPARE(lessonWords("en").words.numbered(english), english);
    }
};

QTEST_MAIN(TestLanguage)
#include "tst_language.moc"
