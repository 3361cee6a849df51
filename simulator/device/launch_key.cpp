#include "simulator/device/launch_key.hpp"

#include <fmt/format.h>

namespace hpml::sim::device {

std::string launch_key(const LaunchRequest& r) {
  const Dim3 c = r.cluster.value_or(Dim3{.x = 0, .y = 0, .z = 0});
  std::string key = fmt::format("{} {},{},{} {},{},{} {},{},{} {} {} ", r.kernel, r.grid.x, r.grid.y, r.grid.z,
                                r.block.x, r.block.y, r.block.z, c.x, c.y, c.z, r.dynamic_shared, r.cooperative);
  key.append(reinterpret_cast<const char*>(r.params.data()), r.params.size());
  return key;
}

}  // namespace hpml::sim::device
