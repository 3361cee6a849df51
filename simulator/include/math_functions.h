// The C mathematical functions in device code, in every spelling a program may use: sinf(x), sin(x) for float, double
// and integer x, std::sin(x); and CUDA's own (rsqrt, sinpi, ...), some of which exist on the host too.
#pragma once

#include "host_defines.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "hpml/math_device.h"
// The standard headers come after the device functions: libstdc++'s constexpr overloads then stay on the host.
#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>

#include "hpml/math_std.h"
#endif
#if defined(__cplusplus)
#include "hpml/math_both.h"
#endif
