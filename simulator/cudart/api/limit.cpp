// cudaDeviceSetLimit and cudaDeviceGetLimit.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

enum LimitId : int {  // cudaLimit
  kStack = 0,
  kPrintf = 1,
  kHeap = 2,
  kPendingLaunches = 4,
  kFetchGranularity = 5,
  kPersistingL2 = 6,
};

std::map<int, uint64_t> default_limits() {
  return {{kStack, 1024},           {kPrintf, uint64_t{1} << 20}, {kHeap, uint64_t{8} << 20},
          {kPendingLaunches, 2048}, {kFetchGranularity, 64},      {kPersistingL2, 0}};
}

std::map<int, uint64_t>& limits_of(Context& context) {
  if (context.limits.empty()) {
    context.limits = default_limits();
  }
  return context.limits;
}

// The persisting part of L2 is a feature of compute capability 8.0.
bool has_limit(Context& context, int limit) {
  const bool old_device = context.device().properties().cc_major < 8;
  return limits_of(context).contains(limit) && !(limit == kPersistingL2 && old_device);
}

// Stack and heap are the device's to change; it refuses sizes it cannot have, and a heap in use.
bool apply(Context& context, int limit, uint64_t value) {
  constexpr uint64_t kStackUnit = 16, kMostFetched = 128;
  switch (limit) {
    case kStack:
      return context.device().set_limit(device::Limit::stack_bytes, (value + kStackUnit - 1) / kStackUnit * kStackUnit);
    case kHeap: return context.device().set_limit(device::Limit::malloc_heap_bytes, value);
    case kPrintf: return context.device().set_limit(device::Limit::printf_bytes, value);
    case kPendingLaunches: return context.device().set_limit(device::Limit::pending_launches, value);
    case kFetchGranularity:
      return value <= kMostFetched && context.device().set_limit(device::Limit::fetch_granularity, value);
    case kPersistingL2: return context.device().set_limit(device::Limit::persisting_l2_bytes, value);
    default: return true;
  }
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaDeviceGetLimit(size_t* value, int limit) {
  return device_call("cudaDeviceGetLimit", [&](Runtime&, Context& context, ApiRecord&) {
    if (value == nullptr || !has_limit(context, limit)) {
      return value == nullptr ? Error::invalid_value : Error::unsupported_limit;
    }
    *value = limits_of(context)[limit];
    return Error::success;
  });
}
HPML_CUDA_API int cudaDeviceSetLimit(int limit, size_t value) {
  return device_call("cudaDeviceSetLimit", [&](Runtime&, Context& context, ApiRecord&) {
    if (!has_limit(context, limit)) {
      return Error::unsupported_limit;
    }
    if (!apply(context, limit, value)) {
      return Error::invalid_value;
    }
    limits_of(context)[limit] = value;
    return Error::success;
  });
}
