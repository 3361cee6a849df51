#pragma once
// The T4 as its file describes it: the GPU of these tests.
#include <gtest/gtest.h>

#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

inline timing::GpuSpec load(const std::string& gpu) {
  auto spec = timing::load_gpu(std::string(HPML_SOURCE_DIR) + "/simulator/gpus/" + gpu + ".toml");
  EXPECT_TRUE(spec.ok()) << (spec.ok() ? "" : spec.error().to_string());
  return std::move(spec).value();
}
inline timing::GpuSpec t4() { return load("t4"); }

}  // namespace hpml::sim::device
