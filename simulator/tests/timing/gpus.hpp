#pragma once
// The shipped GPU files, for tests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

inline std::string gpu_directory() { return HPML_SOURCE_DIR "/simulator/gpus"; }
inline std::string gpu_path(const std::string& key) { return gpu_directory() + "/" + key + ".toml"; }
inline std::vector<std::string> all_gpus() {
  const auto keys = list_gpus(gpu_directory());
  HPML_CHECK(keys.ok(), keys.error().to_string());
  return *keys;
}
inline GpuSpec gpu(const std::string& key) {
  const Result<GpuSpec> spec = load_gpu(gpu_path(key));
  HPML_CHECK(spec.ok(), spec.error().to_string());
  return *spec;
}
// The GPU without the time that translating an address may take: for what measures something else on fresh pages.
inline GpuSpec without_tlb(const std::string& key) {
  GpuSpec spec = gpu(key);
  spec.tlb.l1_reach_mib = 0;
  return spec;
}

}  // namespace hpml::sim::timing
