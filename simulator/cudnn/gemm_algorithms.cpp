// Convolution as a matrix product: filters (K x CRS) times patches of the input (CRS x NPQ).
#include "simulator/cudnn/algorithms.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cudnn {
namespace {

using libraries::GemmShape;

// With the offsets computed before, addressing is a load. Assumed: 5 % of the loop.
constexpr double kPrecomputed = 0.95;

GemmShape shape_of(const Problem& p) {
  return {.m = p.outputs(), .n = p.positions(), .k = p.channels() * p.rows() * p.columns(), .batch = p.conv.groups};
}

device::Math math_of(const Problem& p, const device::Properties& chip, bool tensor_cores) {
  return libraries::math_of(p.x.type, chip.rates, tensor_cores && tensor_cores_allowed(p));
}

// The product itself; patches come straight from x, so that each row of blocks reads x once, a little more where
// patches of neighbouring tiles overlap.
device::LibraryKernel implicit(const char* name, const Problem& p, device::Math math, double loop,
                               const device::Properties& chip) {
  device::LibraryKernel kernel = libraries::gemm_kernel(name, shape_of(p), p.x.type, math, chip);
  kernel.efficiency *= p.x.type == libraries::Element::f64 ? 1.0 : loop;
  kernel.dram_read = p.x.bytes() + p.w.bytes();
  kernel.dram_write = p.y.bytes();
  return kernel;
}

bool uses_tensor_cores(device::Math math) { return math >= device::Math::tensor_fp16; }

}  // namespace

std::optional<Plan> plan_implicit_gemm(const Problem& p, const device::Properties& chip) {
  const device::Math math = math_of(p, chip, false);
  return Plan{.kernels = {implicit("implicit_convolve", p, math, kAddressing, chip)}};
}

std::optional<Plan> plan_implicit_precomp_gemm(const Problem& p, const device::Properties& chip) {
  const device::Math math = math_of(p, chip, true);
  const GemmShape shape = shape_of(p);
  // One 4-byte offset and one mask per element of a patch, for each of the 128 positions of a tile.
  const auto offsets = static_cast<uint64_t>(shape.k * 128 * 8);
  return Plan{.kernels = {moving_kernel("computeOffsetsKernel", shape.k * 128, 0, offsets),
                          implicit("precomputed_convolve", p, math, kPrecomputed, chip)},
              .workspace = offsets,
              .tensor_cores = uses_tensor_cores(math)};
}

std::optional<Plan> plan_gemm(const Problem& p, const device::Properties& chip) {
  if (!dense(p)) {
    return std::nullopt;
  }
  const GemmShape shape = shape_of(p);
  const device::Math math = math_of(p, chip, false);
  const auto patches = static_cast<uint64_t>(shape.k * shape.n * shape.batch) * libraries::size_of(p.x.type);
  device::LibraryKernel product = libraries::gemm_kernel("explicit_convolve", shape, p.x.type, math, chip);
  product.dram_read = patches + p.w.bytes();
  product.dram_write = p.y.bytes();
  return Plan{
      .kernels = {moving_kernel("im2col4d_kernel", shape.k * shape.n * shape.batch, p.x.bytes(), patches), product},
      .workspace = patches};
}

}  // namespace hpml::sim::cudnn
