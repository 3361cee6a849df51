#pragma once
// Debug information by way of its own library, which is loaded when the first kernel is debugged.
#include "simulator/debug/launch.hpp"

namespace hpml::sim::debug {

// `library`: path of libgpusim_debug_info.so.
ReadSymbols symbols_by(const std::string& library);

}  // namespace hpml::sim::debug
