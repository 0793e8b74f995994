#include "app/syntax.h"

#include "ui/present/lesson.h"

#include <QFileInfo>

#include "core/io/tensor_file.h"

namespace keyaxis {

namespace {

constexpr int kColumns = 80;
constexpr int kTextColumn = 26; ///< where the explanation of an option begins

/// `text` in lines of at most `width`, broken at blanks, each further line indented.
QString wrapped(const QString& text, int indent)
{
    QString result;
    qsizetype column = indent;
    for (const QString& word : text.split(' ')) {
        if (column > indent && column + 1 + word.size() > kColumns) {
            result += '\n' + QString(indent, ' ');
            column = indent;
        } else if (column > indent) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result;
}

QString optionLine(const OptionHelp& option)
{
    QString line = "  " + option.names.join(", ");
    if (!option.value.isEmpty())
        line += ' ' + option.value;
    if (line.size() + 2 > kTextColumn)
        line += '\n' + QString(kTextColumn, ' ');
    else
        line = line.leftJustified(kTextColumn);
    return line + wrapped(option.text, kTextColumn) + '\n';
}

OptionGroup generalOptions()
{
    return {"General",
            {{{"-h", "--help"}, "", "this text"}, {{"--version"}, "", "the version of Keyaxis"}}};
}

/// What a file of tensors may leave open.
OptionGroup fileOptions()
{
    return {
        "What a file leaves open",
        {{{"--opaque"},
          "TYPE",
          "what bytes without a type in .npy and .npz are, as NumPy saves them: bfloat16, "
          "float8_e4m3 or float8_e5m2"},
         {{"--separator"},
          "NAME",
          "between the cells of a table: comma, semicolon, tab or blank (default: told by the "
          "text)"},
         {{"--decimal"}, "dot|comma", "the decimal sign of a table (default: told by the text)"}}};
}

OptionHelp tensorOutput()
{
    return {{"-o", "--output"},
            "OUT",
            "the file; its ending is the format: " + QString::fromStdString(writableEndings())};
}

OptionHelp layerOption()
{
    return {{"--layer"},
            "NAME|N",
            "which of several layers in FILE: layers.3, or 3, for layers.3.q and the others; of a "
            "stack of five axes its number, from 0"};
}

OptionGroup readingOptions()
{
    return {
        "What is read",
        {{{"--q"}, "NAME|FILE", "the queries: a tensor in FILE, or another file (default: q)"},
         {{"--k"}, "NAME|FILE", "the keys (default: k)"},
         {{"--v"}, "NAME|FILE", "the values (default: v); only the output needs them"},
         {{"--scores"},
          "NAME|FILE",
          "scores in place of q and k (default: scores, logits, or the only tensor)"},
         {{"--weights"},
          "NAME|FILE",
          "weights in place of q and k: nothing is computed (default: weights, or the only tensor "
          "if its numbers sum to 1)"},
         {{"--mask"}, "NAME|FILE", "which keys a query may use: 1 or true keeps a key"},
         {{"--mask-axes"},
          "qk|bk|hqk|bqk",
          "what the axes of a mask or a bias are where several fit: batch, head, query, key"},
         {{"--mask-keeps"}, "1|0", "the value of a mask that keeps a key (default: 1)"},
         {{"--bias"}, "NAME|FILE", "added to the scaled scores; -inf masks"},
         layerOption(),
         {{"--layout"},
          "ORDER",
          "the order of the axes: bhtd (default for four axes) or bthd; htd or btd for three"}}};
}

OptionGroup computingOptions()
{
    return {
        "What is computed",
        {{{"--axis"}, "AXIS", "the axis of the softmax: key (default), query, batch or head"},
         {{"--causal"}, "", "a query uses no later key"},
         {{"--no-causal"}, "", "every key is allowed, whatever the file says"},
         {{"--align"},
          "start|end",
          "where the causal diagonal lies if queries and keys differ in number: from the first key "
          "(default, as in PyTorch), or up to the last"},
         {{"--alibi"}, "", "add ALiBi's bias, minus slope times distance"},
         {{"--no-alibi"}, "", "no ALiBi, whatever the file says"},
         {{"--slopes"},
          "RULE",
          "ALiBi's slopes: authors (default), or geometric for any head count"},
         {{"--temperature"}, "X", "divides the scores (default: 1); 0 is the arg-max limit"},
         {{"--scale"}, "X|none", "multiplies the scores (default: 1 / sqrt of the width of q)"},
         {{"--empty"}, "nan|zero", "what a slice without an allowed key becomes (default: nan)"}}};
}

OptionGroup computeOutput()
{
    return {"What is written",
            {{{"--stage"},
              "STAGE",
              "scores, logits, weights (default), output, or all and the row sums"},
             {{"--tensor"}, "NAME", "only this one of them, such as row_sums"},
             tensorOutput()}};
}

OptionGroup renderOutput()
{
    return {
        "What is drawn",
        {{{"--figure"},
          "FIGURE",
          "map (default), compare (the four axes), strip (every stage), heads (every example and "
          "head), layers (one head of every layer), difference (of two axes), or plane (the value "
          "plane of one query)"},
         {{"--stage"},
          "STAGE",
          "of the map: scores, scaled, biased, tempered, logits, weights (default) or output"},
         {{"--batch"}, "N", "which example, from 0"},
         {{"--head"}, "N", "which head, from 0"},
         {{"--query"}, "N", "whose value plane, from 0 (default: the middle query)"},
         {{"--against"},
          "AXIS",
          "of a difference: the axis whose weights are taken off those of --axis (default: query, "
          "or key where that is --axis)"},
         {{"--queries"},
          "FIRST-LAST",
          "the maps cut down to these queries, from 0; sums stay whole"},
         {{"--keys"}, "FIRST-LAST", "the maps cut down to these keys"},
         {{"--sort-heads"}, "", "of all heads: first those whose queries use few keys (entropy)"},
         {{"--mean-head"}, "", "of all heads: before them their mean"},
         {{"--leave-out-padding"},
          "",
          "queries that the mask hides as keys from everyone count in no verdict"},
         {{"--palette"},
          "NAME",
          "viridis (default), cividis, magma, greys or blue-red (default where numbers may be "
          "negative)"},
         {{"--range"},
          "LOW:HIGH|auto|symmetric|log",
          "the ends of the colour bar (default: 0:1, symmetric where numbers may be negative)"},
         {{"--reversed"}, "", "the colours from the other end"},
         {{"--ignore-first-key"},
          "",
          "key 0 does not count for the range, which is auto unless told"},
         {{"--sweep"},
          "temperature=LOW:HIGH:N",
          "a sequence of N pictures, the temperature in equal factors from LOW to HIGH"},
         {{"--flip"}, "AXIS", "a sequence: the map turns from --axis to this axis"},
         {{"--size"}, "WxH", "pixels for .png, .gif, points (1/72 inch) for .svg and .pdf"},
         {{"--dpi"}, "N", "of a .png: how large text and lines are drawn (default: 96)"},
         {{"--theme"}, "light|dark", "the colours (default: light)"},
         {{"--with-session"},
          "",
          "the figure carries its data: whoever has it can open it with Keyaxis"},
         {{"-o", "--output"},
          "OUT",
          "the file; its ending is the format: .png, .svg, .pdf, or .html for an interactive page; "
          "of a sequence .gif, or .png for OUT-01.png and so on"}}};
}

/// "1-along-which-axis, 2-…"
QString shippedNames()
{
    QStringList names;
    for (const QString& path : shippedLessons())
        names += QFileInfo(path).completeBaseName();
    return names.join(", ");
}

QString exitCodes()
{
    return "Exit codes: 0 done, 2 wrong usage, 3 input that cannot be used, 4 the output cannot be "
           "written, 130 cancelled.";
}

} // namespace

QString Syntax::help() const
{
    QString result = "Usage: " + usage + "\n\n" + wrapped(summary, 0) + '\n';
    for (const OptionGroup& group : groups) {
        result += '\n' + group.title + '\n';
        for (const OptionHelp& option : group.options)
            result += optionLine(option);
    }
    return result + '\n' + wrapped(closing, 0) + '\n';
}

Syntax windowSyntax()
{
    return {
        "keyaxis [FILE]",
        "Shows how attention works and why the softmax runs over the key axis. Without FILE the "
        "window opens a sample. Subcommands work without a window:",
        {{"Subcommands",
          {{{"compute"}, "", "attention of FILE, written as arrays"},
           {{"convert"}, "", "FILE in another format, every tensor and value kept"},
           {{"render"}, "", "a figure of FILE: PNG, SVG, PDF, GIF or a web page"},
           {{"check"}, "", "is this attention? along which axes does a tensor sum to 1?"},
           {{"present"}, "", "a lesson, full screen or as a hand-out"}}},
         generalOptions()},
        "keyaxis SUBCOMMAND --help has the options of a subcommand."};
}

Syntax computeSyntax()
{
    return {
        "keyaxis compute FILE -o OUT [options]",
        "Computes attention for every example and head of FILE. What FILE itself says (causal, "
        "alibi, scale, layout) is the default; an option overrides it.",
        {readingOptions(), fileOptions(), computingOptions(), computeOutput(), generalOptions()},
        exitCodes()};
}

Syntax convertSyntax()
{
    return {"keyaxis convert FILE -o OUT [options]",
            "Writes the tensors of FILE in another format. FILE is .npz, .npy, .safetensors, JSON, "
            "a table (commas, semicolons, tabs or blanks) or the print of an array, told by its "
            "content. More than two axes become lines of indices and a value in .csv.",
            {{"What is written",
              {{{"--tensor"}, "NAME", "only this tensor; .npy and .csv hold one"}, tensorOutput()}},
             fileOptions(),
             generalOptions()},
            exitCodes()};
}

Syntax renderSyntax()
{
    return {"keyaxis render FILE -o OUT [options]",
            "Draws one example and head of FILE, without a display. What FILE itself says (causal, "
            "alibi, scale, layout) is the default; an option overrides it.",
            {readingOptions(), fileOptions(), computingOptions(), renderOutput(), generalOptions()},
            exitCodes()};
}

Syntax checkSyntax()
{
    return {
        "keyaxis check FILE... [options]",
        "Tells along which axes a tensor of weights sums to 1, and what else is conspicuous. FILE "
        "is "
        "one of tensors, or - for standard input. Without --expect it is enough that some set of "
        "axes holds. Where FILE holds q and k as well, its weights, or without weights its output, "
        "are explained from them.",
        {{"What is read",
          {{{"--tensor"},
            "NAME",
            "the tensor in FILE (default: weights, an output beside q, k and v, or the only one)"},
           layerOption(),
           {{"--dims"},
            "LETTERS",
            "what its axes are, in order: some of b (batch), h (head), q (query), k (key); "
            "default: "
            "as many of bhqk as there are axes, from the right"}}},
         fileOptions(),
         {"What must hold",
          {{{"--expect"}, "AXES", "key, query, head or batch, or several as in head+key"},
           {{"--causal"}, "", "no query sees a later key"},
           {{"--align"}, "start|end", "where the causal diagonal lies (default: either)"},
           {{"--tolerance"},
            "X",
            "how far a sum may be from 1 (default: that of the narrowest type that holds every "
            "value: bfloat16 2e-2, float16 2e-3, float32 1e-5, float64 1e-9)"}}},
         {"What is printed",
          {{{"--json"}, "", "the findings as JSON, an array for several files"}}},
         generalOptions()},
        "Exit codes: 0 it holds, 1 it does not hold, 2 wrong usage, 3 input that cannot be used, 4 "
        "standard output cannot be written."};
}

Syntax presentSyntax()
{
    return {
        "keyaxis present LESSON [options]",
        "Shows a lesson full screen, or writes it as a hand-out, without a display. LESSON is a "
        "Markdown file, or the number or name of one that ships: " +
            shippedNames() + ".",
        {{"The lesson",
          {{{"--language"},
            lessonLanguages().join('|'),
            "of a lesson that ships; English where it is not translated (default: yours)"}}},
         {"The presenter",
          {{{"--theme"}, "light|dark", "the colours (default: as the desktop is)"}}},
         {"The hand-out",
          {{{"-o", "--output"},
            "OUT",
            "the file: .pdf, one step a page; .txt, the questions with their answers for a "
            "learning platform (Aiken format)"},
           {{"--answers"}, "", "questions answered, blank cells filled in"},
           {{"--notes"}, "", "the speaker's notes below each step"},
           {{"--per-page"}, "N", "1 (default), 2 or 4 steps on a page"}}},
         generalOptions()},
        exitCodes()};
}

} // namespace keyaxis
