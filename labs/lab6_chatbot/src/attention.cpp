// M2: attention of the decoder's outputs over the encoder's.
#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

// Step 1: scores without w; softmax over the first lengths[b] of them, minus the largest; the others are 0.
void attention_forward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                       const float* w, float* projected, float* weights, float* context, Compute& compute) {
  (void)shape, (void)query, (void)keys, (void)lengths, (void)w, (void)projected, (void)weights, (void)context;
  (void)compute;
}

// Step 2: keys are used twice, in the scores and in the sums. Step 3: w.
void attention_backward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                        const float* w, float* projected, const float* weights, const float* d_context, float* d_query,
                        float* d_keys, float* d_w, Compute& compute) {
  (void)shape, (void)query, (void)keys, (void)lengths, (void)w, (void)projected, (void)weights, (void)d_context;
  (void)d_query, (void)d_keys, (void)d_w, (void)compute;
}

}  // namespace lab6
