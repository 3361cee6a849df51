// Question: do copies and API calls take what was measured?
#include "simulator/timing/host/costs.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/timing/gpus.hpp"

namespace hpml::sim::timing {
namespace {

double deviation(double expected, double got) { return got / expected - 1; }

// RRZE gpu-benches cuda-memcpy, V100 PCIe 3: 64 KB 40 us, 1 MB 110 us, 16 MB 1.38 ms, the call included.
TEST(Costs, PinnedCopiesOfV100) {
  const GpuSpec spec = gpu("v100");
  const std::pair<uint64_t, double> rows[] = {{65536, 40}, {1 << 20, 110}, {16 << 20, 1380}};
  for (const auto& [bytes, us] : rows) {
    const double got = host_copy_us(spec, Direction::host_to_device, true, bytes) + spec.api.memcpy_call.base_us;
    EXPECT_LT(std::abs(deviation(us, got)), 0.15) << bytes << " B: " << got << " us";
  }
}

// nvprof on an RTX 8000, malloc host memory.
TEST(Costs, PageableCopiesOfRtx8000) {
  const GpuSpec spec = gpu("rtx8000");
  const std::pair<double, double> up[] = {{4e6, 689}, {20e6, 4036}, {40e6, 8130}, {200e6, 41238}, {400e6, 82540}};
  for (const auto& [bytes, us] : up) {
    EXPECT_LT(std::abs(deviation(us, host_copy_us(spec, Direction::host_to_device, false, uint64_t(bytes)))), 0.05)
        << bytes;
  }
  const std::pair<double, double> down[] = {{4e6, 583}, {20e6, 3946}, {40e6, 8103}, {200e6, 40750}, {400e6, 82000}};
  for (const auto& [bytes, us] : down) {
    EXPECT_LT(std::abs(deviation(us, host_copy_us(spec, Direction::device_to_host, false, uint64_t(bytes)))), 0.05)
        << bytes;
  }
}

TEST(Costs, CallsOfRtx8000) {
  const GpuSpec spec = gpu("rtx8000");
  const std::pair<double, double> malloc_rows[] = {{4e6, 115}, {20e6, 136}, {40e6, 151}, {200e6, 287}, {400e6, 448}};
  for (const auto& [bytes, us] : malloc_rows) {
    EXPECT_LT(std::abs(deviation(us, cost_us(spec.api.malloc_device, uint64_t(bytes)))), 0.06) << bytes;
  }
  EXPECT_LT(std::abs(deviation(24744, cost_us(spec.api.free_managed, 400000000))), 0.05);
  EXPECT_LT(std::abs(deviation(516, cost_us(spec.api.free_managed, 4000000))), 0.05);
}

}  // namespace
}  // namespace hpml::sim::timing
