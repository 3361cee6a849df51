// Half precision: storage, conversions, arithmetic, comparisons, and pairs of halves.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "hpml/half_convert.h"
#include "hpml/half_arithmetic.h"
#include "hpml/half2.h"
#endif
