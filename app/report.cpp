#include "app/report.h"

#include "core/settings_line.h"

#include <iomanip>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

namespace keyaxis {

namespace {

std::string shapeOf(const std::string& name, const SharedTensor& tensor)
{
    const Shape& shape = tensor->shape();
    return name + ' ' + shapeText({shape.batch, shape.heads, shape.rows, shape.cols});
}

/// Whether `path` is what standard output goes to.
bool isStandardOutput(const std::filesystem::path& path)
{
    struct stat named {};
    struct stat open {};
    return ::stat(path.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &open) == 0 &&
           named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

} // namespace

void printSettings(const AttentionFile& attention, const std::filesystem::path& output,
                   const std::string& where)
{
    std::ostream& out = isStandardOutput(output) ? std::cerr : std::cout;
    const Inputs& inputs = attention.inputs;
    out << settingsLine(inputs, attention.settings) << where << "\nread as "
        << layoutName(attention.layout) << ": ";
    if (inputs.given())
        out << shapeOf(inputs.weights ? "weights" : "scores", inputs.given());
    else
        out << shapeOf("q", inputs.q) << ", " << shapeOf("k", inputs.k);
    if (inputs.v)
        out << ", " << shapeOf("v", inputs.v);
    out << std::endl; // flushed: it is read while the computation runs
    printNotes(attention.notes);
}

void printNotes(const std::vector<std::string>& notes)
{
    for (const std::string& note : notes)
        std::cerr << "keyaxis: note: " << note << '\n';
}

void printVerdict(Axis axis, const Verdict& verdict)
{
    std::cout << std::left << std::setw(6) << names(axis).name << (verdict.valid ? "✓ " : "✗ ")
              << verdict.pill << ". " << verdict.sentence << std::endl;
}

void printError(const std::string& sentence)
{
    std::cerr << "keyaxis: " << sentence << '\n';
}

} // namespace keyaxis
