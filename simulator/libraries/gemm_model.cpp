#include "simulator/libraries/gemm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hpml::sim::libraries {

using device::Math;

namespace {

// A wide tile reads each element of A and B fewer times: 2 m n / (m + n) flops per element read from shared memory. The
// efficiencies are those of register-blocked kernels with such tiles (S. Boehm, "How to optimize a CUDA matmul kernel",
// 2022: 64 x 64 about 68 %, 128 x 128 about 84-94 % of cuBLAS; cuBLAS itself about 90 % of the peak).
constexpr GemmTile kTiles[] = {{128, 128, 8, 0.85}, {64, 128, 8, 0.78}, {128, 64, 8, 0.78},
                               {64, 64, 8, 0.68},   {32, 128, 8, 0.62}, {32, 32, 8, 0.45}};
constexpr int64_t kTensorDepth = 16;   // k of a tensor-core tile
constexpr double kTensorShare = 0.75;  // of the above: copies and address arithmetic stay behind the faster units
constexpr int kThreads = 256;
// Chips with a few FP64 units for all of a multiprocessor (1:32): their libraries' FP64 kernels do not keep even those
// busy. Tesla T4, 64 filters of 3 x 3 x 3 on 1024 x 1024: 44.0 ms where full use takes 16.9 ms (lab3 specification,
// section 10).
constexpr double kScarceFp64 = 0.41;
constexpr double kScarceRatio = 8;

double rate(const device::Rates& rates, Math math) {
  switch (math) {
    case Math::fp16: return rates.fp16_gflops;
    case Math::fp32: return rates.fp32_gflops;
    case Math::fp64: return rates.fp64_gflops;
    case Math::tensor_fp16: return rates.tensor_fp16_gflops;
    case Math::tensor_tf32: return rates.tensor_tf32_gflops;
    case Math::tensor_fp64: break;
  }
  return rates.tensor_fp64_gflops;
}

bool is_tensor(Math math) { return math >= Math::tensor_fp16; }

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

double padded(const GemmShape& s, const GemmTile& t) {
  return static_cast<double>(up(s.m, t.m)) * static_cast<double>(up(s.n, t.n)) * static_cast<double>(up(s.k, t.k));
}

GemmTile fitted(GemmTile tile, Math math, const device::Rates& rates) {
  if (is_tensor(math) && math != Math::tensor_fp64) {
    tile.k = kTensorDepth;
    tile.efficiency *= kTensorShare;
  }
  if (math == Math::fp64 && rates.fp32_gflops > kScarceRatio * rates.fp64_gflops) {
    tile.efficiency *= kScarceFp64 / 0.85;
  }
  return tile;
}

}  // namespace

Math math_of(Element element, const device::Rates& rates, bool tensor_cores) {
  const auto either = [&](Math tensor, Math plain) {
    return tensor_cores && rate(rates, tensor) > rate(rates, plain) ? tensor : plain;
  };
  switch (element) {
    case Element::f64: return either(Math::tensor_fp64, Math::fp64);
    case Element::f32: return either(Math::tensor_tf32, Math::fp32);
    case Element::f16:
    case Element::bf16: break;
  }
  // Without tensor cores, half is computed with where it is the faster one, and converted to float where it is not.
  const Math plain = rates.fp16_gflops > rates.fp32_gflops ? Math::fp16 : Math::fp32;
  return either(Math::tensor_fp16, plain);
}

GemmTile tile_of(const GemmShape& shape, Math math, const device::Rates& rates) {
  GemmTile best{};
  double best_cost = 0;
  for (const GemmTile& plain : kTiles) {
    const GemmTile tile = fitted(plain, math, rates);
    const double cost = padded(shape, tile) / tile.efficiency;
    if (best_cost == 0 || cost < best_cost) {
      best = tile;
      best_cost = cost;
    }
  }
  return best;
}

const char* letter_of(Element element, Math math) {
  switch (math) {
    case Math::tensor_fp16: return element == Element::bf16 ? "bf16_s1688" : "h1688";
    case Math::tensor_tf32: return "tf32_s1688";
    case Math::tensor_fp64: return "d884";
    case Math::fp16: return "h";
    case Math::fp32: return "s";
    case Math::fp64: break;
  }
  return "d";
}

device::LibraryKernel gemm_kernel(const std::string& name, const GemmShape& shape, Element element, Math math,
                                  const device::Properties& chip) {
  GemmTile tile = tile_of(shape, math, chip.rates);
  const auto blocks = [&](const GemmTile& t) {
    return up(shape.m, t.m) / t.m * (up(shape.n, t.n) / t.n) * shape.batch;
  };
  // Fewer blocks than multiprocessors: smaller tiles occupy more of them.
  if (blocks(tile) < chip.multiprocessors) {
    tile = fitted(kTiles[std::size(kTiles) - 1], math, chip.rates);
  }
  device::LibraryKernel kernel;
  kernel.name = fmt::format("{}_{}gemm_{}x{}", name, letter_of(element, math), tile.m, tile.n);
  // Few blocks and a long k: the sums are split over blocks along k.
  const int64_t splits = std::clamp<int64_t>(chip.multiprocessors / std::max<int64_t>(1, blocks(tile)), 1,
                                             std::max<int64_t>(1, shape.k / 256));
  kernel.grid = {static_cast<uint32_t>(up(shape.m, tile.m) / tile.m * splits),
                 static_cast<uint32_t>(up(shape.n, tile.n) / tile.n), static_cast<uint32_t>(shape.batch)};
  kernel.block = {kThreads, 1, 1};
  kernel.shared_bytes = static_cast<uint32_t>(2 * (tile.m + tile.n) * tile.k * static_cast<int64_t>(size_of(element)));
  kernel.registers = 128;
  kernel.math = math;
  kernel.flops = 2 * padded(shape, tile) * static_cast<double>(shape.batch);
  kernel.efficiency = tile.efficiency;
  // Every row of blocks reads all of B, every column all of A.
  const double reads = static_cast<double>(up(shape.m, tile.m) / tile.m) * static_cast<double>(shape.n * shape.k) +
                       static_cast<double>(up(shape.n, tile.n) / tile.n) * static_cast<double>(shape.m * shape.k) +
                       static_cast<double>(shape.m * shape.n);
  kernel.l2 = static_cast<uint64_t>(reads * static_cast<double>(shape.batch) * static_cast<double>(size_of(element)));
  return kernel;
}

}  // namespace hpml::sim::libraries
