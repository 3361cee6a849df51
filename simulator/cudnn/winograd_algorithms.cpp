// Winograd's minimal filtering: F(m x m, r x r) takes (m + r - 1)^2 products for m^2 outputs of an r x r filter instead
// of m^2 r^2 (A. Lavin, S. Gray, "Fast algorithms for convolutional neural networks", 2015).
#include "simulator/cudnn/algorithms.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cudnn {
namespace {

using libraries::Element;

// The fused kernel transforms in registers, between loads and products: part of its issue slots go there.
constexpr double kFusedLoop = 0.8;

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }

int64_t tiles(const Problem& p, int64_t m) { return p.n() * up(p.y.dims[2], m) * up(p.y.dims[3], m); }

bool square(const Problem& p, int64_t size) { return p.rows() == size && p.columns() == size; }

bool winograd_possible(const Problem& p) { return dense(p) && unit_stride(p) && p.x.type != Element::f64; }

}  // namespace

std::optional<Plan> plan_winograd(const Problem& p, const device::Properties& chip) {
  if (!winograd_possible(p) || !square(p, 3)) {
    return std::nullopt;
  }
  constexpr int64_t kOut = 2, kPoints = 16;
  const device::Math math = libraries::math_of(p.x.type, chip.rates, false);
  device::LibraryKernel kernel = libraries::gemm_kernel(
      "winograd_3x3", {.m = p.outputs(), .n = tiles(p, kOut), .k = p.channels(), .batch = kPoints * p.conv.groups},
      p.x.type, math, chip);
  kernel.efficiency *= kFusedLoop;
  kernel.grid.z = static_cast<uint32_t>(p.conv.groups);  // a block holds all points of its tiles
  // The spectra stay in registers and shared memory: x is read and y written as they are.
  kernel.l2 = 2 * p.x.bytes() * static_cast<uint64_t>(up(p.outputs(), 64)) + p.y.bytes();
  kernel.dram_read = p.x.bytes() + p.w.bytes();
  kernel.dram_write = p.y.bytes();
  const auto filters = static_cast<uint64_t>(p.outputs() * p.channels() * p.conv.groups * kPoints * 4);
  return Plan{.kernels = {moving_kernel("winograd_generate_filters", p.w.count(), p.w.bytes(), filters), kernel},
              .workspace = filters};
}

std::optional<Plan> plan_winograd_nonfused(const Problem& p, const device::Properties& chip) {
  if (!winograd_possible(p) || !(square(p, 3) || square(p, 5))) {
    return std::nullopt;
  }
  constexpr int64_t kOut = 4;
  const int64_t side = kOut + p.rows() - 1;
  const int64_t points = side * side;
  const device::Math math = libraries::math_of(p.x.type, chip.rates, tensor_cores_allowed(p));
  const uint64_t element = libraries::size_of(p.x.type);
  const auto bytes = [&](int64_t planes, int64_t per_plane) {
    return static_cast<uint64_t>(planes * per_plane * points * p.conv.groups) * element;
  };
  const uint64_t inputs = bytes(p.channels(), tiles(p, kOut));
  const uint64_t filters = bytes(p.outputs(), p.channels());
  const uint64_t outputs = bytes(p.outputs(), tiles(p, kOut));
  device::LibraryKernel product = libraries::gemm_kernel(
      "winograd_nonfused", {.m = p.outputs(), .n = tiles(p, kOut), .k = p.channels(), .batch = points * p.conv.groups},
      p.x.type, math, chip);
  product.dram_read = inputs + filters;
  product.dram_write = outputs;
  return Plan{.kernels = {moving_kernel("winogradForwardData4x4", p.x.count(), p.x.bytes(), inputs),
                          moving_kernel("winogradForwardFilter4x4", p.w.count(), p.w.bytes(), filters), product,
                          moving_kernel("winogradForwardOutput4x4", p.y.count(), outputs, p.y.bytes())},
              .workspace = inputs + filters + outputs,
              .tensor_cores = math >= device::Math::tensor_fp16};
}

}  // namespace hpml::sim::cudnn
