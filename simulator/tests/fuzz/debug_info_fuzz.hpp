#pragma once
// One fuzz input for the reader of debug information. Shared by the libFuzzer target and by the tests.
#include <string_view>

namespace hpml::sim::debug_info {

// Reads the PTX text's debug sections. Types and places must hang together: a type names only types that are there.
void fuzz_debug_info(std::string_view text);

}  // namespace hpml::sim::debug_info
