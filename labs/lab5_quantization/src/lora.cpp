// P3: low-rank adapters (LoRA), and the 4-bit type of QLoRA.
#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
// A: any numbers around 0 that are not 0, from the seed, e.g. between -1/sqrt(in) and 1/sqrt(in); B: zeros, so that the layer
// starts as W.
void lora_start(const Lora& layer, uint64_t seed) {
  (void)layer;
  (void)seed;
}

// y = W x + (alpha / rank) B (A x)
std::vector<float> lora_forward(const Lora& layer, std::span<const float> x) {
  (void)x;
  return std::vector<float>(static_cast<std::size_t>(layer.out));
}

// dB = (alpha / rank) dy (A x)^T, dA = (alpha / rank) B^T dy x^T
void lora_backward(const Lora& layer, std::span<const float> x, std::span<const float> dy, const LoraGradient& gradient) {
  (void)layer;
  (void)x;
  (void)dy;
  (void)gradient;
}

// Gradient descent on what is trained.
void lora_step(const Lora& layer, const LoraGradient& gradient, double lr) {
  (void)layer;
  (void)gradient;
  (void)lr;
}

// One matrix that does the same: W + (alpha / rank) B A.
std::vector<float> lora_merge(const Lora& layer) { return {layer.w.begin(), layer.w.end()}; }

// Numbers that training changes.
int64_t lora_trainable(const Lora& layer) {
  (void)layer;
  return 0;
}

// NF4: blocks of 64 weights, the last may be short; scale = largest magnitude of the block; code = place of the level that is
// nearest to w / scale (in float), the lower one of two equally near. The levels are in README.md. A block of zeros has scale
// 0 and code 7. With an odd number of weights the high four bits of the last byte are 0. Writes q.codes and
// q.scales.
void nf4_quantize(std::span<const float> w, const Nf4& q) {
  (void)w;
  (void)q;
}

// Double quantisation: blocks of 256 scales; unit = largest scale / 255, step = scale / unit rounded half to even (both in
// float; a block of zeros has unit 0 and steps 0). Writes q.steps and q.units.
void nf4_quantize_scales(std::span<const float> scales, const Nf4& q) {
  (void)scales;
  (void)q;
}

// level * scale, or, where q.scales is empty, level * (step * unit).
std::vector<float> nf4_dequantize(const Nf4& q) { return std::vector<float>(static_cast<std::size_t>(q.n)); }

// Of everything in q: 4 bits per weight, 32 per float, 8 per step, divided by the weights.
double nf4_bits_per_weight(const Nf4& q) {
  (void)q;
  return 0;
}
// END STUDENT

}  // namespace lab5
