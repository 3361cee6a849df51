#include "simulator/nvrtc/result.hpp"

#include <array>
#include <cstddef>

namespace hpml::sim::nvrtc {

const char* status_name(int status) {
  constexpr std::array kNames = {"NVRTC_SUCCESS",
                                 "NVRTC_ERROR_OUT_OF_MEMORY",
                                 "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                 "NVRTC_ERROR_INVALID_INPUT",
                                 "NVRTC_ERROR_INVALID_PROGRAM",
                                 "NVRTC_ERROR_INVALID_OPTION",
                                 "NVRTC_ERROR_COMPILATION",
                                 "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                 "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                 "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                 "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                 "NVRTC_ERROR_INTERNAL_ERROR",
                                 "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  const auto index = static_cast<size_t>(status);
  return status >= 0 && index < kNames.size() ? kNames[index] : "NVRTC_ERROR unknown";
}

}  // namespace hpml::sim::nvrtc
