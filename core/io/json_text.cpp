#include "core/io/json_text.h"

#include "core/io/element_text.h"

#include <nlohmann/json.hpp>
#include <set>

namespace keyaxis {

namespace {

std::string quoted(const std::string& text)
{
    using Json = nlohmann::json;
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string element(const RawTensor& tensor, std::size_t n)
{
    if (tensor.type == ElementType::Text)
        return quoted(tensor.text[n]);
    const std::string text = elementText(tensor, n);
    if (tensor.type == ElementType::Bool)
        return text == "0" ? "false" : "true";
    return text == "nan" ? "NaN" : text == "inf" ? "Infinity" : text == "-inf" ? "-Infinity" : text;
}

/// Whether a tensor without elements has more empty lists than a file could hold: one size of 0
/// says nothing of how large the others are.
bool hasTooManyLists(const RawTensor& tensor)
{
    constexpr double kMost = 1 << 24;
    if (elementCount(tensor.shape) != 0)
        return false;
    double nLists = 1; // written for the sizes before the first 0
    for (const Index size : tensor.shape) {
        if (size == 0)
            break;
        nLists *= static_cast<double>(size);
    }
    return nLists > kMost;
}

/// Writes one tensor; a list of lists has one line for each of them.
class ListWriter {
public:
    ListWriter(const RawTensor& tensor, std::string& json) : m_tensor(tensor), m_json(json) {}

    void write(std::size_t axis = 0)
    {
        const std::vector<Index>& shape = m_tensor.shape;
        if (axis == shape.size()) {
            m_json += element(m_tensor, m_next++);
            return;
        }
        const bool isInnermost = axis + 1 == shape.size();
        const std::string separator =
            isInnermost ? ", " : ",\n" + std::string(2 + axis + 1, ' '); // under the bracket
        m_json += '[';
        for (Index n = 0; n < shape[axis]; ++n) {
            m_json += n > 0 ? separator : "";
            write(axis + 1);
        }
        m_json += ']';
    }

private:
    const RawTensor& m_tensor;
    std::string& m_json;
    std::size_t m_next = 0;
};

} // namespace

Result<std::string> writeJson(const TensorFile& file)
{
    std::string json = "{";
    std::set<std::string_view> names;
    const auto begin = [&](const std::string& name) {
        json += names.empty() ? "\n  " : ",\n  ";
        json += quoted(name) + ":";
        return names.insert(name).second;
    };
    const auto twice = [](const std::string& name) {
        return fail(Errc::BadValue, "A .json file cannot hold two members called " + name + ".");
    };
    for (const RawTensor& tensor : file.tensors) {
        if (!begin(tensor.name))
            return twice(tensor.name);
        if (hasTooManyLists(tensor))
            return fail(Errc::BadValue, tensor.name +
                                            " has no elements, but more empty lists than a "
                                            ".json file can hold: write it as .npy or .npz.");
        json += tensor.shape.size() > 1 ? "\n  " : " ";
        ListWriter(tensor, json).write();
    }
    for (const auto& [key, value] : file.metadata) {
        if (!begin(key))
            return twice(key);
        json += " " + quoted(value);
    }
    return json + "\n}\n";
}

} // namespace keyaxis
