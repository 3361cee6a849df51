#include "simulator/cudnn/status.hpp"

#include "simulator/libraries/frame.hpp"

namespace hpml::sim::cudnn {
namespace {

struct Row {
  int status, code_8;
  const char* name_9;
  const char* name_8;
};

constexpr Row kRows[] = {
    {kSuccess, 0, "CUDNN_STATUS_SUCCESS", "CUDNN_STATUS_SUCCESS"},
    {kNotInitialized, 1, "CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_NOT_INITIALIZED"},
    {kBadParam, 3, "CUDNN_STATUS_BAD_PARAM", "CUDNN_STATUS_BAD_PARAM"},
    {kNullPointer, 3, "CUDNN_STATUS_BAD_PARAM_NULL_POINTER", "CUDNN_STATUS_BAD_PARAM"},
    {kSizeInsufficient, 3, "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT", "CUDNN_STATUS_BAD_PARAM"},
    {kShapeMismatch, 3, "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH", "CUDNN_STATUS_BAD_PARAM"},
    {kNotSupported, 9, "CUDNN_STATUS_NOT_SUPPORTED", "CUDNN_STATUS_NOT_SUPPORTED"},
    {kInternalError, 4, "CUDNN_STATUS_INTERNAL_ERROR", "CUDNN_STATUS_INTERNAL_ERROR"},
    {kAllocFailed, 2, "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED", "CUDNN_STATUS_ALLOC_FAILED"},
    {kExecutionFailed, 8, "CUDNN_STATUS_EXECUTION_FAILED", "CUDNN_STATUS_EXECUTION_FAILED"}};

int code(const Row& row) { return libraries::major() < 9 ? row.code_8 : row.status; }
const char* name(const Row& row) { return libraries::major() < 9 ? row.name_8 : row.name_9; }

}  // namespace

int code(int status) {
  for (const Row& row : kRows) {
    if (row.status == status) {
      return code(row);
    }
  }
  return code(kInternalError);
}

const char* status_name(int status) {
  for (const Row& row : kRows) {
    if (row.status == status) {
      return name(row);
    }
  }
  return "CUDNN_UNKNOWN_STATUS";
}

}  // namespace hpml::sim::cudnn

HPML_LIBRARY_API const char* cudnnGetErrorString(int number) {
  using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace)
  for (const Row& row : kRows) {
    if (code(row) == number) {
      return name(row);
    }
  }
  return "CUDNN_UNKNOWN_STATUS";
}
