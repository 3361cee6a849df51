#pragma once
// cudnnStatus_t. Inside this folder a status is cuDNN 9's; entry points return code(status), since cuDNN 8 numbers them
// differently and has fewer.
namespace hpml::sim::cudnn {

enum Status : int {
  kSuccess = 0,
  kNotInitialized = 1001,
  kBadParam = 2000,
  kNullPointer = 2002,
  kSizeInsufficient = 2006,
  kShapeMismatch = 2008,
  kNotSupported = 3000,
  kInternalError = 4000,
  kAllocFailed = 4003,
  kExecutionFailed = 5000
};

// What the library that the program has loaded calls `status`, a Status: its number, and its name.
int code(int status);
const char* status_name(int status);

}  // namespace hpml::sim::cudnn
