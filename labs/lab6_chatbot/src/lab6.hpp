#pragma once
// Lab 6: what your files define, and what the given programs offer them.
//
// Sequences are time-major: [T][B][H] means that the H values of sequence b at step t lie at (t * B + b) * H.
// Weights lie as in PyTorch: W of a layer is [outputs][inputs], so y = x W^T.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lab6 {

// ---- what you are given --------------------------------------------------------------------------------------------

// Bad input. what() is the whole line: "file:line: what is wrong". Programs print it and end with exit code 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// c[rows x columns] = op(a) * op(b) (+ c). Row-major; a is rows x depth, or depth x rows when transposed; b is
// depth x columns, or columns x depth when transposed.
struct Product {
  int64_t rows = 0, columns = 0, depth = 0;
  bool transpose_a = false, transpose_b = false, accumulate = false;
};

class Compute {
 public:
  virtual ~Compute() = default;
  // A fast matrix product on all threads. Does not allocate.
  virtual void multiply(const Product& shape, const float* a, const float* b, float* c) = 0;
  // Calls task(i) for i = 0 .. tasks-1, each once, in any order, on all threads; returns when all are done. Bits must
  // not depend on the threads: the tasks write to different places. A task must not call parallel() or multiply().
  template <class Task>
  void parallel(int tasks, Task&& task) {
    run(
        tasks, [](void* context, int i) { (*static_cast<std::remove_reference_t<Task>*>(context))(i); },
        const_cast<void*>(static_cast<const void*>(&task)));
  }

 protected:
  virtual void run(int tasks, void (*call)(void* context, int task), void* context) = 0;
};

constexpr int kTasks = 8;  // a good number of pieces for parallel()
struct Range {
  int64_t begin = 0, end = 0;
};
// Piece `index` of `pieces` of 0 .. n-1.
inline Range piece(int64_t n, int index, int pieces) { return {n * index / pieces, n * (index + 1) / pieces}; }

// Number `index` of random stream `stream`: uniform in [0, 1), a pure function of its three arguments.
double uniform(uint64_t seed, std::string_view stream, uint64_t index);
// The order in which epoch `epoch` visits n pairs.
std::vector<int> epoch_order(int n, uint64_t seed, int epoch);

// ---- D1: corpus.cpp, vocab.cpp --------------------------------------------------------------------------------------

struct Pair {
  std::string question, answer;  // text as it stands in the file, UTF-8
};
// Pairs (utterance replied to, reply) of an utterances.jsonl, in the order of the replies. Throws BadInput.
std::vector<Pair> read_corpus(const std::string& path);

// "Aren't you café-bound?" -> "aren t you cafe bound ?".
std::string normalise(std::string_view utf8);

constexpr int32_t kPad = 0, kStart = 1, kEnd = 2;
constexpr int kMaxTokens = 10;   // of the answer that is searched; sides of a pair have fewer
constexpr int kMinimumCount = 3;  // of a word in the vocabulary

struct Vocabulary {
  std::vector<std::string> words;                  // words[id]; the first three are "PAD", "SOS", "EOS"
  std::map<std::string, int32_t, std::less<>> ids;  // of the others
};
struct TokenPair {
  std::vector<int32_t> question, answer;  // ids of words, without kEnd
  bool operator==(const TokenPair&) const = default;
};
struct Corpus {
  Vocabulary vocabulary;
  std::vector<TokenPair> pairs;
};
// Normalises, drops long pairs, makes the vocabulary, drops pairs with rare words.
Corpus prepare(std::span<const Pair> pairs);

struct Batch {
  int size = 0, question_steps = 0, answer_steps = 0;
  std::vector<int32_t> question;  // [question_steps][size]: words, kEnd, then kPad
  std::vector<int32_t> lengths;   // [size]: of the questions, kEnd included
  std::vector<int32_t> answer;    // [answer_steps][size]: words, kEnd, then kPad
  std::vector<float> mask;        // [answer_steps][size]: 1 where `answer` is no padding
};
Batch make_batch(std::span<const TokenPair* const> pairs);

// ---- M1: gru.cpp -----------------------------------------------------------------------------------------------------

struct GruShape {
  int steps = 0, batch = 0, input = 0, hidden = 0;  // T, B, I, H
};
// Rows 0..H-1 are gate r, H..2H-1 gate z, 2H..3H-1 gate n.
template <class T>
struct GruTensors {
  T* w_ih = nullptr;  // [3H][I]
  T* w_hh = nullptr;  // [3H][H]
  T* b_ih = nullptr;  // [3H]
  T* b_hh = nullptr;  // [3H]
};
// Memory of one layer and direction, made once. What forward stores, backward finds.
struct GruMemory {
  float* previous = nullptr;     // [T][B][H]: the state before each step
  float* gates = nullptr;        // [T][B][3H]: r, z, n
  float* recurrent = nullptr;    // [T][B][3H]: W_hh h + b_hh, or what you need
  float* d_input = nullptr;      // [T][B][3H]: backward's own
  float* d_recurrent = nullptr;  // [T][B][3H]: backward's own
  float* d_state = nullptr;      // [B][H]: backward's own
  float* transposed = nullptr;   // [H][3H]: room for a copy of w_hh
};
// One direction. x: [T][B][I]. start: [B][H], null for zeros. Sequence b has lengths[b] steps; its state does not change
// beyond them, and y is zero there. reversed: time runs from lengths[b]-1 down to 0. Writes y: [T][B][H] and last: [B][H],
// the state after the last step.
void gru_forward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const float* start,
                 const int32_t* lengths, bool reversed, const GruMemory& memory, float* y, float* last,
                 Compute& compute);
// Given dy and d_last (null for zeros), the gradients of the loss by y and last: adds to `gradients`, writes dx (unless
// null) and d_start (unless null). y of padding is a constant: dy is ignored there.
void gru_backward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const int32_t* lengths,
                  bool reversed, const float* dy, const float* d_last, const GruMemory& memory,
                  const GruTensors<float>& gradients, float* dx, float* d_start, Compute& compute);

// ---- M2: attention.cpp -----------------------------------------------------------------------------------------------

struct AttentionShape {
  int queries = 0, keys = 0, batch = 0, hidden = 0;  // Q, K, B, H
};
// score(q, b, k) = query[q][b] . key[k][b], or, with w [H][H], (query[q][b] w) . key[k][b]; -infinity for
// k >= lengths[b]. Writes weights [Q][B][K], the softmax over k, and context [Q][B][H], the weighted sums of keys.
// projected: [Q][B][H], for query w; null without w.
void attention_forward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                       const float* w, float* projected, float* weights, float* context, Compute& compute);
// Given d_context: writes d_query, adds to d_keys and, with w, to d_w. projected is as forward left it; it may be
// overwritten.
void attention_backward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                        const float* w, float* projected, const float* weights, const float* d_context, float* d_query,
                        float* d_keys, float* d_w, Compute& compute);

// ---- M3: loss.cpp ----------------------------------------------------------------------------------------------------

struct Loss {
  double sum = 0;      // of mask * negative log likelihood
  int64_t tokens = 0;  // with mask 1
  double mean() const { return tokens == 0 ? 0 : sum / static_cast<double>(tokens); }
};
// logits: [rows][vocabulary]. Writes row_losses [rows] and, unless it is null, d_logits: the gradient of the mean by the
// logits; d_logits may be the memory of logits.
Loss masked_loss(int rows, int vocabulary, const float* logits, const int32_t* targets, const float* mask,
                 float* row_losses, float* d_logits, Compute& compute);
// Whether batch number `step` of a training run reads the right words: one draw, number `step` of stream "teacher".
bool use_teacher(double ratio, uint64_t seed, int64_t step);
// Multiplies all gradients by min(1, limit / (norm + 1e-6)), the norm being that of all of them together; without a
// limit, leaves them. Returns the norm.
double clip_gradients(std::span<const std::span<float>> gradients, std::optional<double> limit);

// ---- T1: train.cpp ---------------------------------------------------------------------------------------------------

enum class OptimizerKind : uint8_t { adam, sgd };
struct Config {
  double lr = 0.005, decoder_learning_ratio = 3;
  std::optional<double> clip = 50;
  OptimizerKind optimizer = OptimizerKind::adam;
  double teacher_forcing_ratio = 1, dropout = 0.1;
  int hidden = 64, batch = 64, epochs = 15;
  uint64_t seed = 1;
};

enum class Side : uint8_t { encoder, decoder };  // the embedding belongs to the encoder
struct Parameter {
  std::string name;  // "encoder.gru.weight_ih_l0_reverse"
  int rows = 0, columns = 0;
  Side side = Side::encoder;
  std::span<float> value, gradient;
};
class Model {
 public:
  virtual ~Model() = default;
  virtual std::span<const Parameter> parameters() const = 0;  // always in the same order
  // Forward and backward pass: sets all gradients. teacher = false: the decoder reads its own words. step: the number of
  // updates done before this batch; it chooses the values that dropout drops.
  virtual Loss compute_gradients(const Batch& batch, bool teacher, int64_t step) = 0;
};

struct Tensor {
  std::string name;
  int rows = 0, columns = 0;
  std::vector<float> values;
  bool operator==(const Tensor&) const = default;
};
struct EpochResult {
  int epoch = 0;           // 1, 2, ...
  double loss = 0;         // training loss: mean over all tokens of the epoch
  double exact_match = 0;  // share of the held-out questions that are answered word for word
};
// All that a training run needs to go on where it was. Files of this: harness/checkpoint.hpp.
struct Checkpoint {
  Config config;
  std::vector<std::string> words;    // of the vocabulary
  int64_t steps = 0;                 // updates done
  std::vector<EpochResult> history;  // epochs done
  std::vector<Tensor> weights;       // in the order of Model::parameters()
  std::vector<Tensor> means, squares;  // moments of Adam, the same order; empty for sgd
};
struct TrainingData {
  Vocabulary vocabulary;
  std::vector<TokenPair> training, held_out;
};
struct Callbacks {
  std::function<double(const std::vector<TokenPair>& pairs)> exact_match;  // of the model as it is now
  std::function<bool(const EpochResult& result)> on_epoch;                 // false ends the run
};
// One update of all parameters; step = 1, 2, ... Adam as in PyTorch: beta 0.9 and 0.999, eps 1e-8. Parameters of the
// decoder have lr * decoder_learning_ratio. means and squares are as long as the parameters, for adam alone.
void update(const Config& config, int64_t step, std::span<const Parameter> parameters, std::span<Tensor> means,
            std::span<Tensor> squares, Compute& compute);
// Trains until config.epochs epochs are done. Goes on from a checkpoint when there is one. Batches: epoch_order(), cut
// into pieces of config.batch; a shorter rest is left out.
Checkpoint train(const Config& config, const TrainingData& data, const Checkpoint* resume, Model& model,
                 const Callbacks& callbacks, Compute& compute);

}  // namespace lab6
