// R: a sum with warp shuffles. Target: one barrier per warp, one shared load per block.
#include "extension.h"

// BEGIN STUDENT
// Each thread sums up many elements (a grid-stride loop) in a register; float4 loads are the fastest.
// __shfl_down_sync(0xffffffff, value, 16) gives the value of the lane 16 further on; after 16, 8, 4, 2, 1 lane 0 has
// the sum of its warp: no shared memory, no barrier. The sums of the warps go through shared memory once, with one
// barrier; one atomicAdd per block ends it.
void reduce(const float* x, float* sum, int n) {
  (void)x;
  (void)sum;
  (void)n;
}
// END STUDENT
