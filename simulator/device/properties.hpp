#pragma once
#include "simulator/device/api.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

// What the CUDA runtime tells a program about the GPU.
Properties properties_of(const timing::GpuSpec& spec);

}  // namespace hpml::sim::device
