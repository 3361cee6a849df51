#pragma once
// cudnnStatus_t: the codes differ between cuDNN 8 and 9, so this folder is compiled once for each.
namespace hpml::sim::cudnn {

#if HPML_CUDNN_MAJOR >= 9
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
#else
enum Status : int {
  kSuccess = 0,
  kNotInitialized = 1,
  kAllocFailed = 2,
  kBadParam = 3,
  kNullPointer = 3,
  kSizeInsufficient = 3,
  kShapeMismatch = 3,
  kInternalError = 4,
  kExecutionFailed = 8,
  kNotSupported = 9
};
#endif

const char* status_name(int status);

}  // namespace hpml::sim::cudnn
