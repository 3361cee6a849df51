#pragma once
// CUresult. From 100 on its codes are those of cudaError_t, which the runtime's Error holds; below that they differ.
#include <string_view>

#include "simulator/cudart/runtime/errors.hpp"

namespace hpml::sim::cuda_driver {

using cudart::Error;

// Codes that only the driver API returns, under the names of cuda.h.
inline constexpr Error kNotInitialized{3};
inline constexpr Error kInvalidImage{200};
inline constexpr Error kInvalidContext{201};
inline constexpr Error kFileNotFound{301};
inline constexpr Error kInvalidHandle{400};
inline constexpr Error kNotFound{500};
inline constexpr Error kNotPermitted{800};

// The CUresult for what an entry point of the runtime returned.
int result_of(int runtime_error);

// "CUDA_ERROR_INVALID_VALUE"; null for a code the driver API does not have.
const char* result_name(int result);

}  // namespace hpml::sim::cuda_driver
