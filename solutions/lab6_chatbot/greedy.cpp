// E2: replies from the exported files alone. E3: how long a reply takes.
// HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>

#include "export.hpp"

namespace lab6 {

namespace {

struct Encoded {
  int64_t steps = 0, batch = 0, hidden = 0;
  std::vector<uint8_t> mask;  // [T][B]
  std::vector<float> outputs, state;
};

Encoded encode(GraphRunner& encoder, std::span<const std::vector<int32_t>> questions) {
  Encoded result;
  result.batch = static_cast<int64_t>(questions.size());
  std::vector<int32_t> lengths;
  for (const auto& question : questions) {
    lengths.push_back(static_cast<int32_t>(question.size()) + 1);  // kEnd belongs to it
    result.steps = std::max<int64_t>(result.steps, lengths.back());
  }
  const auto size = static_cast<size_t>(result.steps * result.batch);
  std::vector<int64_t> tokens(size, kPad);
  result.mask.resize(size);
  for (int64_t b = 0; b < result.batch; ++b) {
    const auto& question = questions[static_cast<size_t>(b)];
    for (size_t t = 0; t <= question.size(); ++t) {
      const size_t at = t * questions.size() + static_cast<size_t>(b);
      tokens[at] = t < question.size() ? question[t] : kEnd;
      result.mask[at] = 1;
    }
  }
  encoder.set("tokens", {result.steps, result.batch}, std::span<const int64_t>(tokens));
  encoder.set("lengths", {result.batch}, std::span<const int32_t>(lengths));
  encoder.run();
  const auto outputs = encoder.get("outputs"), state = encoder.get("state");
  result.outputs.assign(outputs.begin(), outputs.end());
  result.state.assign(state.begin(), state.end());
  result.hidden = static_cast<int64_t>(state.size()) / (2 * result.batch);
  return result;
}

}  // namespace

std::vector<std::vector<int32_t>> greedy_replies(GraphRunner& encoder, GraphRunner& decoder,
                                                 std::span<const std::vector<int32_t>> questions) {
  std::vector<std::vector<int32_t>> replies(questions.size());
  if (questions.empty()) {
    return replies;
  }
  Encoded encoded = encode(encoder, questions);
  const auto [steps, batch, hidden] = std::tuple(encoded.steps, encoded.batch, encoded.hidden);
  decoder.set("encoder_outputs", {steps, batch, hidden}, std::span<const float>(encoded.outputs));
  decoder.set_mask("mask", {steps, batch}, encoded.mask);
  std::vector<int64_t> words(questions.size(), kStart);
  std::vector<bool> ended(questions.size(), false);
  for (int step = 0; step < kMaxTokens && std::count(ended.begin(), ended.end(), false) != 0; ++step) {
    decoder.set("tokens", {1, batch}, std::span<const int64_t>(words));
    decoder.set("state", {2, batch, hidden}, std::span<const float>(encoded.state));
    decoder.run();
    const auto logits = decoder.get("logits"), next = decoder.get("next_state");
    encoded.state.assign(next.begin(), next.end());
    const size_t vocabulary = logits.size() / questions.size();
    for (size_t b = 0; b < questions.size(); ++b) {
      const auto row = logits.subspan(b * vocabulary, vocabulary);
      words[b] = std::max_element(row.begin(), row.end()) - row.begin();  // the first of equal ones
      ended[b] = ended[b] || words[b] == kEnd;
      if (!ended[b]) {
        replies[b].push_back(static_cast<int32_t>(words[b]));
      }
    }
  }
  return replies;
}

Latency measure_latency(const Subject& subject, int64_t samples, int64_t warm_up,
                        const std::function<double()>& clock) {
  subject.load();
  for (int64_t i = 0; i < warm_up; ++i) {
    subject.answer();
  }
  std::vector<double> times;
  for (int64_t i = 0; i < samples; ++i) {
    const double start = clock();
    subject.answer();
    times.push_back(clock() - start);
  }
  if (times.empty()) {
    return {};
  }
  std::sort(times.begin(), times.end());
  const size_t n = times.size();
  const double median = n % 2 == 1 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
  const auto place = static_cast<size_t>(std::ceil(0.95 * static_cast<double>(n) - 1e-9));
  return {samples, median, times[place - 1]};
}

}  // namespace lab6
