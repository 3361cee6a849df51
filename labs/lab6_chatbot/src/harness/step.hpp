#pragma once
// One training step of a network of any size, on words that mean nothing: what `chatbot profile` and the benchmark time.
#include "harness/compute.hpp"
#include "harness/model.hpp"
#include "harness/recorder.hpp"
#include "lab6.hpp"

namespace lab6 {

// Random words, every side `steps` long.
inline Batch random_batch(int vocabulary, int size, int steps) {
  std::vector<TokenPair> pairs(static_cast<size_t>(size));
  std::vector<const TokenPair*> pointers;
  uint64_t drawn = 0;
  for (TokenPair& pair : pairs) {
    for (auto* side : {&pair.question, &pair.answer}) {
      for (int i = 0; i + 1 < steps; ++i) {
        side->push_back(kEnd + 1 + static_cast<int32_t>(uniform(1, "profile", drawn++) * (vocabulary - kEnd - 1)));
      }
    }
    pointers.push_back(&pair);
  }
  return make_batch(pointers);
}

// A training step of one network, as train() does it.
class Step {
 public:
  Step(int vocabulary, const Config& config, int steps, PoolCompute& compute)
      : config_(config),
        compute_(compute),
        model_({.vocabulary = vocabulary, .hidden = config.hidden, .batch = config.batch, .steps = steps,
                .dropout = config.dropout}, 1, compute),
        batch_(random_batch(vocabulary, config.batch, steps)) {
    for (const Parameter& parameter : model_.parameters()) {
      (parameter.side == Side::encoder ? encoder_ : decoder_).push_back(parameter.gradient);
      moments_.push_back({parameter.name, parameter.rows, parameter.columns, std::vector<float>(parameter.value.size())});
      elements_ += static_cast<int64_t>(parameter.value.size());
    }
    squares_ = moments_;
  }

  void run(Recorder* recorder) {
    const Span step(recorder, "step", "step");
    model_.record(recorder);
    model_.compute_gradients(batch_, true, count_);
    {
      const Span span(recorder, "clip", "update", 4 * elements_);
      clip_gradients(encoder_, config_.clip);
      clip_gradients(decoder_, config_.clip);
    }
    const Span span(recorder, "adam", "update", 28 * elements_);  // reads 16 bytes, writes 12
    update(config_, ++count_, model_.parameters(), moments_, squares_, compute_);
  }

 private:
  Config config_;
  PoolCompute& compute_;
  Chatbot model_;
  Batch batch_;
  std::vector<std::span<float>> encoder_, decoder_;
  std::vector<Tensor> moments_, squares_;
  int64_t elements_ = 0, count_ = 0;
};

}  // namespace lab6
