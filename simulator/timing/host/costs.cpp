#include "simulator/timing/host/costs.hpp"

#include <algorithm>

namespace hpml::sim::timing {

namespace {

double transfer_us(double bytes, double gbs) { return bytes / (gbs * 1e3); }

}  // namespace

double host_copy_us(const GpuSpec& spec, Direction direction, bool pinned, uint64_t bytes) {
  const HostLink& link = spec.host_link;
  const bool up = direction == Direction::host_to_device;
  const double total = static_cast<double>(bytes);
  if (pinned) {
    return link.pinned_fixed_us + transfer_us(total, up ? link.pinned_h2d_gbs : link.pinned_d2h_gbs);
  }
  // Staged by the driver: the first megabytes are still in the host's caches and go faster.
  const double small = std::min(total, link.pageable_small_mb * 1e6);
  return link.pageable_fixed_us + transfer_us(small, up ? link.pageable_small_h2d_gbs : link.pageable_small_d2h_gbs) +
         transfer_us(total - small, up ? link.pageable_h2d_gbs : link.pageable_d2h_gbs);
}

double device_copy_us(const GpuSpec& spec, uint64_t bytes) {
  const double total = static_cast<double>(bytes);
  return spec.api.kernel_fixed_us + transfer_us(2 * total, spec.dram.peak_gbs * spec.dram.mixed_efficiency);
}

double memset_us(const GpuSpec& spec, uint64_t bytes) {
  return spec.api.kernel_fixed_us +
         transfer_us(static_cast<double>(bytes), spec.dram.peak_gbs * spec.dram.write_efficiency);
}

double host_to_host_us(const GpuSpec& spec, uint64_t bytes) {
  // A pageable copy is bound by the CPU's copy into the staging buffer: the same rate without the link's set-up.
  return transfer_us(static_cast<double>(bytes), spec.host_link.pageable_small_h2d_gbs);
}

}  // namespace hpml::sim::timing
