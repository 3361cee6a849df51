#pragma once
// The export: what export_onnx.cpp (E1), greedy.cpp (E2, E3) define, and the given programs that stand behind it. A
// given writer turns what you describe into the bytes of an ONNX file (github.com/onnx/onnx, opset 13); a given
// interpreter runs such files. Neither knows your training code.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lab6.hpp"

namespace lab6 {

// ---- export_onnx.cpp (E1) ------------------------------------------------------------------------------------------
enum class Element { float32, int32, int64, boolean };
using Extent = std::variant<int64_t, std::string>;  // a number, or the name of one that each run decides: "T", "B"
using Attribute = std::variant<int64_t, std::string, std::vector<int64_t>>;

// Describes a graph. Values are known by name; a node may only read what stands before it.
class GraphWriter {
 public:
  virtual ~GraphWriter() = default;
  virtual void input(const std::string& name, Element type, const std::vector<Extent>& extents) = 0;
  virtual void output(const std::string& name, Element type, const std::vector<Extent>& extents) = 0;
  // Constants. The extents' product is the number of values.
  virtual void weights(const std::string& name, const std::vector<int64_t>& extents, std::span<const float> values) = 0;
  virtual void integers(const std::string& name, const std::vector<int64_t>& extents,
                        std::span<const int64_t> values) = 0;
  // An operator of opset 13. "" leaves an optional input or output out.
  virtual void node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs,
                    const std::vector<std::pair<std::string, Attribute>>& attributes = {}) = 0;
};

// The encoder: inputs tokens int64 [T, B] and lengths int32 [B]; outputs "outputs" float [T, B, H], zero at padding,
// and "state" float [2, B, H]: the decoder's first state. T and B are names, H is a number.
void export_encoder(const Checkpoint& checkpoint, GraphWriter& writer);
// One step of the decoder: inputs tokens int64 [1, B], state float [2, B, H], encoder_outputs float [T, B, H] and mask
// bool [T, B], true where there is a word; outputs logits float [B, V] and next_state float [2, B, H].
void export_decoder(const Checkpoint& checkpoint, GraphWriter& writer);

// ---- greedy.cpp (E2) -----------------------------------------------------------------------------------------------
// A graph that was read from a file. Everything throws BadInput where names, types or extents do not fit.
class GraphRunner {
 public:
  virtual ~GraphRunner() = default;
  virtual void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int64_t> values) = 0;
  virtual void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int32_t> values) = 0;
  virtual void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const float> values) = 0;
  virtual void set_mask(const std::string& input, const std::vector<int64_t>& extents,
                        std::span<const uint8_t> values) = 0;  // 0 or 1
  virtual void run() = 0;
  virtual std::span<const float> get(const std::string& output) const = 0;  // until the next run()
};

// Replies to all questions at once (each is a row of words, without kEnd; none is empty). Starts with kStart; a reply
// ends before kEnd, or after kMaxTokens words. Among equal logits the lowest word wins.
std::vector<std::vector<int32_t>> greedy_replies(GraphRunner& encoder, GraphRunner& decoder,
                                                 std::span<const std::vector<int32_t>> questions);

// ---- greedy.cpp (E3) -----------------------------------------------------------------------------------------------
struct Latency {
  int64_t samples = 0;
  double median_s = 0, p95_s = 0;
};
// Something that answers: load() reads files and prepares, once; answer() answers one question or batch.
struct Subject {
  std::function<void()> load, answer;
};
// Times `samples` answers one by one, with a clock that gives seconds. Loading and `warm_up` answers come first and are
// not timed. The median of an even number of values is the mean of the middle two; p95 is value number ceil(0.95 n) of
// the sorted ones, counted from 1.
Latency measure_latency(const Subject& subject, int64_t samples, int64_t warm_up, const std::function<double()>& clock);

}  // namespace lab6
