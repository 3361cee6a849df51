// S: pinned memory and streams. Target: copies in both directions at once, 0.7 of the time that they take in a row.
#include "extension.h"

// BEGIN STUDENT
// cudaHostRegister pins memory: only then does cudaMemcpyAsync return at once, and copy beside a kernel.
// Cut the arrays into 8 chunks, and give chunk i to stream i % 4: copy in, kernel, copy out. Within a stream all keeps
// its order; different streams overlap, and so do copies in and copies out.
// Wait for all of it before cudaHostUnregister, cudaFree and the end of the function.
void update_in_chunks(float* in, float* out, int n) {
  (void)in;
  (void)out;
  (void)n;
}
// END STUDENT
