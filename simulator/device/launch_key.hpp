#pragma once
#include <string>

#include "simulator/device/api.hpp"

namespace hpml::sim::device {

// Everything that the program said of a launch, its start time left out: equal keys ask for the same.
std::string launch_key(const LaunchRequest& request);

}  // namespace hpml::sim::device
