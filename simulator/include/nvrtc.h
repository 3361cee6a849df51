// Compiling CUDA C++ at run time: what the simulated libnvrtc has. A cubin of it holds the PTX.
#pragma once

#include <stddef.h>

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#endif

const char* nvrtcGetErrorString(nvrtcResult __result);
nvrtcResult nvrtcVersion(int* __major, int* __minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* __count);
nvrtcResult nvrtcGetSupportedArchs(int* __archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram* __program, const char* __source, const char* __name, int __count,
                               const char* const* __headers, const char* const* __names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* __program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram __program, int __count, const char* const* __options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram __program, size_t* __size);
nvrtcResult nvrtcGetPTX(nvrtcProgram __program, char* __ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __program, size_t* __size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __program, char* __cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __program, size_t* __size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __program, char* __log);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram __program, const char* __expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __program, const char* __expression, const char** __name);

#ifdef __cplusplus
}
#endif
