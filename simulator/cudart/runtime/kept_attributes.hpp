#pragma once
// Attributes that a program has set for a stream or a kernel node and that mean nothing to this model: it may ask for
// them again.
#include <array>
#include <cstddef>
#include <map>

namespace hpml::sim::cudart {

// cudaLaunchAttributeValue by cudaLaunchAttributeID.
using KeptAttributes = std::map<int, std::array<std::byte, 64>>;

}  // namespace hpml::sim::cudart
