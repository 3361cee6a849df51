// CUDA C++ without NVIDIA's toolkit: what a program gets from <cuda_runtime.h> when clang compiles it. See README.md.
#pragma once
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
// The macros above must exist before the standard headers: clang's own <new> adds the device's operator new then.
#include "device_functions.h"
#include "math_functions.h"
#include "vector_functions.h"

#include "cuda_runtime_api.h"
#if defined(__CUDA__) && !defined(CUDA_VERSION)
#define CUDA_VERSION CUDART_VERSION  // clang with NVIDIA's headers includes cuda.h without being asked
#endif

#ifdef __cplusplus
// nvcc includes these without being asked, so programs rely on them.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "hpml/api_occupancy.h"
#include "hpml/api_templates.h"
#endif
#include "channel_descriptor.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#endif
