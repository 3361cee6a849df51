#include "simulator/cuda_driver/jit_options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simulator/cudart/runtime/context.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// CUjit_option
constexpr int kWallTime = 2, kInfoLog = 3, kInfoLogSize = 4, kErrorLog = 5, kErrorLogSize = 6;
constexpr int kSymbolNames = 17, kSymbolAddresses = 18, kSymbolCount = 19;
constexpr int kOptionCount = 35;  // of CUDA 13.0

}  // namespace

JitOptions::JitOptions(unsigned count, const int* options, void** values) {
  if (count > 0 && (options == nullptr || values == nullptr)) {
    error_ = Error::invalid_value;
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case kWallTime: wall_time_ = &values[i]; break;
      case kInfoLog: info_.text = static_cast<char*>(values[i]); break;
      case kInfoLogSize: info_.size = &values[i]; break;
      case kErrorLog: errors_.text = static_cast<char*>(values[i]); break;
      case kErrorLogSize: errors_.size = &values[i]; break;
      case kSymbolNames:
      case kSymbolAddresses:
      case kSymbolCount:
        cudart::say("CU_JIT_GLOBAL_SYMBOL_*: giving addresses to a module's symbols is not supported");
        error_ = Error::not_supported;
        break;
      default: error_ = options[i] < 0 || options[i] >= kOptionCount ? Error::invalid_value : error_; break;
    }
  }
}

void JitOptions::LogBuffer::fill(const std::string& message) const {
  if (size == nullptr) {
    return;
  }
  const auto room = static_cast<size_t>(reinterpret_cast<uintptr_t>(*size));
  size_t used = 0;
  if (text != nullptr && room > 0) {
    const size_t copied = std::min(message.size(), room - 1);
    std::memcpy(text, message.data(), copied);
    text[copied] = '\0';
    used = std::min(message.size(),
                    room);  // with the zero where the text was cut, without it else: so does an H100's driver
  }
  *size = reinterpret_cast<void*>(static_cast<uintptr_t>(used));
}

void JitOptions::finish(const std::string& error_message) const {
  info_.fill({});
  errors_.fill(error_message);
  if (wall_time_ != nullptr) {  // a float in the place of the pointer: compiling costs no simulated time
    const float milliseconds = 0;
    std::memcpy(wall_time_, &milliseconds, sizeof(milliseconds));
  }
  if (!error_message.empty() && (errors_.text == nullptr || errors_.size == nullptr)) {
    cudart::say(error_message);
  }
}

}  // namespace hpml::sim::cuda_driver
