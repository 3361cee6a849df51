#pragma once
// The data that the checker gave a program to compute with, found again in what the program sends to its GPUs, and
// exchanged for other data of the same size.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hpml::sim::replay {

// `instead` takes the place of `given` wherever that is uploaded: empty, or as long as `given`.
struct Input {
  std::string given, instead;
};

class Inputs {
 public:
  explicit Inputs(std::vector<Input> inputs)
      : inputs_(std::move(inputs)), next_(inputs_.size()), uses_(inputs_.size()) {}

  bool empty() const { return inputs_.empty(); }
  bool exchanged() const;
  // What reaches the GPU where a program sends `payload` to byte `offset` of an allocation; nothing where it is no part
  // of an input. Of several parts that look alike the one in place, then the first one of the input used least.
  std::optional<std::string> find(const std::string& payload, uint64_t offset);
  // Where `payload` comes from, chosen as by find(); nothing for what is no part of an input, and for zeros.
  struct Part {
    size_t input = 0;
    uint64_t begin = 0;
  };
  std::optional<Part> place(const std::string& payload, uint64_t offset);
  // How many bytes of a payload for byte `offset` can belong to an input that ends within it; 0: none ends there.
  uint64_t bytes_before_end(const std::string& payload, uint64_t offset) const;
  // Finds whose bytes could have been exchanged for one of several: then a wrong result says nothing of the program.
  uint64_t ambiguous() const { return ambiguous_; }

 private:
  std::vector<Part> parts(const std::string& payload, uint64_t offset) const;
  std::string bytes(const Part& part, uint64_t count) const;
  Part take(const std::vector<Part>& found, uint64_t count);

  std::vector<Input> inputs_;
  std::vector<uint64_t> next_;  // where the last part that was found ended
  std::vector<uint64_t> uses_;
  uint64_t ambiguous_ = 0;
};

}  // namespace hpml::sim::replay
