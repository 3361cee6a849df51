// The second half of NVIDIA's cuda_bf16.h.
#pragma once
#include <cuda_bf16.h>
