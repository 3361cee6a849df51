#pragma once
// What a program that ends should hear about: mistakes that CUDA itself passes over in silence.
#include <string>
#include <vector>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

// One line each: a launch error nobody asked for, and kernels still running when the program ended.
std::vector<std::string> advice_at_end(Runtime& runtime);

}  // namespace hpml::sim::cudart
