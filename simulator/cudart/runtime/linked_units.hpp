#pragma once
// Translation units of a program that use each other's device code, where no device linker has joined them: clang
// embeds the PTX of each unit apart. nvcc's are joined already (-rdc=true).
#include <vector>

#include "simulator/cudart/runtime/registry.hpp"

namespace hpml::sim::cudart {

// `unit`, and every unit that declares what another one of them defines; in the order of registration.
std::vector<RegisteredFatbin*> units_linked_with(const Registry& registry, RegisteredFatbin& unit);

}  // namespace hpml::sim::cudart
