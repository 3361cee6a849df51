#include "simulator/device/launch_key.hpp"

#include <fmt/format.h>

namespace hpml::sim::device {

std::string launch_key(const LaunchRequest& r) {
  std::string key = fmt::format("{} {},{},{} {},{},{} {} {} ", r.kernel, r.grid.x, r.grid.y, r.grid.z, r.block.x,
                                r.block.y, r.block.z, r.dynamic_shared, r.cooperative);
  key.append(reinterpret_cast<const char*>(r.params.data()), r.params.size());
  return key;
}

}  // namespace hpml::sim::device
