// Initialisation, versions, error texts, the profiler's switch.
#include <dlfcn.h>

#include <string_view>

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr int kVersion = 13000;  // of the CUDA whose entry points this library has

int give_text(const char* text, const char** out) {
  if (out == nullptr) {
    return static_cast<int>(Error::invalid_value);
  }
  *out = text;
  return static_cast<int>(text != nullptr ? Error::success : Error::invalid_value);
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuInit(unsigned flags) {
  const AskedAs asked("cuInit");
  return result_of(cudart::api_call("cuInit", [&](Runtime& runtime, ApiRecord&) {
    if (flags != 0) {
      return Error::invalid_value;
    }
    runtime.context_handles.started = true;
    return Error::success;
  }));
}

HPML_CU_API int cuDriverGetVersion(int* version) {  // the one query that needs no cuInit
  if (version == nullptr) {
    return static_cast<int>(Error::invalid_value);
  }
  *version = kVersion;
  return 0;
}

HPML_CU_API int cuGetErrorName(int result, const char** text) { return give_text(result_name(result), text); }
HPML_CU_API int cuGetErrorString(int result, const char** text) {
  return give_text(result_name(result) != nullptr ? cudart::error_string(result) : nullptr, text);
}

HPML_CU_API int cuProfilerStart() { return forward("cuProfilerStart", cudaProfilerStart); }
HPML_CU_API int cuProfilerStop() { return forward("cuProfilerStop", cudaProfilerStop); }

// Private tables through which NVIDIA's static runtime, CUPTI and nvJitLink talk to NVIDIA's driver. nvJitLink does
// without them.
HPML_CU_API int cuGetExportTable(const void** table, const void*) {
  Dl_info caller{};
  const bool known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != nullptr;
  const auto by = [&](std::string_view library) {
    return known && std::string_view(caller.dli_fname).find(library) != std::string_view::npos;
  };
  if (!by("libnvJitLink")) {
    static const bool told = [&] {
      cudart::say(
          by("libcupti")
              ? "CUPTI is not supported, because it needs NVIDIA's driver: counters and times of kernels are in "
                "the file of `gpusim run --metrics FILE`"
              : "cuGetExportTable is not supported: if this program uses the CUDA runtime (cudaMalloc, <<<>>>), "
                "it is linked with the static one; rebuild it with -cudart shared (without changing its "
                "Makefile: NVCC_APPEND_FLAGS='-cudart shared' make)");
      return true;
    }();
    (void)told;
  }
  if (table != nullptr) {
    *table = nullptr;
  }
  return static_cast<int>(Error::not_supported);
}
