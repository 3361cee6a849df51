#pragma once
// The network: embedding, bidirectional encoder of two GRU layers, decoder of two GRU layers with attention. It calls the
// student's layers; what is not an exercise (embedding, concat layer, output layer, order of the passes) is here.
//
// Decoder steps do not read the attention's result of the step before, so with known input words the whole decoder runs
// over all time steps at once. Without a teacher the decoder first searches its own words step by step; no gradient flows
// through that search, so the passes over all time steps follow with those words as inputs.
#include <memory>

#include "harness/recorder.hpp"
#include "lab6.hpp"

namespace lab6 {

struct ModelShape {
  int vocabulary = 0, hidden = 0;
  int batch = 0;           // the largest
  int steps = kMaxTokens;  // the longest side, kEnd included
  double dropout = 0;      // of embeddings and between GRU layers, in compute_gradients() alone
};

class Chatbot : public Model {
 public:
  // Initial weights as PyTorch's layers have them; a pure function of the seed. recorder may be null.
  Chatbot(const ModelShape& shape, uint64_t seed, Compute& compute);
  ~Chatbot() override;

  std::span<const Parameter> parameters() const override;
  Loss compute_gradients(const Batch& batch, bool teacher, int64_t step) override;
  // The loss alone, without dropout; gradients are as they were.
  Loss compute_loss(const Batch& batch, bool teacher);

  // Greedy search: words of the answers, without kEnd; at most kMaxTokens. Questions have fewer than `steps` words.
  std::vector<std::vector<int32_t>> answer(std::span<const std::vector<int32_t>> questions);
  // Parts of answer(), to time: the encoder, and then the decoder's first step with the choice of its word, which
  // reads the batch again.
  void encode(const Batch& batch);
  void first_step();
  // Names and sizes must be those of parameters(); throws BadInput.
  void load(const std::vector<Tensor>& weights, const std::string& file);
  void record(Recorder* recorder);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Share of the pairs whose answer is found word for word.
double exact_match(Chatbot& model, const std::vector<TokenPair>& pairs);

}  // namespace lab6
