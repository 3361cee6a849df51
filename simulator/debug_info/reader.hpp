#pragma once
// Reads the debug information of one PTX text, with elfutils' libdw.
#include <string>
#include <string_view>

#include "common/base/result.hpp"
#include "simulator/debug_info/symbols.hpp"

namespace hpml::sim::debug_info {

// Without debug sections: no functions, no error. Error: sections that are malformed.
Result<Symbols> read_symbols(std::string_view ptx, const std::string& name);

}  // namespace hpml::sim::debug_info

// For a program that loads this room's library only when it needs it. `out` may hold part of them after an error, which
// is the result; empty: none.
extern "C" __attribute__((visibility("default"))) void hpml_read_symbols(std::string_view ptx, const std::string& name,
                                                                         hpml::sim::debug_info::Symbols& out,
                                                                         std::string& error);
