#pragma once
// Launch attributes: of kernel launches, of graph nodes, of streams.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

union LaunchAttributeValue {  // cudaLaunchAttributeValue
  int flag;
  unsigned cluster[3];
  char bytes[64];
};
static_assert(sizeof(LaunchAttributeValue) == 64);

struct LaunchAttribute {  // cudaLaunchAttribute
  int id;
  char pad[4];
  LaunchAttributeValue value;
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {  // cudaLaunchConfig_t
  Dim3 grid, block;
  size_t shared;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned count;
};
static_assert(sizeof(LaunchConfig) == 56);

inline constexpr int kAttributeCooperative = 2, kAttributeClusterDimension = 4, kAttributePriority = 8;

// Hints are accepted, and so is what changes nothing here; the rest is refused by name. `call`: for the message.
Error check_attribute(const char* call, int id);

// Nothing: all zero.
std::optional<Dim3> cluster_of(const LaunchAttributeValue& value);

struct MeaningfulAttributes {
  bool cooperative = false;
  std::optional<Dim3> cluster;
};
Error read_attributes(const char* call, const LaunchConfig& config, MeaningfulAttributes& meant);

}  // namespace hpml::sim::cudart
