#pragma once
#include "simulator/device/api.hpp"
#include "simulator/exec/grid.hpp"

namespace hpml::sim::device {

// The executor's fault in the words of the device interface.
Trap to_device_trap(const exec::Trap& trap);

}  // namespace hpml::sim::device
