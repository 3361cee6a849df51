#pragma once
// One fuzz input for the readers of both protocols of the debugger. Shared by the libFuzzer target and by the tests.
#include <string_view>

namespace hpml::sim::debug {

// A line as a request: what is accepted must survive being written and read again. The bytes as a stream of an editor.
void fuzz_debug_protocol(std::string_view bytes);

}  // namespace hpml::sim::debug
