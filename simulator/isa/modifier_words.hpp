#pragma once
// The modifier words of PTX that are not specific to one instruction: which Accept category a word belongs to, and what
// it sets in Mods.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

// Writes `word` to `mods` if a category of `set` knows it and returns that category, of which no second word is legal
// (Accept::nothing: words that may stand beside others, such as cache hints). nullopt: no category of `set` knows it.
std::optional<Accept> apply_modifier(std::string_view word, Accept set, Mods& mods);

// Every word of the categories in `set`.
std::vector<std::string> modifier_words(Accept set);

// ".rn .rz .rm .rp", for messages.
std::string words_of(Accept category);

}  // namespace hpml::sim::isa
