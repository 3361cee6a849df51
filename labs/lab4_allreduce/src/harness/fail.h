// The end of a harness that cannot go on.
#pragma once

#include <string>

namespace hpml::harness {

// Prints the sentence and ends the process with exit code 2 (bad input).
[[noreturn]] void fail(const std::string& sentence);

}  // namespace hpml::harness
