// K1: the convolution of a training step: forward, and backward by the input and by the weights.
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. Seven loops: image, output row, output column, filter row, filter column, input channel, output channel.
//         Leave out what lies in the padding. Keep the output channel innermost: its values lie side by side.
void conv2d_forward(const ConvShape&, const float*, const float*, float*) {}

// Step 2. The same loops: each product x * w of the forward pass gives w * dy to dx and x * dy to dw. Both start at zero.
// Step 3. When it is right, make it fast: sums that stay in registers, whole vectors of output channels.
void conv2d_backward(const ConvShape&, const float*, const float*, const float*, float*, float*) {}
// END STUDENT

}  // namespace lab2
