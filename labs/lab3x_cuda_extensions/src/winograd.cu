// W: Winograd's F(2x2, 3x3). Target: half of the multiplications of a direct kernel.
#include "extension.h"

// BEGIN STUDENT
// First kernel: U = G g G^T for each of the K * C filters, 16 numbers, G = {1 0 0; .5 .5 .5; .5 -.5 .5; 0 0 1}.
// Second kernel: a thread per 2 x 2 outputs. Per channel it loads 4 x 4 inputs d and forms V = B^T d B, only additions:
// a line becomes {d0 - d2, d1 + d2, d2 - d1, d1 - d3}. M += U * V, element by element: 16 multiplications, not 36.
// At the end the outputs: a line of four becomes {m0 + m1 + m2, m1 - m2 - m3}, in both directions.
void convolve(const float* image, const float* filter, float* out, float* scratch, Convolution shape) {
  (void)image;
  (void)filter;
  (void)out;
  (void)scratch;
  (void)shape;
}
// END STUDENT
