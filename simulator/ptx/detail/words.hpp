#pragma once
// The words of the declaration grammar (PTX ISA 5 and 11), without their dots.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// "shared", "shared::cta", "tex" (the old spelling of a global texture reference), ...
std::optional<Space> space_word(std::string_view word);
std::string_view space_name(Space space);

bool is_type_word(std::string_view word);

// A word that may stand before the name of a variable, besides its state space.
bool declaration_word(std::string_view word);
bool performance_word(std::string_view word);

// With their dots, for suggestions.
std::vector<std::string> type_words();
std::vector<std::string> body_directives();
std::vector<std::string> module_directives();
std::vector<std::string> function_directives();

}  // namespace hpml::sim::ptx
