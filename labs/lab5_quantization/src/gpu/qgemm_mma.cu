// E8: int8 matrix product on tensor cores.
#include "mma.h"
#include "qgemm.h"

// BEGIN STUDENT
// Compute 64 x 64 elements of C per block, with slabs of A and of B^T in shared memory as in qgemm_dp4a.cu. Each warp
// computes a part of them: it fills fragments of A and B from shared memory and calls mma() (mma.h says which lane
// holds what, and how often a fragment repeats). The same code serves both sizes of mma: loop over kRowPieces and kSteps.
// Look at the stores: which elements of C do the four lanes of a row hold, and what is that as int8?
// The instruction needs compute capability TENSOR_SM / 10 (7.5 or 8.0): ask compute_capability() before you launch.
const char* qgemm(const int8_t* a, const int8_t* bt, int32_t* c, Gemm shape) {
  (void)a;
  (void)bt;
  (void)c;
  (void)shape;
  return NULL;
}

// The same product; the sums leave the block as int8, through `scale` (see qgemm.h).
const char* qgemm_fused(const int8_t* a, const int8_t* bt, int8_t* c, Gemm shape, Requant scale) {
  (void)a;
  (void)bt;
  (void)c;
  (void)shape;
  (void)scale;
  return NULL;
}
// END STUDENT
