#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace keyaxis {

/// What a caller does about an error; each code is here because somebody acts differently on it.
enum class Errc {
    BadValue,  ///< a setting or an argument is out of its domain (exit code 2)
    Ambiguous, ///< the user must choose between readings; the window asks (exit code 2)
    BadInput,  ///< a file or a tensor cannot be used (exit code 3)
    BadOutput, ///< a file could not be written (exit code 4)
    Cancelled, ///< a newer request replaced this one; never shown (exit code 130)
};

/// A code for the program and one sentence for the person: what is wrong, where, what would fix it.
struct Error {
    Errc code;
    std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return fail(Errc::BadInput, "q has 3 axes, 4 are needed");`
inline tl::unexpected<Error> fail(Errc code, std::string message)
{
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace keyaxis
