// A part of curand_kernel.h by its own name.
#pragma once
#include "curand_kernel.h"
