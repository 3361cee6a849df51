// bfloat16: the upper half of a float. Storage, conversions, arithmetic, comparisons, and pairs.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "hpml/bfloat.h"
#endif
