#pragma once
// What the files of exercises P1 to P4 are made of. Each function is explained in the starter that you write it in; the
// formulas, with numbers, are in README.md. Bad arguments are answered with std::invalid_argument.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace lab5 {

// ---- prune.cpp (P1) ------------------------------------------------------------------------------------------------
// A mask holds one byte per weight: 1 keeps it, 0 prunes it. Weights lie as K x K x CI x CO: element i belongs to output
// channel i % co and to input channel i / co % ci.
using Mask = std::vector<uint8_t>;
using Layers = std::vector<std::span<const float>>;

Mask magnitude_mask(std::span<const float> w, double fraction);
std::vector<Mask> global_mask(const Layers& layers, double fraction);
Mask two_of_four_mask(std::span<const float> w, int ci, int co);
void apply_mask(std::span<float> w, std::span<const uint8_t> keep);

// A block: conv1 (k x k x ci x mid), batch norm of mid channels, ReLU, conv2 (k x k x mid x co).
struct BlockShape {
  int k, ci, mid, co;
};
struct BlockMasks {
  std::span<uint8_t> conv1, norm, conv2;  // norm: one byte per channel, for gamma and beta
};
void channel_masks(const BlockShape& shape, std::span<const float> conv1, double fraction, const BlockMasks& masks);

int64_t two_of_four_bits(int64_t weights, int bits);

struct Sensitivity {
  int64_t weights;                   // of the layer
  std::span<const double> accuracy;  // of the network, when this layer alone is pruned at each level; level 0: not at all
};
std::vector<int> allocate(std::span<const Sensitivity> layers, std::span<const double> fractions, int64_t budget);

// ---- distill.cpp (P2) ----------------------------------------------------------------------------------------------
struct Distillation {
  int batch, classes;
  double temperature, alpha;
};
// Logits: batch x classes. Returns the loss and writes its gradient by the student's logits.
double distillation_loss(const Distillation& d, std::span<const float> teacher, std::span<const float> student,
                         std::span<const int32_t> labels, std::span<float> gradient);

// ---- lora.cpp (P3) -------------------------------------------------------------------------------------------------
// y = W x + (alpha / rank) B A x. W: out x in, A: rank x in, B: out x rank, all row-major. The caller owns the numbers.
struct Lora {
  int in, out, rank;
  double alpha;
  std::span<float> w, a, b;
};
void lora_start(const Lora& layer, uint64_t seed);
std::vector<float> lora_forward(const Lora& layer, std::span<const float> x);  // x: in
struct LoraGradient {
  std::span<float> a, b;
};
void lora_backward(const Lora& layer, std::span<const float> x, std::span<const float> dy, const LoraGradient& gradient);
void lora_step(const Lora& layer, const LoraGradient& gradient, double lr);
std::vector<float> lora_merge(const Lora& layer);
int64_t lora_trainable(const Lora& layer);

constexpr int kNf4Block = 64, kScaleBlock = 256;
struct Nf4 {
  int64_t n = 0;
  std::span<uint8_t> codes;  // two per byte: weight 2 i in the low four bits
  std::span<float> scales;   // one per block of 64 weights; empty when they are quantised
  std::span<uint8_t> steps;  // quantised scales: scale = step * unit; empty when they are not
  std::span<float> units;    // one per block of 256 scales
};
void nf4_quantize(std::span<const float> w, const Nf4& q);
void nf4_quantize_scales(std::span<const float> scales, const Nf4& q);
std::vector<float> nf4_dequantize(const Nf4& q);
double nf4_bits_per_weight(const Nf4& q);

// ---- gptq.cpp (P4) -------------------------------------------------------------------------------------------------
// Weights rows x d, inputs samples x d (a row is one input). Scales: one per row, max |w| / (2^(bits-1) - 1).
struct GptqShape {
  int rows, d, samples, bits;
};
std::vector<float> round_to_nearest(const GptqShape& shape, std::span<const float> w);
std::vector<float> gptq(const GptqShape& shape, std::span<const float> w, std::span<const float> x, double damping);
std::vector<float> smooth_factors(const GptqShape& shape, std::span<const float> w, std::span<const float> x, double alpha);

// ---- blocks.cpp (P4) -----------------------------------------------------------------------------------------------
constexpr int kBlockWeights = 32, kQ8Bytes = 34, kQ4Bytes = 18;
uint16_t half_from_float(float x);
float float_from_half(uint16_t h);
std::vector<uint8_t> q8_0_quantize(std::span<const float> x);
std::vector<float> q8_0_dequantize(std::span<const uint8_t> blocks);
std::vector<uint8_t> q4_0_quantize(std::span<const float> x);
std::vector<float> q4_0_dequantize(std::span<const uint8_t> blocks);

}  // namespace lab5
