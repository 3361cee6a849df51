#pragma once
// Instructions of PTX ISA 9.0 that are known and not executed: what decode() says about them, and the list in
// docs/isa.md. An instruction unknown to both this list and the ops is newer, or a mistake.
#include <span>
#include <string_view>

namespace hpml::sim::isa {

struct Refused {
  std::string_view mnemonic;  // "wgmma", or with the word that is not executed: "mma.sp"
  std::string_view what;  // the part of the machine that is missing
};
std::span<const Refused> refused_instructions();

}  // namespace hpml::sim::isa
