// Everything that exists on the device only, chapter by chapter.
#pragma once

#include "device_launch_parameters.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "hpml/device_libc.h"
#include "hpml/device_sync.h"
#include "hpml/device_cluster.h"
#include "hpml/device_warp.h"
#include "hpml/device_atomics.h"
#include "hpml/device_integer.h"
#include "hpml/device_simd.h"
#include "hpml/device_float.h"
#include "hpml/device_convert.h"
#include "hpml/device_memory.h"
#endif
