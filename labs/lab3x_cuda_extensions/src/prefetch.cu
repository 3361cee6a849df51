// P: managed memory that is where it is needed. Target: no page fault on the GPU.
#include "extension.h"

// BEGIN STUDENT
// Write the kernel: x[i] = 2 x[i] + 1.
// Before the launch: cudaMemPrefetchAsync(x, bytes, device, 0) moves the pages in large pieces; a page fault of the GPU
// would stop its threads for each. cudaMemAdvise says where pages prefer to be.
// After the launch: prefetch them back to cudaCpuDeviceId, which reads them next.
void update_managed(float* x, int n) {
  (void)x;
  (void)n;
}
// END STUDENT
