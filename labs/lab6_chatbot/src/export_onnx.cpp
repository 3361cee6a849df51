// E1: the encoder and one step of the decoder as ONNX graphs.
#include "export.hpp"

namespace lab6 {

// BEGIN STUDENT
// Step 1. Write down the operators of the encoder with the extents of every value (the handout has the picture).
// Step 2. ONNX has the gates of a GRU in the order z, r, h; ours is r, z, n. Weights AND both biases.
// Step 3. linear_before_reset = 1: our reset gate multiplies after the recurrent product.
// Step 4. The decoder: one step. The loop over words stays outside: a graph has no "until".
void export_encoder(const Checkpoint&, GraphWriter&) {}

void export_decoder(const Checkpoint&, GraphWriter&) {}
// END STUDENT

}  // namespace lab6
