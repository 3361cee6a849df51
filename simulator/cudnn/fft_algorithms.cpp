// Convolution as a product of spectra. Transforms of real L x L planes have L (L / 2 + 1) complex values; a plane costs
// 2.5 L^2 log2(L^2) flops.
#include <cmath>

#include "simulator/cudnn/algorithms.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cudnn {
namespace {

using libraries::Element;

constexpr int64_t kTile = 32;         // of the tiled algorithm
constexpr int64_t kMostPadded = 256;  // of the other one: height and width with padding
constexpr int64_t kMostFilter = 32;
constexpr double kTransformEfficiency = 0.25;  // of the arithmetic rate: exchanges through shared memory between stages
constexpr double kComplexFlops = 8;            // of a complex multiply-add

struct Spectra {
  int64_t size = 0;    // L
  int64_t pieces = 1;  // tiles per plane
  int64_t points() const { return size * (size / 2 + 1); }
};

device::LibraryKernel transform(const char* name, int64_t planes, const Spectra& s, uint64_t read, uint64_t written,
                                device::Math math) {
  device::LibraryKernel kernel = moving_kernel(name, planes * kTile * 8, read, written);
  kernel.math = math;
  kernel.flops = static_cast<double>(planes) * 2.5 * static_cast<double>(s.size * s.size) *
                 std::log2(static_cast<double>(s.size * s.size));
  kernel.efficiency = kTransformEfficiency;
  return kernel;
}

Plan plan(const Problem& p, const Spectra& s, const device::Properties& chip, const char* const (&names)[4]) {
  const bool wide = p.x.type == Element::f64;
  const device::Math math = wide ? device::Math::fp64 : device::Math::fp32;
  const uint64_t complex_bytes = wide ? 16 : 8;
  const int64_t in_planes = p.n() * p.channels() * p.conv.groups * s.pieces;
  const int64_t filters = p.outputs() * p.channels() * p.conv.groups;
  const int64_t out_planes = p.n() * p.outputs() * p.conv.groups * s.pieces;
  const auto bytes = [&](int64_t planes) { return static_cast<uint64_t>(planes * s.points()) * complex_bytes; };
  // For each point of the spectrum a product of a K x C and a C x (N tiles) matrix of complex numbers.
  device::LibraryKernel product = libraries::gemm_kernel(
      names[2], {.m = p.outputs(), .n = p.n() * s.pieces, .k = p.channels(), .batch = s.points() * p.conv.groups},
      wide ? Element::f64 : Element::f32, math, chip);
  product.flops *= kComplexFlops / 2;
  product.l2 *= 2;
  product.dram_read = bytes(in_planes) + bytes(filters);
  product.dram_write = bytes(out_planes);
  return {.kernels = {transform(names[0], in_planes, s, p.x.bytes(), bytes(in_planes), math),
                      transform(names[1], filters, s, p.w.bytes(), bytes(filters), math), product,
                      transform(names[3], out_planes, s, bytes(out_planes), p.y.bytes(), math)},
          .workspace = bytes(in_planes) + bytes(filters) + bytes(out_planes)};
}

bool possible(const Problem& p) {
  return dense(p) && unit_stride(p) && p.conv.pad_h < p.rows() && p.conv.pad_w < p.columns();
}

}  // namespace

std::optional<Plan> plan_fft(const Problem& p, const device::Properties& chip) {
  const int64_t height = p.x.dims[2] + 2 * p.conv.pad_h;
  const int64_t width = p.x.dims[3] + 2 * p.conv.pad_w;
  const bool small = height <= kMostPadded && width <= kMostPadded;
  if (!possible(p) || !small || p.x.type == Element::f64) {
    return std::nullopt;
  }
  Spectra s{.size = 16};
  while (s.size < std::max(height, width)) {
    s.size *= 2;
  }
  return plan(p, s, chip, {"fft2d_r2c", "fft2d_r2c_filter", "fft2d_pointwise", "fft2d_c2r"});
}

std::optional<Plan> plan_fft_tiling(const Problem& p, const device::Properties& chip) {
  const bool one_dimensional = p.rows() == 1 || p.columns() == 1;
  if (!possible(p) || p.rows() > kMostFilter || p.columns() > kMostFilter ||
      (p.x.type == Element::f64 && !one_dimensional)) {
    return std::nullopt;
  }
  const auto tiles = [](int64_t size, int64_t filter) {
    const int64_t useful = kTile - filter + 1;
    return (size + useful - 1) / useful;
  };
  const Spectra s{.size = kTile, .pieces = tiles(p.y.dims[2], p.rows()) * tiles(p.y.dims[3], p.columns())};
  return plan(p, s, chip, {"fft2d_r2c_32x32", "flip_filter_32x32", "tiled_pointwise", "fft2d_c2r_32x32"});
}

}  // namespace hpml::sim::cudnn
