#pragma once
#include <string>

#include "common/base/diag.hpp"

namespace hpml::sim::debug {

// Why a request cannot be answered: fronts show the message alone.
inline Diag wrong(std::string message) { return error_in("debugger", std::move(message)); }

}  // namespace hpml::sim::debug
