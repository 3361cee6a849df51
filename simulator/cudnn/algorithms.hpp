#pragma once
// The forward algorithms: which problems each can do, what workspace it needs, which kernels it launches. All give the
// same result (convolve()); they differ in work and traffic, from which their times follow.
#include <optional>
#include <vector>

#include "simulator/cudnn/problem.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cudnn {

enum class Algorithm : int {  // cudnnConvolutionFwdAlgo_t
  implicit_gemm = 0,
  implicit_precomp_gemm = 1,
  gemm = 2,
  direct = 3,
  fft = 4,
  fft_tiling = 5,
  winograd = 6,
  winograd_nonfused = 7
};
constexpr int kAlgorithms = 8;

struct Plan {
  std::vector<device::LibraryKernel> kernels;
  uint64_t workspace = 0;
  bool tensor_cores = false;
};

// None: the algorithm cannot do this (NVIDIA cuDNN API reference, table of cudnnConvolutionForward).
std::optional<Plan> plan_of(const Problem& problem, Algorithm algorithm, const device::Properties& chip);

std::optional<Plan> plan_implicit_gemm(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_implicit_precomp_gemm(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_gemm(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_fft(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_fft_tiling(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_winograd(const Problem& problem, const device::Properties& chip);
std::optional<Plan> plan_winograd_nonfused(const Problem& problem, const device::Properties& chip);

// A kernel that moves data: one thread per element.
device::LibraryKernel moving_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written);

// Where the patches are addressed in the main loop, part of it is integer arithmetic. Assumed: 15 % of the loop. Double
// multiply-adds take at least twice the issue slots of float ones: the addresses are computed beside them.
constexpr double kAddressing = 0.85;

inline bool dense(const Problem& p) { return p.conv.dilation_h == 1 && p.conv.dilation_w == 1; }
inline bool unit_stride(const Problem& p) { return p.conv.stride_h == 1 && p.conv.stride_w == 1; }
// cuDNN 8 and later use tensor cores unless the program says CUDNN_FMA_MATH; float then counts as TF32.
inline bool tensor_cores_allowed(const Problem& p) { return p.conv.math_type != 3; }

}  // namespace hpml::sim::cudnn
