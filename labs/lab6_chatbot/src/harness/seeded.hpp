#pragma once
// A checkpoint whose weights are random numbers that the judges make as well (judges/lab6_network.py).
#include <cmath>

#include "lab6.hpp"
#include "sweep.hpp"

namespace lab6 {

// Tensor number `index` is uniform in [-bound, bound); the embedding has bound 1, everything else 2 / sqrt(hidden).
static inline Checkpoint seeded_checkpoint(uint64_t seed, int vocabulary, int hidden) {
  Checkpoint result;
  result.config.hidden = hidden;
  for (int i = 0; i < vocabulary; ++i) {
    result.words.push_back(i == kPad ? "PAD" : i == kStart ? "SOS" : i == kEnd ? "EOS" : "w" + std::to_string(i));
  }
  const auto add = [&](const std::string& name, int rows, int columns) {
    Tensor tensor{name, rows, columns, {}};
    const double bound = name == "embedding.weight" ? 1 : 2 / std::sqrt(static_cast<double>(hidden));
    for (uint64_t i = 0; i < static_cast<uint64_t>(rows) * static_cast<uint64_t>(columns); ++i) {
      tensor.values.push_back(static_cast<float>(bound * (2 * sweep::uniform_of(seed, result.weights.size(), i) - 1)));
    }
    result.weights.push_back(std::move(tensor));
  };
  const auto add_gru = [&](const std::string& gru, const std::string& part, int input) {
    add(gru + ".weight_ih_" + part, 3 * hidden, input);
    add(gru + ".weight_hh_" + part, 3 * hidden, hidden);
    add(gru + ".bias_ih_" + part, 1, 3 * hidden);
    add(gru + ".bias_hh_" + part, 1, 3 * hidden);
  };
  add("embedding.weight", vocabulary, hidden);
  add_gru("encoder.gru", "l0", hidden);
  add_gru("encoder.gru", "l0_reverse", hidden);
  add_gru("encoder.gru", "l1", 2 * hidden);
  add_gru("encoder.gru", "l1_reverse", 2 * hidden);
  add_gru("decoder.gru", "l0", hidden);
  add_gru("decoder.gru", "l1", hidden);
  add("decoder.concat.weight", hidden, 2 * hidden);
  add("decoder.concat.bias", 1, hidden);
  add("decoder.out.weight", vocabulary, hidden);
  add("decoder.out.bias", 1, vocabulary);
  return result;
}

// Question number `index` of a seed: 1 .. 8 words.
static inline std::vector<int32_t> seeded_question(uint64_t seed, uint64_t index, int vocabulary) {
  const uint64_t stream = 1000000 + index;
  std::vector<int32_t> words(1 + static_cast<size_t>(8 * sweep::uniform_of(seed, stream, 0)));
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = 3 + static_cast<int32_t>((vocabulary - 3) * sweep::uniform_of(seed, stream, i + 1));
  }
  return words;
}

}  // namespace lab6
