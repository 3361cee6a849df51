// Choosing a forward algorithm, and running one.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/cudnn/algorithms.hpp"
#include "simulator/cudnn/entry.hpp"
#include "simulator/cudnn/operation.hpp"
#include "simulator/cudnn/performance.hpp"

namespace hpml::sim::cudnn {
namespace {

using device::Picoseconds;

Picoseconds time_of(const Plan& plan, Context& context) {
  Picoseconds total = 0;
  for (const LibraryKernel& kernel : plan.kernels) {
    total += context.device().library_time(kernel);
  }
  return total;
}

// The fastest first, those that cannot do it last; equal ones by number.
std::vector<Performance> rank(const Problem& problem, Context& context, uint64_t most_memory) {
  std::vector<Performance> all;
  for (int i = 0; i < kAlgorithms; ++i) {
    const auto plan = plan_of(problem, static_cast<Algorithm>(i), context.device().properties());
    Performance entry{.algorithm = i,
                      .status = code(kNotSupported),
                      .time = -1,
                      .memory = 0,
                      .determinism = 1,
                      .math_type = 0,
                      .reserved = {}};
    if (plan) {
      entry.status = code(plan->workspace <= most_memory ? kSuccess : kAllocFailed);
      entry.time = entry.status == kSuccess ? milliseconds(time_of(*plan, context)) : -1;
      entry.memory = plan->workspace;
      entry.math_type = plan->tensor_cores ? 1 : 0;
    }
    all.push_back(entry);
  }
  std::ranges::stable_sort(all, [](const Performance& a, const Performance& b) {
    return a.status != b.status && (a.status == kSuccess || b.status == kSuccess) ? a.status == kSuccess
           : a.status == kSuccess                                                 ? a.time < b.time
                                                                                  : false;
  });
  return all;
}

Status answer(const std::vector<Performance>& ranked, int asked, int* returned, Performance* results) {
  if (returned == nullptr || results == nullptr) {
    return kNullPointer;
  }
  if (asked < 1) {
    return kBadParam;
  }
  *returned = std::min(asked, kAlgorithms);
  std::copy_n(ranked.begin(), *returned, results);
  return kSuccess;
}

// Find runs every algorithm that works, after one run to warm up: the host waits for all of that.
Status find(const Call& call, const Problem& problem, uint64_t most_memory, int asked, int* returned,
            Performance* results) {
  const std::vector<Performance> ranked = rank(problem, call.context, most_memory);
  Picoseconds spent = 0;
  for (const Performance& entry : ranked) {
    const auto plan = plan_of(problem, static_cast<Algorithm>(entry.algorithm), call.context.device().properties());
    spent += entry.status == kSuccess ? 2 * time_of(*plan, call.context) : 0;
  }
  if (const Status status = wait_for_search(call, spent); status != kSuccess) {
    return status;
  }
  return answer(ranked, asked, returned, results);
}

Status check_output(const Call& call, const Problem& problem, const void* x, const void* w, void* y) {
  const bool there = call.data("x", x, problem.x) != nullptr && call.data("w", w, problem.w) != nullptr &&
                     call.data("y", y, problem.y) != nullptr;
  return there ? kSuccess : kBadParam;
}

// The result is written with the last kernel.
Status run(const Call& call, const Problem& problem, const Plan& plan, std::function<void()> body, void* y,
           const std::string& arguments) {
  for (size_t i = 0; i < plan.kernels.size(); ++i) {
    const bool last = i + 1 == plan.kernels.size();
    const Status status = call.launch(
        {.kernel = plan.kernels[i],
         .body = last ? body : nullptr,
         .output = last ? y : nullptr,
         .output_bytes = last ? problem.y.bytes() : 0,
         .operation = {.name = kForwardOperation, .arguments = arguments, .part = static_cast<uint32_t>(i)}});
    if (status != kSuccess) {
      return status;
    }
  }
  return kSuccess;
}

struct ForwardArguments {
  const void* alpha;
  const Tensor* x_shape;
  const void* x;
  const Filter* w_shape;
  const void* w;
  const Convolution* conv;
  int algorithm;
  void* workspace;
  size_t workspace_bytes;
  const void* beta;
  const Tensor* y_shape;
  void* y;
};

Status forward(const Call& call, const ForwardArguments& a) {
  if (a.alpha == nullptr || a.beta == nullptr) {
    return kNullPointer;
  }
  Problem problem;
  if (const Status status = make_problem(a.x_shape, a.w_shape, a.conv, a.y_shape, problem); status != kSuccess) {
    return status;
  }
  if (a.algorithm < 0 || a.algorithm >= kAlgorithms) {
    return kBadParam;
  }
  const auto plan = plan_of(problem, static_cast<Algorithm>(a.algorithm), call.context.device().properties());
  if (!plan) {
    return kNotSupported;
  }
  if (plan->workspace > a.workspace_bytes) {
    cudart::say(fmt::format("cudnnConvolutionForward: algorithm {} needs a workspace of {} bytes, it got {}",
                            a.algorithm, plan->workspace, a.workspace_bytes));
    return kSizeInsufficient;
  }
  if (plan->workspace > 0 &&
      libraries::device_data(call.runtime, call.record, "workSpace", a.workspace, plan->workspace) == nullptr) {
    return kBadParam;
  }
  if (const Status status = check_output(call, problem, a.x, a.w, a.y); status != kSuccess) {
    return status;
  }
  const double alpha = Call::scalar(a.alpha, problem.y.type);
  const double beta = Call::scalar(a.beta, problem.y.type);
  const auto body = [=, x = call.data("x", a.x, problem.x), w = call.data("w", a.w, problem.w),
                     y = call.data("y", a.y, problem.y)] { convolve(problem, alpha, x, w, beta, y); };
  const auto address = [](const void* pointer) { return reinterpret_cast<uint64_t>(pointer); };
  const ForwardOperation operation{.problem = problem,
                                   .algorithm = a.algorithm,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .x = address(a.x),
                                   .w = address(a.w),
                                   .y = address(a.y),
                                   .workspace = address(a.workspace)};
  return run(call, problem, *plan, body, a.y, to_arguments(operation));
}

}  // namespace
}  // namespace hpml::sim::cudnn

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_LIBRARY_API int cudnnGetConvolutionForwardAlgorithmMaxCount(Handle* handle, int* count) {
  return descriptor_call("cudnnGetConvolutionForwardAlgorithmMaxCount", [&] {
    if (handle == nullptr || count == nullptr) {
      return kNullPointer;
    }
    *count = kAlgorithms;
    return kSuccess;
  });
}

HPML_LIBRARY_API int cudnnFindConvolutionForwardAlgorithm(Handle* handle, const Tensor* x, const Filter* w,
                                                          const Convolution* conv, const Tensor* y, int asked,
                                                          int* returned, Performance* results) {
  return handle_call("cudnnFindConvolutionForwardAlgorithm", handle, [&](const Call& call) {
    Problem problem;
    const Status status = make_problem(x, w, conv, y, problem);
    return status == kSuccess ? find(call, problem, call.context.memory().free_bytes(), asked, returned, results)
                              : status;
  });
}

HPML_LIBRARY_API int cudnnFindConvolutionForwardAlgorithmEx(Handle* handle, const Tensor* x_shape, const void* x,
                                                            const Filter* w_shape, const void* w,
                                                            const Convolution* conv, const Tensor* y_shape, void* y,
                                                            int asked, int* returned, Performance* results, void*,
                                                            size_t workspace_bytes) {
  return handle_call("cudnnFindConvolutionForwardAlgorithmEx", handle, [&](const Call& call) {
    Problem problem;
    Status status = make_problem(x_shape, w_shape, conv, y_shape, problem);
    status = status == kSuccess ? check_output(call, problem, x, w, y) : status;
    return status == kSuccess ? find(call, problem, workspace_bytes, asked, returned, results) : status;
  });
}

HPML_LIBRARY_API int cudnnGetConvolutionForwardAlgorithm_v7(Handle* handle, const Tensor* x, const Filter* w,
                                                            const Convolution* conv, const Tensor* y, int asked,
                                                            int* returned, Performance* results) {
  return handle_call("cudnnGetConvolutionForwardAlgorithm_v7", handle, [&](const Call& call) {
    Problem problem;
    const Status status = make_problem(x, w, conv, y, problem);
    if (status != kSuccess) {
      return status;
    }
    std::vector<Performance> ranked = rank(problem, call.context, UINT64_MAX);
    for (Performance& entry : ranked) {
      entry.time = -1;  // nothing was run
    }
    return answer(ranked, asked, returned, results);
  });
}

HPML_LIBRARY_API int cudnnGetConvolutionForwardWorkspaceSize(Handle* handle, const Tensor* x, const Filter* w,
                                                             const Convolution* conv, const Tensor* y, int algorithm,
                                                             size_t* size) {
  return handle_call("cudnnGetConvolutionForwardWorkspaceSize", handle, [&](const Call& call) {
    Problem problem;
    const Status status = make_problem(x, w, conv, y, problem);
    if (status != kSuccess || size == nullptr || algorithm < 0 || algorithm >= kAlgorithms) {
      return status != kSuccess ? status : kBadParam;
    }
    const auto plan = plan_of(problem, static_cast<Algorithm>(algorithm), call.context.device().properties());
    *size = plan ? plan->workspace : 0;
    return plan ? kSuccess : kNotSupported;
  });
}

HPML_LIBRARY_API int cudnnConvolutionForward(Handle* handle, const void* alpha, const Tensor* x_shape, const void* x,
                                             const Filter* w_shape, const void* w, const Convolution* conv,
                                             int algorithm, void* workspace, size_t workspace_bytes, const void* beta,
                                             const Tensor* y_shape, void* y) {
  return handle_call("cudnnConvolutionForward", handle, [&](const Call& call) {
    return forward(call,
                   {alpha, x_shape, x, w_shape, w, conv, algorithm, workspace, workspace_bytes, beta, y_shape, y});
  });
}
