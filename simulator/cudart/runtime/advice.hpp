#pragma once
// What a program that ends should hear about: mistakes that CUDA itself passes over in silence.
#include <string>
#include <vector>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

// Of a kernel's access outside of every allocation that a GPU lets pass (device::LaunchResult::stray_access).
std::string stray_access_warning(const std::string& access);

// One line each: a launch error nobody asked for, and kernels still running when the program ended.
std::vector<std::string> advice_at_end(Runtime& runtime);

}  // namespace hpml::sim::cudart
