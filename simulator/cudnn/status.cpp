#include "simulator/cudnn/status.hpp"

#include "simulator/libraries/frame.hpp"

namespace hpml::sim::cudnn {
namespace {

struct Row {
  int code;
  const char* name;
};

#if HPML_CUDNN_MAJOR >= 9
constexpr Row kRows[] = {{kSuccess, "CUDNN_STATUS_SUCCESS"},
                         {kNotInitialized, "CUDNN_STATUS_NOT_INITIALIZED"},
                         {kBadParam, "CUDNN_STATUS_BAD_PARAM"},
                         {kNullPointer, "CUDNN_STATUS_BAD_PARAM_NULL_POINTER"},
                         {kSizeInsufficient, "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT"},
                         {kShapeMismatch, "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH"},
                         {kNotSupported, "CUDNN_STATUS_NOT_SUPPORTED"},
                         {kInternalError, "CUDNN_STATUS_INTERNAL_ERROR"},
                         {kAllocFailed, "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED"},
                         {kExecutionFailed, "CUDNN_STATUS_EXECUTION_FAILED"}};
#else
constexpr Row kRows[] = {{kSuccess, "CUDNN_STATUS_SUCCESS"},
                         {kNotInitialized, "CUDNN_STATUS_NOT_INITIALIZED"},
                         {kAllocFailed, "CUDNN_STATUS_ALLOC_FAILED"},
                         {kBadParam, "CUDNN_STATUS_BAD_PARAM"},
                         {kInternalError, "CUDNN_STATUS_INTERNAL_ERROR"},
                         {kExecutionFailed, "CUDNN_STATUS_EXECUTION_FAILED"},
                         {kNotSupported, "CUDNN_STATUS_NOT_SUPPORTED"}};
#endif

}  // namespace

const char* status_name(int status) {
  for (const Row& row : kRows) {
    if (row.code == status) {
      return row.name;
    }
  }
  return "CUDNN_UNKNOWN_STATUS";
}

}  // namespace hpml::sim::cudnn

HPML_LIBRARY_API const char* cudnnGetErrorString(int status) { return hpml::sim::cudnn::status_name(status); }
