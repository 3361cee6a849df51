// M6: the next slab is loaded while this one is used. Target: one barrier per slab.
#include "extension.h"

// BEGIN STUDENT
// Start from M5. Take two tiles of each matrix. While the threads compute from one pair, they load the next slab
// into the other pair; then one __syncthreads() per slab is enough. The first slab is loaded before the loop.
void multiply(const float* A, const float* B, float* C, int n) {
  (void)A;
  (void)B;
  (void)C;
  (void)n;
}
// END STUDENT
