#pragma once
// What a program that ends should hear about: mistakes that CUDA itself passes over in silence.
#include <string>
#include <vector>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

// Of a kernel's access outside of every allocation that a GPU lets pass (device::LaunchResult::stray_access).
std::string stray_access_warning(const std::string& access);

// Host code has met page faults on managed memory at `now`: notes the kernel of the device that was still running then.
void note_early_access(Log& log, int ordinal, Picoseconds now);

// One line each: a launch error nobody asked for, and kernels still running when the program ended.
std::vector<std::string> advice_at_end(Runtime& runtime);

// What the host code did that crashed at `address`; empty where the address says nothing.
std::string advice_at_crash(Runtime& runtime, uint64_t address);

}  // namespace hpml::sim::cudart
