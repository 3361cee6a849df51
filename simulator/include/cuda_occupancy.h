// Thrust includes this header and uses nothing of it. The calculator that NVIDIA's header has (cudaOcc...) is not here; the
// runtime's own functions (cudaOccupancy...) are in cuda_runtime_api.h.
#pragma once

#include "driver_types.h"
