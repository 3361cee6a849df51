// The C API of the CUDA runtime, as libcudart.so.11.0 exports it.
#pragma once
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "hpml/texture_types.h"

#define CUDART_VERSION 11080

#ifdef __cplusplus
#define __HPML_DEFAULT__(__value) = __value
#else
#define __HPML_DEFAULT__(__value)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#include "hpml/api_array.h"
#include "hpml/api_device.h"
#include "hpml/api_execution.h"
#include "hpml/api_graph.h"
#include "hpml/api_memory.h"
#include "hpml/api_pool.h"
#include "hpml/api_texture.h"

#ifdef __cplusplus
}
#endif
