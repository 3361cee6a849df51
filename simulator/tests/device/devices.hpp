#pragma once
// Simulated GPUs for these tests, and modules loaded onto them.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/tests/device/kernels.hpp"

namespace hpml::sim::device {

inline Options options(Mode mode = Mode::automatic, const std::string& gpu = "t4", int threads = 1) {
  Options o;
  o.gpu = gpu;
  o.gpu_dir = std::string(HPML_SOURCE_DIR) + "/simulator/gpus";
  o.mode = mode;
  o.threads = threads;
  return o;
}

inline std::unique_ptr<Device> make(const Options& o = options()) {
  auto device = Device::create(o);
  EXPECT_TRUE(device.ok()) << (device.ok() ? "" : device.error().to_string());
  return std::move(device).value();
}

// body: PTX without its header.
inline KernelId load(Device& device, const std::string& body, const std::string& kernel,
                     const std::vector<CubinKernel>& cubins = {}, const std::string& target = "sm_75") {
  const auto module = device.load_module({{.ptx = ptx_header(target) + body, .name = "test.ptx"}}, cubins);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().to_string());
  return device.find_kernel(*module, kernel).value();
}

}  // namespace hpml::sim::device
