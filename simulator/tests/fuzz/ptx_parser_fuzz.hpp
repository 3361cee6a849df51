#pragma once
// One fuzz input for the PTX parser. Shared by the libFuzzer target and by the tests that replay the seeds.
#include <string_view>

namespace hpml::sim::ptx {

// Parses the text. What is refused must say where and why; what is accepted must survive printing and parsing again.
// Ends the process (HPML_CHECK) where that does not hold.
void fuzz_one(std::string_view text);

}  // namespace hpml::sim::ptx
