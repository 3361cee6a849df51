#pragma once
// The synthetic corpus: invented words, facts about them, and questions about the facts in several phrasings. An answer
// to a question that was never seen can be right only if its fact was learnt from another phrasing.
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab6.hpp"

namespace lab6 {

// 3,360 pairs, already normalised; a pure function of the seed.
std::vector<Pair> synthetic_pairs(uint64_t seed);
// As utterances.jsonl: a conversation of two utterances for each pair.
void write_corpus(const std::vector<Pair>& pairs, std::ostream& out);

// Whether a pair is kept for testing: a hash of its normalised question, 11 of 103.
bool held_out(std::string_view question);

// Of the words of a question: its kind, "where is the * ?", with a star for every invented word.
std::string kind_of(std::span<const int32_t> question, const std::vector<std::string>& words);

}  // namespace lab6
