#pragma once
// A convolution as data: what a recording holds of cudnnConvolutionForward, and how it is done again without the
// program.
#include <string>

#include "simulator/cudnn/problem.hpp"
#include "simulator/replay/library.hpp"

namespace hpml::sim::cudnn {

inline constexpr const char* kForwardOperation = "cudnnConvolutionForward";

struct ForwardOperation {
  Problem problem;
  int algorithm = 0;
  double alpha = 1, beta = 0;
  uint64_t x = 0, w = 0, y = 0, workspace = 0;  // addresses in device memory
};

std::string to_arguments(const ForwardOperation& operation);
// Error: not arguments of a convolution that cudnnConvolutionForward would have accepted.
Result<ForwardOperation> read_arguments(const std::string& text);

// A replay::LibraryFunction.
Result<replay::LibraryResult> forward_again(const std::string& arguments, const device::Properties& chip,
                                            const replay::BytesAt& at);

}  // namespace hpml::sim::cudnn
