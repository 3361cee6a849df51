#pragma once
// The modifier words of PTX that are not specific to one instruction: which Accept category a word belongs to, and what
// it sets in Mods.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

// The members of `set` that `word` belongs to are tried in the order of the Accept enum; the first that knows the word
// writes it to `mods` and is returned. nullopt: no category of `set` knows it.
std::optional<Accept> apply_modifier(std::string_view word, Accept set, Mods& mods);

// Every word of the categories in `set`.
std::vector<std::string> modifier_words(Accept set);

// ".rn .rz .rm .rp", for messages.
std::string words_of(Accept category);

}  // namespace hpml::sim::isa
