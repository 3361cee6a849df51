// The reader against damaged input: any outcome but a crash or a hang is right (run under the sanitizers too).
#include <gtest/gtest.h>

#include "simulator/tests/fatbin/corpus.hpp"
#include "simulator/tests/fuzz/fatbin_fuzz.hpp"

namespace hpml::sim::fatbin {
namespace {

class Damage : public testing::TestWithParam<std::string> {};

TEST_P(Damage, EveryTruncationReturns) {
  const std::string file = corpus_file(GetParam());
  for (size_t length = 0; length < file.size(); ++length) {
    const std::string cut = file.substr(0, length);  // a copy: the sanitizer sees a read past its end
    fuzz_one(bytes_of(cut));
  }
}

TEST_P(Damage, EveryFlippedHeaderBitReturns) {
  const std::string file = corpus_file(GetParam());
  const size_t headers = std::min<size_t>(file.size(), 160);
  for (size_t bit = 0; bit < headers * 8; ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    fuzz_one(bytes_of(flipped));
  }
}

TEST_P(Damage, SpreadBitFlipsReturn) {
  const std::string file = corpus_file(GetParam());
  uint64_t state = 0x9E3779B97F4A7C15;  // fixed seed: the same flips on every run
  for (int round = 0; round < 2000; ++round) {
    std::string flipped = file;
    for (int flips = 0; flips < 1 + round % 4; ++flips) {
      state = state * 6364136223846793005 + 1442695040888963407;
      const size_t bit = (state >> 20) % (file.size() * 8);
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    }
    fuzz_one(bytes_of(flipped));
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Damage, testing::ValuesIn(kCorpus), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hpml::sim::fatbin
