// cuProfilerStart and cuProfilerStop.
#pragma once
#include <cuda.h>
