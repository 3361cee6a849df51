#include "simulator/cuda_driver/result.hpp"

#include <algorithm>
#include <array>

namespace hpml::sim::cuda_driver {
namespace {

struct ResultName {
  int code;
  const char* name;
};

// cuda.h, enum CUresult; ascending.
constexpr std::array kNames = {
    ResultName{0, "CUDA_SUCCESS"},
    ResultName{1, "CUDA_ERROR_INVALID_VALUE"},
    ResultName{2, "CUDA_ERROR_OUT_OF_MEMORY"},
    ResultName{3, "CUDA_ERROR_NOT_INITIALIZED"},
    ResultName{4, "CUDA_ERROR_DEINITIALIZED"},
    ResultName{5, "CUDA_ERROR_PROFILER_DISABLED"},
    ResultName{6, "CUDA_ERROR_PROFILER_NOT_INITIALIZED"},
    ResultName{7, "CUDA_ERROR_PROFILER_ALREADY_STARTED"},
    ResultName{8, "CUDA_ERROR_PROFILER_ALREADY_STOPPED"},
    ResultName{34, "CUDA_ERROR_STUB_LIBRARY"},
    ResultName{36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER"},
    ResultName{46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    ResultName{100, "CUDA_ERROR_NO_DEVICE"},
    ResultName{101, "CUDA_ERROR_INVALID_DEVICE"},
    ResultName{102, "CUDA_ERROR_DEVICE_NOT_LICENSED"},
    ResultName{200, "CUDA_ERROR_INVALID_IMAGE"},
    ResultName{201, "CUDA_ERROR_INVALID_CONTEXT"},
    ResultName{202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT"},
    ResultName{205, "CUDA_ERROR_MAP_FAILED"},
    ResultName{206, "CUDA_ERROR_UNMAP_FAILED"},
    ResultName{207, "CUDA_ERROR_ARRAY_IS_MAPPED"},
    ResultName{208, "CUDA_ERROR_ALREADY_MAPPED"},
    ResultName{209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    ResultName{210, "CUDA_ERROR_ALREADY_ACQUIRED"},
    ResultName{211, "CUDA_ERROR_NOT_MAPPED"},
    ResultName{212, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY"},
    ResultName{213, "CUDA_ERROR_NOT_MAPPED_AS_POINTER"},
    ResultName{214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    ResultName{215, "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    ResultName{216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE"},
    ResultName{217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED"},
    ResultName{218, "CUDA_ERROR_INVALID_PTX"},
    ResultName{219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT"},
    ResultName{220, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
    ResultName{221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
    ResultName{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    ResultName{223, "CUDA_ERROR_JIT_COMPILATION_DISABLED"},
    ResultName{224, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY"},
    ResultName{225, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC"},
    ResultName{226, "CUDA_ERROR_CONTAINED"},
    ResultName{300, "CUDA_ERROR_INVALID_SOURCE"},
    ResultName{301, "CUDA_ERROR_FILE_NOT_FOUND"},
    ResultName{302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND"},
    ResultName{303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"},
    ResultName{304, "CUDA_ERROR_OPERATING_SYSTEM"},
    ResultName{400, "CUDA_ERROR_INVALID_HANDLE"},
    ResultName{401, "CUDA_ERROR_ILLEGAL_STATE"},
    ResultName{402, "CUDA_ERROR_LOSSY_QUERY"},
    ResultName{500, "CUDA_ERROR_NOT_FOUND"},
    ResultName{600, "CUDA_ERROR_NOT_READY"},
    ResultName{700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    ResultName{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    ResultName{702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    ResultName{703, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING"},
    ResultName{704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
    ResultName{705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    ResultName{708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"},
    ResultName{709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"},
    ResultName{710, "CUDA_ERROR_ASSERT"},
    ResultName{711, "CUDA_ERROR_TOO_MANY_PEERS"},
    ResultName{712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    ResultName{713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    ResultName{714, "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    ResultName{715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    ResultName{716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    ResultName{717, "CUDA_ERROR_INVALID_ADDRESS_SPACE"},
    ResultName{718, "CUDA_ERROR_INVALID_PC"},
    ResultName{719, "CUDA_ERROR_LAUNCH_FAILED"},
    ResultName{720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    ResultName{721, "CUDA_ERROR_TENSOR_MEMORY_LEAK"},
    ResultName{800, "CUDA_ERROR_NOT_PERMITTED"},
    ResultName{801, "CUDA_ERROR_NOT_SUPPORTED"},
    ResultName{802, "CUDA_ERROR_SYSTEM_NOT_READY"},
    ResultName{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    ResultName{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
    ResultName{805, "CUDA_ERROR_MPS_CONNECTION_FAILED"},
    ResultName{806, "CUDA_ERROR_MPS_RPC_FAILURE"},
    ResultName{807, "CUDA_ERROR_MPS_SERVER_NOT_READY"},
    ResultName{808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED"},
    ResultName{809, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED"},
    ResultName{810, "CUDA_ERROR_MPS_CLIENT_TERMINATED"},
    ResultName{811, "CUDA_ERROR_CDP_NOT_SUPPORTED"},
    ResultName{812, "CUDA_ERROR_CDP_VERSION_MISMATCH"},
    ResultName{900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    ResultName{901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    ResultName{902, "CUDA_ERROR_STREAM_CAPTURE_MERGE"},
    ResultName{903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    ResultName{904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
    ResultName{905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
    ResultName{906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"},
    ResultName{907, "CUDA_ERROR_CAPTURED_EVENT"},
    ResultName{908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD"},
    ResultName{909, "CUDA_ERROR_TIMEOUT"},
    ResultName{910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"},
    ResultName{911, "CUDA_ERROR_EXTERNAL_DEVICE"},
    ResultName{912, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
    ResultName{913, "CUDA_ERROR_FUNCTION_NOT_LOADED"},
    ResultName{914, "CUDA_ERROR_INVALID_RESOURCE_TYPE"},
    ResultName{915, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION"},
    ResultName{916, "CUDA_ERROR_KEY_ROTATION"},
    ResultName{999, "CUDA_ERROR_UNKNOWN"},
};
static_assert(std::ranges::is_sorted(kNames, {}, &ResultName::code));

}  // namespace

int result_of(int runtime_error) {
  constexpr int kFirstCommon = 100;
  constexpr int kInvalidSymbol = 13, kInvalidDeviceFunction = 98;
  if (runtime_error == kInvalidSymbol) {
    return static_cast<int>(kNotFound);
  }
  if (runtime_error == kInvalidDeviceFunction) {
    return static_cast<int>(kInvalidHandle);
  }
  const bool common = runtime_error >= kFirstCommon || runtime_error <= static_cast<int>(kNotInitialized);
  return common ? runtime_error : static_cast<int>(Error::invalid_value);
}

const char* result_name(int result) {
  const auto* const found = std::ranges::lower_bound(kNames, result, {}, &ResultName::code);
  return found != kNames.end() && found->code == result ? found->name : nullptr;
}

}  // namespace hpml::sim::cuda_driver
