#pragma once
// Lab 2: what your files define and what the given programs call. No library is needed: everything is plain C++20.
// Activations are NHWC (image, row, column, channel; channels contiguous); convolution weights are k x k x ci x co.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab2 {

// ---- conv.cpp (K1) -------------------------------------------------------------------------------------------------
struct ConvShape {
  int n = 1, h = 1, w = 1, ci = 1, co = 1, k = 1, stride = 1, pad = 0;
};
static constexpr int out_h(const ConvShape& s) { return (s.h + 2 * s.pad - s.k) / s.stride + 1; }
static constexpr int out_w(const ConvShape& s) { return (s.w + 2 * s.pad - s.k) / s.stride + 1; }

// y[n,oh,ow,co] = sum over kh, kw, ci of x[n, oh*stride - pad + kh, ow*stride - pad + kw, ci] * w[kh,kw,ci,co].
// Values outside the image are zero. Every element of y is written.
void conv2d_forward(const ConvShape& shape, const float* x, const float* w, float* y);
// Writes the gradients of the loss by x and by w, given the gradient dy by y. dw sums over the batch. dx may be null:
// then it is not wanted.
void conv2d_backward(const ConvShape& shape, const float* x, const float* w, const float* dy, float* dx, float* dw);

// ---- batch_norm.cpp (C7) -------------------------------------------------------------------------------------------
struct BatchNorm {
  int channels = 0;
  float eps = 1e-5F, momentum = 0.1F;
  float *gamma = nullptr, *beta = nullptr, *running_mean = nullptr, *running_var = nullptr;  // `channels` each
  std::vector<float> mean, rstd;  // of the last batch: forward writes them, backward reads them
};
// x and y: pixels x channels. Training: mean and biased variance of the batch normalise, and the running statistics
// become (1 - momentum) * running + momentum * batch, with the unbiased variance. Otherwise: the running statistics.
void batch_norm_forward(BatchNorm& norm, int64_t pixels, const float* x, bool training, float* y);
// After batch_norm_forward(training = true) with the same x. dx may be the memory of dy.
void batch_norm_backward(const BatchNorm& norm, int64_t pixels, const float* x, const float* dy, float* dx,
                         float* dgamma, float* dbeta);

// ---- optimizers.cpp (C6) -------------------------------------------------------------------------------------------
enum class OptimizerKind { sgd, nesterov, adagrad, adadelta, adam };
struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::sgd;
  double lr = 0.1, momentum = 0.9, weight_decay = 5e-4;
  double rho = 0.9;                   // adadelta
  double beta1 = 0.9, beta2 = 0.999;  // adam
  double adagrad_eps = 1e-10, adadelta_eps = 1e-6, adam_eps = 1e-8;
};
// How many values an optimizer keeps beside each parameter: 0, 1 or 2.
int moments(OptimizerKind kind);
// Step t = 1, 2, ... on all elements. a and b hold the moments (as many values as theta, or none); they are zero before
// the first step. optimizers.cpp instantiates it for float and double.
template <class T>
void optimizer_step(const OptimizerOptions& options, int64_t t, std::span<T> theta, std::span<const T> gradient,
                    std::span<T> a, std::span<T> b);

// ---- dataset.cpp, loader.cpp (C1, C3) ------------------------------------------------------------------------------
// The CIFAR-10 binary format: records of 3073 bytes, one label 0..9, then 1024 red, 1024 green, 1024 blue values, each
// plane row-major 32 x 32.
constexpr int kSide = 32, kPlanes = 3, kClasses = 10, kPixels = kSide * kSide, kRecordBytes = 1 + kPlanes * kPixels;
constexpr float kMean[kPlanes] = {.4914F, .4822F, .4465F};       // of value / 255, per plane
constexpr float kDeviation[kPlanes] = {.2023F, .1994F, .2010F};  // standard deviations, not variances

struct Dataset {
  std::vector<uint8_t> records;  // as in the files, in the order of their names
};
static inline int count(const Dataset& data) { return static_cast<int>(data.records.size() / kRecordBytes); }

// Training: all files data_batch_*.bin of the folder, in the order of their names. Test: test_batch.bin. Bad input
// throws std::runtime_error with one line, "FILE: byte OFFSET: what is wrong". OFFSET is where the damaged record begins: the
// one with a label above 9, or the last one if it is too short; 0 for an empty or a missing file. A folder without a training
// file is an error of FOLDER/data_batch_*.bin.
Dataset read_dataset(const std::string& folder, bool test);

struct LoaderOptions {
  int batch = 128;
  int workers = 2;   // threads that decode; 0: next() itself does
  int prefetch = 4;  // batches that may be ready or in the making at once, >= 1
  uint64_t seed = 1;
  bool shuffle = true;
  bool drop_last = false;  // leave out a last batch that is not full
  bool augment =
      false;  // random crop of 32 x 32 out of the image with 4 black pixels around it; mirrored half the time
  int io_latency_us = 0;  // sleep per sample: a storage slower than memory
};
struct Batch {
  int count = 0;
  const float* images = nullptr;     // count x 32 x 32 x 3, (value / 255 - mean) / deviation
  const int32_t* labels = nullptr;   // count
  const int32_t* samples = nullptr;  // count: which images of the data set
};
class Loader {
 public:
  virtual ~Loader() = default;  // joins the workers within 100 ms, also in the middle of an epoch
  virtual int batches_per_epoch() const = 0;
  virtual void start_epoch(int epoch) = 0;  // the next call of next() gives the epoch's first batch
  // False at the end of the epoch. The memory stays valid until the next call. An exception of a worker, such as the
  // std::runtime_error of a label above 9, is thrown here.
  virtual bool next(Batch& batch) = 0;
};
// The order of epoch e depends on (seed, e) and the augmentation of a sample on (seed, e, sample), on nothing else.
std::unique_ptr<Loader> make_loader(const Dataset& data, const LoaderOptions& options);

// A counter-based generator (SplitMix64): number i of the stream (seed, a, b). It has no state, so threads can share
// it.
static constexpr uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}
static constexpr uint64_t random_bits(uint64_t seed, uint64_t a, uint64_t b, uint64_t i) {
  return mix(mix(mix(mix(seed) + a) + b) + i);
}
static constexpr int random_below(uint64_t bits, int n) {  // 0 .. n-1
  return static_cast<int>((bits >> 32) * static_cast<uint64_t>(n) >> 32);
}

// ---- timers.cpp (C1, C2), main.cpp (C1) ----------------------------------------------------------------------------
// A network on some device. Calls may return before the device is done; synchronize() waits for it.
class Model {
 public:
  virtual ~Model() = default;
  virtual void train_step(const Batch& batch) = 0;  // forward, loss, backward
  virtual void update() = 0;                        // one step of the optimizer
  virtual void synchronize() = 0;
  virtual double loss() = 0;                      // mean loss of the last train_step or evaluate(), synchronized
  virtual int correct() = 0;                      // its images whose largest output is the label's
  virtual void evaluate(const Batch& batch) = 0;  // forward with running statistics; asynchronous like train_step
};
struct EpochTimes {
  double load_s = 0;          // waiting for the loader
  double train_s = 0;         // from the batch in hand to the end of the update on the device
  double total_s = 0;         // the whole epoch
  double loss = 0, top1 = 0;  // means over the epoch's samples
};
class StepLog {
 public:
  virtual ~StepLog() = default;
  virtual void step(int epoch, int step, int64_t samples, double loss, double top1) = 0;  // of this batch
};
// Trains one epoch: start_epoch, then next, train_step, update for every batch; one log entry per batch.
EpochTimes train_epoch(int epoch, Loader& loader, Model& model, StepLog& log);
// Share of a data set's samples that the model classifies right. The last batch may be smaller than the others.
double evaluate(Loader& loader, Model& model);

struct TrainOptions {
  std::string model = "resnet18", optimizer = "sgd", data, log, trace;
  std::string device = "cpu";  // or "sim:" and a GPU's name: the time of a step there by your PALEO, no computation
  std::string onnx;            // file for the trained network
  int width = 16, epochs = 5, batch = 128, workers = 2, threads = 1, io_latency_us = 0;
  double lr = 0.1, momentum = 0.9, weight_decay = 5e-4;
  uint64_t seed = 1;
  double eval_every = 1;  // of an epoch: 0.25 validates four times in each
  bool batch_norm = true, augment = false;
};
// Reads "--batch 64 --no-batch-norm ..." (README: the options). Throws std::invalid_argument that names the word for an
// unknown option, a missing or unreadable value, a value out of range, and for --data left out.
TrainOptions parse(std::span<const std::string_view> words);

// ---- costs.cpp (P2) ------------------------------------------------------------------------------------------------
struct Extent {
  int h = 1, w = 1, c = 1;
};
struct Node {      // one layer, for one image; only the fields of its operator are set
  std::string op;  // conv2d, linear, batch_norm, relu, add, avg_pool, max_pool, concat
  std::string name;
  std::vector<Extent> in = {};
  Extent out = {};
  int kernel = 1, stride = 1, pad = 0, groups = 1;
  bool bias = false;
};
struct Cost {
  int64_t macs = 0;           // products of convolutions and linear layers; taps in the padding count
  int64_t executed_macs = 0;  // without the taps that fall into the padding
  int64_t other_flop = 0;     // batch_norm 2 per element, relu and add 1, pools kernel * kernel
  int64_t parameters = 0;     // trained elements
  int64_t buffers = 0;        // kept but not trained: running statistics
  int64_t bytes_in = 0, bytes_w = 0, bytes_out = 0;  // float32: each input whole, each trained parameter once
};
Cost cost(const Node& node);

// ---- paleo.cpp (P3) ------------------------------------------------------------------------------------------------
struct Device {
  double peak = 0;       // FLOP/s
  double bandwidth = 0;  // bytes/s
  double clock = 0;      // Hz
};
struct PaleoTime {
  double compute_s = 0, memory_s = 0;
};
// compute = max(1 / clock, FLOP / (peak * ppp)), memory = bytes / bandwidth; FLOP = 2 * MAC.
PaleoTime paleo(int64_t macs, int64_t bytes, const Device& device, double ppp);
struct Layer {
  int64_t macs = 0, bytes = 0;
  double measured_s = 0;
};
struct Fit {
  double ppp = 0;  // the platform percent of peak that fits the measured times best (least squares in 1 / ppp)
  double r2 = 0;   // 1 - residual sum of squares / total sum of squares
  int worst = 0;   // index of the layer with the largest |measured - predicted|
};
Fit fit_ppp(std::span<const Layer> layers, const Device& device);
enum class Exchange { one_to_all, tree, butterfly, ring };
// Seconds to exchange `bytes` among n workers at `bandwidth` bytes/s.
double exchange_s(Exchange kind, int n, int64_t bytes, double bandwidth);

// ---- compare.cpp (C5) ----------------------------------------------------------------------------------------------
struct Timed {  // a kernel of the simulated GPU, or a span of the CPU's profile
  int layer = 0;
  bool backward = false;
  double seconds = 0;
};
struct LayerTimes {  // seconds of one pass over a batch
  double paleo = 0;  // compute and memory time, one after the other
  double bound = 0;  // of the roofline: the longer of the two at the full peak (PPP 1); no program is faster
  double gpu = 0;    // simulated: all kernels of the layer and pass
  double cpu = 0;    // measured
};
struct Comparison {
  std::vector<LayerTimes> forward, backward;  // by layer
  LayerTimes total;                           // of both
};
// The work of a forward pass over a batch is cost()'s, with the parameters' bytes once. The backward pass has twice the
// MAC and twice the bytes; layer 0 has them once, because nobody needs its gradient by the image.
Comparison compare(std::span<const Node> layers, int batch, const Device& device, double ppp,
                   std::span<const Timed> gpu, std::span<const Timed> cpu);

// ---- tta.cpp (T1) --------------------------------------------------------------------------------------------------
struct Evaluation {
  int64_t samples = 0;
  double seconds = 0, accuracy = 0;
};
using Curve = std::vector<Evaluation>;  // of one run, in order
struct TtaSummary {
  int runs = 0, reached = 0;       // runs that never reach the threshold are censored
  std::vector<int64_t> samples;    // of the runs that reach it, in their order: the first evaluation at or above it
  double mean = 0, deviation = 0;  // of `samples`, n - 1 in the denominator
  bool has_cov = false;            // five successes or more
  double cov = 0;                  // deviation / mean
  double low = 0, high = 0;        // 95 % bootstrap interval of the mean: 10 000 resamples, percentiles
};
TtaSummary time_to_accuracy(std::span<const Curve> curves, double threshold);

// ---- utilisation.cpp (U1) ------------------------------------------------------------------------------------------
struct Span {  // a kernel on some stream of the GPU
  double start_us = 0, duration_us = 0;
  double bytes = 0;      // that it moves between the GPU and its memory
  double occupancy = 0;  // resident warps over possible warps, 0 to 1
};
struct Window {
  double gpu = 0;        // share of the window in which one kernel or more run; overlaps count once
  double memory = 0;     // share in which memory is busy: a kernel needs min(its duration, bytes / peak) of it, evenly
                         // over its duration; at most 1
  double occupancy = 0;  // mean over the time in which a kernel runs, each kernel weighted with its time; 0 without any
};
// Windows [i * window_us, (i + 1) * window_us) from 0 on, as many as it takes to cover end_us.
std::vector<Window> utilisation(std::span<const Span> spans, double window_us, double end_us, double bytes_per_us);

// ---- trace.cpp (P1) ------------------------------------------------------------------------------------------------
struct Event {
  std::string_view name, pass;  // outlive the tracer; pass: "forward", "backward", "update", "load", "step"
  int node = -1;                // index of the layer, -1: none
  int64_t flop = 0, bytes = 0;
  int thread = 0;  // 0, 1, ...: filled in by the tracer
  int64_t start_ns = 0, duration_ns = 0;
};
class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual int64_t now_ns() const = 0;           // since the tracer was made
  virtual void record(const Event& event) = 0;  // from any thread, at the end of the span
  virtual std::vector<Event> events()
      const = 0;  // by thread, then by start; an enclosing span before the enclosed ones
};
std::unique_ptr<Tracer> make_tracer();
// Duration of every event without the events directly inside it. events: as Tracer::events() gives them.
std::vector<int64_t> self_times(std::span<const Event> events);
// Chrome trace event format: {"traceEvents": [...], "displayTimeUnit": "ms"}; spans are "ph": "X" with times in
// microseconds and args {"pass", "flops", "bytes"}; every thread has a "ph": "M" event thread_name.
std::string chrome_trace(std::span<const Event> events);

// ---- optimize.cpp (C8) ---------------------------------------------------------------------------------------------
// A convolution without bias, then batch normalisation with running statistics = one convolution with bias: changes
// the weights (k x k x ci x co) in place and writes the biases (co).
void fold_batch_norm(const ConvShape& shape, const BatchNorm& norm, float* w, float* bias);
struct GraphNode {
  std::string_view op;      // as Node::op
  std::vector<int> inputs;  // earlier nodes, -1: the image
};
// Which nodes run as one kernel, in order: a convolution takes the batch_norm behind it, then an add whose other input
// is ready by then, then the relu behind that; every other node is a group of its own. Only a value that one node alone
// reads may vanish. Groups come in the order of their last nodes.
std::vector<std::vector<int>> fuse(std::span<const GraphNode> nodes);
struct Lifetime {
  int64_t bytes = 0;
  int first = 0, last = 0;  // steps in which the buffer is in use, both included
};
// Offsets in one block of memory, multiples of 64: buffers whose lifetimes meet do not overlap. As small as you can:
// the largest buffers first, each at the lowest place that is free.
std::vector<int64_t> plan_memory(std::span<const Lifetime> buffers);

}  // namespace lab2
