// cuGetProcAddress: the newest form of an entry point that the asking program's CUDA version knows.
#include "simulator/cuda_driver/proc_address.hpp"

#include <string_view>

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

enum class Status : int { success = 0, symbol_not_found = 1, version_not_sufficient = 2 };  // CUdriverProcAddressQuery…
constexpr uint64_t kPerThread = 2, kKnownFlags = 3;                                         // CU_GET_PROC_ADDRESS_*

Status look_up(std::string_view name, int version, bool per_thread, void** function) {
  Status status = Status::symbol_not_found;
  *function = nullptr;
  for (const EntryPoint& entry : entry_points()) {
    void* const address = per_thread && entry.per_thread != nullptr ? entry.per_thread : entry.function;
    if (entry.name != name || address == nullptr) {
      continue;
    }
    if (entry.since > version) {
      return *function != nullptr ? Status::success : Status::version_not_sufficient;
    }
    *function = address;
    status = Status::success;
  }
  return status;
}

int get_proc_address(const char* name, void** function, int version, uint64_t flags, int* status) {
  return static_cast<int>([&] {
    if (name == nullptr || function == nullptr || *name == '\0' || flags >= kKnownFlags) {
      return Error::invalid_value;
    }
    const Status found = look_up(name, version, flags == kPerThread, function);
    if (status != nullptr) {
      *status = static_cast<int>(found);
    }
    return found == Status::success ? Error::success : kNotFound;
  }());
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuGetProcAddress(const char* name, void** function, int version, uint64_t flags) {
  return get_proc_address(name, function, version, flags, nullptr);
}
HPML_CU_API int cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t flags, int* status) {
  return get_proc_address(name, function, version, flags, status);
}
