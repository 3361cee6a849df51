// D1: from text to numbers.
#include <algorithm>

#include "lab6.hpp"

namespace lab6 {

namespace {

// U+00C0 .. U+017F: the letter without its marks (NFD, lower case); a blank where that is no letter a-z.
constexpr std::string_view kLatin =
    "aaaaaa ceeeeiiii nooooo  uuuuy  aaaaaa ceeeeiiii nooooo  uuuuy y"
    "aaaaaaccccccccdd  eeeeeeeeeegggggggghh  iiiiiiiii   jjkk llllll "
    "   nnnnnn   oooooo  rrrrrrsssssssstttt  uuuuuuuuuuuuwwyyyzzzzzz ";
constexpr char32_t kFirstLatin = 0xC0, kFirstMark = 0x300, kLastMark = 0x36F;

// The next code point; bytes that are no UTF-8 count as one code point each.
char32_t next_code_point(std::string_view text, size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  char32_t code = more == 0 ? first : first & (0x3FU >> more);
  for (int i = 0; i < more && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  }
  return code;
}

// '\0': dropped. ' ': a gap.
char plain(char32_t code) {
  if (code >= 'A' && code <= 'Z') {
    return static_cast<char>(code - 'A' + 'a');
  }
  if ((code >= 'a' && code <= 'z') || code == '.' || code == '!' || code == '?') {
    return static_cast<char>(code);
  }
  if (code >= kFirstMark && code <= kLastMark) {
    return '\0';
  }
  return code >= kFirstLatin && code - kFirstLatin < kLatin.size() ? kLatin[code - kFirstLatin] : ' ';
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

struct Words {
  std::vector<std::string> question, answer;
};

// Calls use(word) for the words of all pairs, question first.
template <class Use>
void each_word(const std::vector<Words>& pairs, Use&& use) {
  for (const Words& pair : pairs) {
    std::for_each(pair.question.begin(), pair.question.end(), use);
    std::for_each(pair.answer.begin(), pair.answer.end(), use);
  }
}

// Ids of the words; empty if one of them is not in the vocabulary.
std::vector<int32_t> ids_of(const std::vector<std::string>& words, const Vocabulary& vocabulary) {
  std::vector<int32_t> ids;
  for (const std::string& word : words) {
    const auto found = vocabulary.ids.find(word);
    if (found == vocabulary.ids.end()) {
      return {};
    }
    ids.push_back(found->second);
  }
  return ids;
}

// One side of a batch: words, kEnd, then kPad up to `steps`.
template <class Side>
std::vector<int32_t> columns(std::span<const TokenPair* const> pairs, int steps, Side&& side) {
  std::vector<int32_t> tokens(static_cast<size_t>(steps) * pairs.size(), kPad);
  for (size_t b = 0; b < pairs.size(); ++b) {
    const std::vector<int32_t>& words = side(*pairs[b]);
    for (size_t t = 0; t <= words.size(); ++t) {
      tokens[t * pairs.size() + b] = t < words.size() ? words[t] : kEnd;
    }
  }
  return tokens;
}

}  // namespace

std::string normalise(std::string_view utf8) {
  std::string text;
  bool gap = false;
  for (size_t at = 0; at < utf8.size();) {
    const char letter = plain(next_code_point(utf8, at));
    if (letter == '\0') {
      continue;
    }
    if (letter == ' ') {
      gap = true;
      continue;
    }
    const bool stop = letter == '.' || letter == '!' || letter == '?';
    if ((gap || stop) && !text.empty()) {
      text += ' ';
    }
    text += letter;
    gap = false;
  }
  return text;
}

Corpus prepare(std::span<const Pair> pairs) {
  std::vector<Words> kept;
  for (const Pair& pair : pairs) {
    Words words{split(normalise(pair.question)), split(normalise(pair.answer))};
    const auto fits = [](const std::vector<std::string>& side) { return !side.empty() && side.size() < kMaxTokens; };
    if (fits(words.question) && fits(words.answer)) {
      kept.push_back(std::move(words));
    }
  }
  std::map<std::string, int, std::less<>> counts;
  each_word(kept, [&](const std::string& word) { ++counts[word]; });
  Corpus corpus;
  Vocabulary& vocabulary = corpus.vocabulary;
  vocabulary.words = {"PAD", "SOS", "EOS"};
  each_word(kept, [&](const std::string& word) {
    const auto id = static_cast<int32_t>(vocabulary.words.size());
    if (counts[word] >= kMinimumCount && vocabulary.ids.emplace(word, id).second) {
      vocabulary.words.push_back(word);
    }
  });
  for (const Words& words : kept) {
    TokenPair pair{ids_of(words.question, vocabulary), ids_of(words.answer, vocabulary)};
    if (!pair.question.empty() && !pair.answer.empty()) {
      corpus.pairs.push_back(std::move(pair));
    }
  }
  return corpus;
}

Batch make_batch(std::span<const TokenPair* const> pairs) {
  Batch batch;
  batch.size = static_cast<int>(pairs.size());
  for (const TokenPair* pair : pairs) {
    batch.lengths.push_back(static_cast<int32_t>(pair->question.size()) + 1);
    batch.question_steps = std::max(batch.question_steps, static_cast<int>(pair->question.size()) + 1);
    batch.answer_steps = std::max(batch.answer_steps, static_cast<int>(pair->answer.size()) + 1);
  }
  batch.question = columns(pairs, batch.question_steps, [](const TokenPair& pair) -> auto& { return pair.question; });
  batch.answer = columns(pairs, batch.answer_steps, [](const TokenPair& pair) -> auto& { return pair.answer; });
  batch.mask.assign(batch.answer.size(), 0.0F);
  for (size_t i = 0; i < batch.answer.size(); ++i) {
    batch.mask[i] = batch.answer[i] == kPad ? 0.0F : 1.0F;
  }
  return batch;
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
