// Can damaged PTX text crash or hang the parser? Also replays the seeds of the fuzz target.
#include <cstdint>

#include "simulator/tests/fuzz/ptx_parser_fuzz.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

TEST(Robustness, SeedsPassTheFuzzTarget) {
  for (const std::string& name : seed_names()) {
    SCOPED_TRACE(name);
    fuzz_one(read_seed(name));
  }
}

TEST(Robustness, EveryTruncationOfEverySeedReturns) {
  for (const std::string& name : seed_names()) {
    const std::string text = read_seed(name);
    for (size_t length = 0; length < text.size(); ++length) {
      fuzz_one(std::string_view(text).substr(0, length));
    }
  }
}

// A fixed sequence (Knuth's MMIX multiplier), so that a finding can be repeated.
class Sequence {
 public:
  uint64_t next(uint64_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33) % bound;
  }

 private:
  uint64_t state_ = 1;
};

TEST(Robustness, FlippedBitsReturn) {
  Sequence sequence;
  for (const std::string& name : seed_names()) {
    const std::string text = read_seed(name);
    for (int round = 0; round < 800; ++round) {
      std::string damaged = text;
      for (uint64_t flips = 1 + sequence.next(4); flips > 0; --flips) {
        damaged[sequence.next(damaged.size())] ^= static_cast<char>(1U << sequence.next(8));
      }
      fuzz_one(damaged);
    }
  }
}

// Removing or doubling pieces reaches states that flipped bits do not.
TEST(Robustness, SplicedTextReturns) {
  Sequence sequence;
  for (const std::string& name : seed_names()) {
    const std::string text = read_seed(name);
    for (int round = 0; round < 500; ++round) {
      std::string damaged = text;
      const size_t from = sequence.next(text.size());
      const std::string piece = text.substr(from, 1 + sequence.next(40));
      if (round % 2 == 0) {
        damaged.erase(from, piece.size());
      } else {
        damaged.insert(sequence.next(text.size()), piece);
      }
      fuzz_one(damaged);
    }
  }
}

}  // namespace
}  // namespace hpml::sim::ptx
