#pragma once
// From the words of an instruction to its Variant: derived from the Specs alone.
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/result.hpp"
#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

struct Decoded {
  const Variant* variant = nullptr;
  Mods mods;
};

// `root` and `suffixes` as parsed ("ld", {"global","nc","v2","f32"}), in any order PTX producers use. `operands` is the
// number of top-level operands with a|b counted as two, for forms that differ in operand count only (setp with and
// without c, shfl with and without p). Error: one line that names the unknown root or suffix, near names included.
Result<Decoded, std::string> decode(std::string_view root, std::span<const std::string> suffixes, size_t operands);

// The latest version of PTX whose instructions are all known here: executed, or refused by name (refused.hpp).
inline constexpr std::pair<int, int> kKnownPtx = {9, 0};
// What decode() says of an instruction that PTX does not have up to that version; "" for one that it has.
std::string unknown_instruction(std::string_view root);

// A whole function called as one instruction (ops/libm.hpp): "__nv_expf". Null when there is none of that name.
const Variant* find_function(std::string_view name);

}  // namespace hpml::sim::isa
