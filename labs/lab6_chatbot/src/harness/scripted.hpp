#pragma once
// Graphs that are no network: the words of every reply are a hash of the question, so a judge knows them
// (judges/lab6_greedy.py). They check what they are given.
#include <algorithm>
#include <map>

#include "export.hpp"
#include "sweep.hpp"

namespace lab6 {

constexpr int kScriptedWords = 24, kScriptedHidden = 4;

// What encoder and decoder share: the hash of each question of the batch.
struct Script {
  explicit Script(uint64_t seed_) : seed(seed_) {}
  uint64_t seed;
  int64_t steps = 0, batch = 0;
  std::vector<uint64_t> hashes;
  std::vector<int32_t> lengths;
  // Length of the reply, 0 .. 12, and its words.
  int64_t length_of(size_t b) const { return static_cast<int64_t>(13 * sweep::uniform_of(seed, hashes[b], 0)); }
  int64_t word_of(size_t b, int64_t step) const {
    return 3 + static_cast<int64_t>((kScriptedWords - 3) *
                                    sweep::uniform_of(seed, hashes[b], 1 + static_cast<uint64_t>(step)));
  }
};

class ScriptedGraph : public GraphRunner {
 public:
  explicit ScriptedGraph(Script& script) : script_(script) {}
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int64_t> values) override {
    take(input, extents, values);
  }
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int32_t> values) override {
    take(input, extents, values);
  }
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const float> values) override {
    take(input, extents, values);
  }
  void set_mask(const std::string& input, const std::vector<int64_t>& extents,
                std::span<const uint8_t> values) override {
    take(input, extents, values);
  }
  std::span<const float> get(const std::string& output) const override {
    const auto found = outputs_.find(output);
    return found == outputs_.end() ? throw BadInput("no output '" + output + "'")
                                   : std::span<const float>(found->second);
  }

 protected:
  struct Input {
    std::vector<int64_t> extents;
    std::vector<double> values;
  };
  const Input& input(const std::string& name, const std::vector<int64_t>& extents) const {
    const auto found = inputs_.find(name);
    if (found == inputs_.end() || found->second.extents != extents) {
      throw BadInput("run(): input '" + name + "' is not set with the extents that belong to it");
    }
    return found->second;
  }
  template <class T>
  void take(const std::string& name, const std::vector<int64_t>& extents, std::span<const T> values) {
    int64_t count = 1;
    for (const int64_t extent : extents) {
      count *= extent;
    }
    if (count != static_cast<int64_t>(values.size())) {
      throw BadInput("input '" + name + "': extents and number of values differ");
    }
    inputs_[name] = {extents, {values.begin(), values.end()}};
  }
  static void require(bool condition, const char* what) {
    if (!condition) {
      throw BadInput(what);
    }
  }

  Script& script_;
  std::map<std::string, Input> inputs_;
  std::map<std::string, std::vector<float>> outputs_;
};

class ScriptedEncoder : public ScriptedGraph {
 public:
  using ScriptedGraph::ScriptedGraph;
  void run() override {
    const auto found = inputs_.find("tokens");
    require(found != inputs_.end() && found->second.extents.size() == 2, "encoder: tokens must be [T, B]");
    const int64_t steps = found->second.extents[0], batch = found->second.extents[1];
    const auto& tokens = found->second.values;
    const Input& lengths = input("lengths", {batch});
    script_.steps = steps, script_.batch = batch;
    script_.hashes.assign(static_cast<size_t>(batch), 0);
    script_.lengths.clear();
    for (int64_t b = 0; b < batch; ++b) {
      const auto length = static_cast<int64_t>(lengths.values[static_cast<size_t>(b)]);
      script_.lengths.push_back(static_cast<int32_t>(length));
      require(length >= 1 && length <= steps, "encoder: a length is not in 1 .. T");
      for (int64_t t = 0; t < steps; ++t) {
        const auto word = static_cast<int64_t>(tokens[static_cast<size_t>(t * batch + b)]);
        require(t != length - 1 || word == kEnd, "encoder: kEnd is not the last word of a question");
        require(t < length || word == kPad, "encoder: behind a question there is no padding");
        if (t < length) {
          auto& hash = script_.hashes[static_cast<size_t>(b)];
          hash = sweep::split_mix(hash ^ static_cast<uint64_t>(word));
        }
      }
    }
    outputs_["outputs"].assign(static_cast<size_t>(steps * batch * kScriptedHidden), 0.5F);
    outputs_["state"].assign(static_cast<size_t>(2 * batch * kScriptedHidden), 0.0F);
  }
};

// The state counts the steps; a step's word depends on the step and, from the second on, on being fed the word before.
class ScriptedDecoder : public ScriptedGraph {
 public:
  using ScriptedGraph::ScriptedGraph;
  void run() override {
    const int64_t batch = script_.batch;
    const Input& words = input("tokens", {1, batch});
    const Input& state = input("state", {2, batch, kScriptedHidden});
    const Input& mask = input("mask", {script_.steps, batch});
    (void)input("encoder_outputs", {script_.steps, batch, kScriptedHidden});
    auto& logits = outputs_["logits"];
    auto& next = outputs_["next_state"];
    logits.assign(static_cast<size_t>(batch * kScriptedWords), -1.0F);
    next.resize(state.values.size());
    std::transform(state.values.begin(), state.values.end(), next.begin(),
                   [](double x) { return static_cast<float>(x + 1); });
    for (int64_t b = 0; b < batch; ++b) {
      const auto at = static_cast<size_t>(b);
      for (int64_t t = 0; t < script_.steps; ++t) {
        const bool word = mask.values[static_cast<size_t>(t * batch + b)] != 0;
        require(word == (t < script_.lengths[at]),
                "decoder: the mask is not true exactly where the question has words");
      }
      const auto step = static_cast<int64_t>(state.values[at * kScriptedHidden]);
      const int64_t length = script_.length_of(at);
      const int64_t before = step == 0 ? kStart : step <= length ? script_.word_of(at, step - 1) : -1;
      require(before < 0 || static_cast<int64_t>(words.values[at]) == before,
              "decoder: the word before is not what it was fed");
      const int64_t best = step < length ? script_.word_of(at, step) : kEnd;
      logits[at * kScriptedWords + static_cast<size_t>(best)] = 2;
      if (best + 1 < kScriptedWords) {
        logits[at * kScriptedWords + static_cast<size_t>(best) + 1] = 2;  // a tie: the lower word wins
      }
    }
  }
};

}  // namespace lab6
