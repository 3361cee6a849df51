// M1: a GRU layer, forward and backward through time.
//
//   r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)      z likewise
//   n = tanh(W_in x + b_in + r * (W_hn h + b_hn))   h' = (1 - z) n + z h
#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

// Step 1: one sequence, one step. Step 2: all steps; the products of x in front of the loop, in one call of multiply().
// Step 3: lengths. Step 4: reversed.
void gru_forward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const float* start,
                 const int32_t* lengths, bool reversed, const GruMemory& memory, float* y, float* last,
                 Compute& compute) {
  (void)shape, (void)weights, (void)x, (void)start, (void)lengths, (void)reversed, (void)memory, (void)y, (void)last;
  (void)compute;
}

// Step 5: from the last step to the first. Write down dn, dr, dz for one step before you write code.
void gru_backward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const int32_t* lengths,
                  bool reversed, const float* dy, const float* d_last, const GruMemory& memory,
                  const GruTensors<float>& gradients, float* dx, float* d_start, Compute& compute) {
  (void)shape, (void)weights, (void)x, (void)lengths, (void)reversed, (void)dy, (void)d_last, (void)memory;
  (void)gradients, (void)dx, (void)d_start, (void)compute;
}

}  // namespace lab6
