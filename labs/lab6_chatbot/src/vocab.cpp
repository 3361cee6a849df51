// D1: from text to numbers.
#include "lab6.hpp"

namespace lab6 {

// Step 1. Watch out: a letter with a mark is two bytes in UTF-8, or a letter and a combining mark.
std::string normalise(std::string_view utf8) { return std::string(utf8); }

// Step 2: short pairs, then counts, then the vocabulary, then pairs without rare words.
Corpus prepare(std::span<const Pair> pairs) {
  (void)pairs;
  Corpus corpus;
  corpus.vocabulary.words = {"PAD", "SOS", "EOS"};
  return corpus;
}

// Step 3: time-major, kEnd behind the words, kPad behind that.
Batch make_batch(std::span<const TokenPair* const> pairs) {
  Batch batch;
  batch.size = static_cast<int>(pairs.size());
  return batch;
}

}  // namespace lab6
