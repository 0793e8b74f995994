#include "app/report.h"

#include <iomanip>
#include <iostream>

namespace keyaxis {

namespace {

std::string shapeOf(const std::string& name, const SharedTensor& tensor)
{
    const Shape& shape = tensor->shape();
    return name + ' ' + shapeText({shape.batch, shape.heads, shape.rows, shape.cols});
}

} // namespace

void printSettings(const AttentionFile& attention, const std::string& where)
{
    const Inputs& inputs = attention.inputs;
    std::cout << settingsLine(attention.settings, sizesOf(inputs).dk, inputs.mask != nullptr,
                              inputs.bias != nullptr)
              << where << "\nread as " << layoutName(attention.layout) << ": "
              << shapeOf("q", inputs.q) << ", " << shapeOf("k", inputs.k);
    if (inputs.v)
        std::cout << ", " << shapeOf("v", inputs.v);
    std::cout << std::endl; // flushed: it is read while the computation runs

    for (const std::string& note : attention.notes)
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
