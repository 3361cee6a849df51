#pragma once
// Statuses of cuRAND and their words.
namespace hpml::sim::curand {

enum Status : int {  // curandStatus_t
  kSuccess = 0,
  kNotInitialized = 101,
  kTypeError = 103,
  kOutOfRange = 104,
  kLengthNotMultiple = 105,
  kLaunchFailure = 201,
  kInitializationFailed = 203,
  kInternalError = 999
};

inline const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CURAND_STATUS_SUCCESS";
    case kNotInitialized: return "CURAND_STATUS_NOT_INITIALIZED";
    case kTypeError: return "CURAND_STATUS_TYPE_ERROR";
    case kOutOfRange: return "CURAND_STATUS_OUT_OF_RANGE";
    case kLengthNotMultiple: return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case kLaunchFailure: return "CURAND_STATUS_LAUNCH_FAILURE";
    case kInitializationFailed: return "CURAND_STATUS_INITIALIZATION_FAILED";
    default: return "CURAND_STATUS_INTERNAL_ERROR";
  }
}

}  // namespace hpml::sim::curand
