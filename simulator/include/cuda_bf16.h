// bfloat16: the upper half of a float. Storage, conversions, arithmetic, comparisons, and pairs.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "hpml/bfloat.h"
#include "hpml/half_lanes.h"

#ifdef __CUDA__
__HPML_SHORT_SHUFFLES__(__nv_bfloat16)
__HPML_SHORT_SHUFFLES__(__nv_bfloat162)
__HPML_ADD_BY_EXCHANGE__(__nv_bfloat16, unsigned short, __hadd(__old, __v))
__HPML_ADD_BY_EXCHANGE__(__nv_bfloat162, unsigned int, __hadd2(__old, __v))
#endif
#endif
