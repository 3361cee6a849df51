// Programs include it by this name; all of it comes with cuda_runtime.h.
#pragma once
#include <cuda_runtime.h>
