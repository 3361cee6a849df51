#pragma once
// What the files of exercises E1 to E7 are made of. Each function is explained in the starter that you write it in; the
// formulas, with numbers, are in README.md.
//
// A real number x is written as scale * (q - zero), q an integer between qmin and qmax: the scale DIVIDES.
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lab5 {

// ---- qparams.cpp (E1, E2) ------------------------------------------------------------------------------------------
// Integers that a type offers. symmetric: zero = 0 is demanded.
struct QType {
  int32_t qmin, qmax;
  bool symmetric;
};
constexpr QType kU8{0, 255, false};          // activations
constexpr QType kS8{-128, 127, false};       // full range
constexpr QType kS8Narrow{-127, 127, true};  // weights
static constexpr QType unsigned_type(int bits) { return {0, (1 << bits) - 1, false}; }
static constexpr QType narrow_type(int bits) { return {-(1 << (bits - 1)) + 1, (1 << (bits - 1)) - 1, true}; }

struct QParams {
  float scale;
  int32_t zero;
  int32_t qmin, qmax;
};

// E1. The tensor's name is for the message of the std::invalid_argument that bad limits are answered with.
QParams choose_qparams(std::string_view tensor, double lo, double hi, const QType& type);
int32_t quantize(float x, const QParams& p);
float dequantize(int32_t q, const QParams& p);

// E2. Weights lie as K x K x CI x CO: element i belongs to output channel i % co.
struct WeightStatistics {
  float min, max;
  double mean, sigma;  // sigma: root of the mean squared deviation (divided by n)
};
WeightStatistics weight_statistics(std::span<const float> w);
std::vector<int64_t> histogram(std::span<const float> x, float lo, float hi, int bins);

struct QuantizedWeights {
  std::vector<int8_t> q;
  std::vector<float> scales;  // one, or one per output channel
};
QuantizedWeights quantize_weights(std::span<const float> w, int co, int bits, bool per_channel);
std::vector<float> dequantize_weights(const QuantizedWeights& w, int co);
double sqnr_db(std::span<const float> x, std::span<const float> approximation);

// ---- observers.cpp (E3) --------------------------------------------------------------------------------------------
struct Range {
  float lo = 0, hi = 0;
};
constexpr int kBins = 2048;

Range min_max_range(std::span<const float> x);
struct EmaObserver {
  bool started = false;
  float lo = 0, hi = 0;
};
void ema_update(EmaObserver& observer, std::span<const float> batch);
float percentile_clip(std::span<const float> x, double p);  // p: 0 to 1
Range mse_range(std::span<const float> x, const QType& type);
struct KlClip {
  int bins = 0;  // kept: the clip is bins * width of a bin
  double divergence = 0;
};
KlClip kl_clip(std::span<const int64_t> counts);  // kBins of |x|
Range cross_entropy_range(std::span<const float> logits, int classes, const QType& type);
// Places of the first `count` training images that are no test images; hashes stand for images.
std::vector<int> calibration_images(std::span<const uint64_t> train, std::span<const uint64_t> test, int count);

// ---- codebook.cpp (E4) ---------------------------------------------------------------------------------------------
struct Codebook {
  std::vector<float> centroids;  // 2^bits, ascending
  std::vector<uint8_t> codes;    // one per weight
  std::vector<double> inertia;   // after each round: sum of the squared distances from the assigned centroids
};
Codebook make_codebook(std::span<const float> w, int bits);
std::vector<float> codebook_gradient(const Codebook& book, std::span<const float> dw);  // one per centroid
double bits_per_weight(int bits, int64_t weights);

// ---- lowering.cpp (E5) ---------------------------------------------------------------------------------------------
struct FoldedConv {
  std::vector<float> weight, bias;
};
struct BatchNormValues {
  std::span<const float> gamma, beta, mean, var;
  float eps;
};
// bias: empty when the convolution has none.
FoldedConv fold_batch_norm(std::span<const float> weight, std::span<const float> bias, const BatchNormValues& norm);
int32_t quantize_bias(float bias, float input_scale, float weight_scale);

struct Multiplier {
  int32_t m0 = 0;  // in [2^30, 2^31)
  int32_t n = 0;   // the multiplier is m0 * 2^-31 * 2^-n
};
Multiplier make_multiplier(double m);
int32_t requantize(int32_t acc, const Multiplier& m, int32_t zero, int32_t qmin, int32_t qmax);

struct ConvShape {
  int h, w, ci, co, k, stride, pad;
};
static inline int out_size(int size, const ConvShape& s) { return (size + 2 * s.pad - s.k) / s.stride + 1; }

// One image. x: h x w x ci; weights K x K x CI x CO; acc: out_h x out_w x co.
void conv_acc(const ConvShape& s, const uint8_t* x, int32_t zero, const int8_t* w, const int32_t* bias, int32_t* acc);
struct AddParams {
  float ra, rb;  // scale of the input over scale of the output
  int32_t za, zb, zy, qmin, qmax;
};
int32_t add_quantized(int32_t qa, int32_t qb, const AddParams& p);

// The network as it is given: nodes in order, which name their inputs by place (-1: the image).
struct FloatNode {
  std::string op, name;  // "conv2d", "batch_norm", "relu", "add", "avg_pool", "linear"
  std::vector<int> inputs;
  ConvShape shape{};                    // conv2d: its shape; linear: 1 x 1 x ci -> co; else h, w, ci of the input
  std::span<const float> weight, bias;  // conv2d, linear; an empty bias: none
  BatchNormValues norm{};               // batch_norm
  Range range;                          // of its output, as observed on the calibration images
};
struct FloatNet {
  Range input;
  std::vector<FloatNode> nodes;
};
// The network as integers. The last node is the linear one: its accumulators are the logits.
struct IntNode {
  enum class Op : uint8_t { conv, add, avg_pool, linear } op{};
  std::string name;         // of the last node that went into it
  std::vector<int> inputs;  // places in IntNet::nodes; -1: the image
  ConvShape shape{};
  std::vector<int8_t> weight;
  std::vector<int32_t> bias;
  std::vector<Multiplier> multipliers;  // conv: one per channel; avg_pool: one
  AddParams add{};
  QParams out{};                    // of its output; linear: unused
  int32_t clamp_lo = 0;             // smallest output: out.qmin, or out.zero after a relu
  std::vector<float> logit_scales;  // linear: of the accumulators, one per output
};
struct IntNet {
  QParams input{};
  std::vector<IntNode> nodes;
};
IntNet lower(const FloatNet& net);
// Of the stored model: a byte per weight, four per bias, and one float scale per output channel (conv, linear).
int64_t model_bytes(const IntNet& net);
// The accumulators of the linear node of one image, given as quantised bytes (h x w x ci).
std::vector<int32_t> run(const IntNet& net, const uint8_t* image);

// ---- qgemm.cpp (E6) ------------------------------------------------------------------------------------------------
// The rungs of the ladder. Those that this processor cannot run are refused by best_level() and never asked for.
enum class Level : int32_t { naive = 0, blocked = 1, avx2 = 2, vnni = 3, neon = 4 };

// ---- fake_quant.cpp (E7) -------------------------------------------------------------------------------------------
// extern "C", because the grader's program opens your library: see the starters.

}  // namespace lab5

extern "C" {
// ---- qgemm.cpp (E6) ------------------------------------------------------------------------------------------------
// The fastest level of this processor, as a number of lab5::Level.
int32_t qgemm_best_level(void);
// Bytes that pack() needs for `taps` matrices of k x n.
int64_t qgemm_packed_bytes(int32_t level, int64_t taps, int64_t k, int64_t n);
// w: taps x k x n, row-major (a filter of size 3: taps = 9, k = input channels). Aligned to 64 bytes: packed.
void qgemm_pack(int32_t level, int64_t taps, int64_t k, int64_t n, const int8_t* w, void* packed);
// c[m x n] = sum over k of (a[m][k] - za) * (b[k][n] - zb). b: packed, taps = 1. lda: distance of the rows of a.
void qgemm(int32_t level, int64_t m, int64_t n, int64_t k, const uint8_t* a, int64_t lda, int32_t za,
           const void* packed, int32_t zb, int32_t* c);
// One image of h x w x ci. y: out_h x out_w x co = sum over the window of (x - zx) * w; outside of the image x is zx.
void qconv(int32_t level, int32_t h, int32_t w, int32_t ci, int32_t co, int32_t k, int32_t stride, int32_t pad,
           const uint8_t* x, int32_t zx, const void* packed, int32_t* y);

// ---- fake_quant.cpp (E7) -------------------------------------------------------------------------------------------
// y = dequantize(quantize(x)); mask 1 where the integer lies in [qmin, qmax] before it is clamped, else 0.
void fake_quant_forward(int64_t n, const float* x, float scale, int32_t zero, int32_t qmin, int32_t qmax, float* y,
                        uint8_t* mask);
// dx = mask * dy (straight-through estimator). dx may be dy.
void fake_quant_backward(int64_t n, const uint8_t* mask, const float* dy, float* dx);
// Weights K x K x CI x CO with batch-norm factors gamma/sigma: the folded weight w * factor[co] is fake-quantised, per
// channel with scales[co] (narrow type of `bits`), then divided by the factor again. A factor of 0 gives 0, mask 0.
void fake_quant_weights(int64_t n, int32_t co, const float* w, const float* factor, const float* scales, int32_t bits,
                        float* y, uint8_t* mask);
}
