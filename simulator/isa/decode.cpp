#include "simulator/isa/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "common/base/diag.hpp"
#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/modifier_words.hpp"
#include "simulator/isa/refused.hpp"

namespace hpml::sim::isa {

namespace {

bool is_word_of(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

// The variants of one op struct: they share a Spec.
struct Group {
  const Spec* spec = nullptr;
  std::vector<std::string> fixed;
  bool ordered = false;  // `fixed` is Spec::sequence
  std::vector<const Variant*> variants;
};

using Index = std::map<std::string, std::vector<Group>, std::less<>>;

Index build_index() {
  Index index;
  for (const Variant& v : variants()) {
    std::vector<Group>& groups = index[std::string(v.spec->mnemonic)];
    if (groups.empty() || groups.back().spec != v.spec) {
      const bool ordered = !v.spec->sequence.empty();
      groups.push_back({v.spec, split(ordered ? v.spec->sequence : v.spec->fixed), ordered, {}});
    }
    groups.back().variants.push_back(&v);
  }
  return index;
}

const Index& index() {
  static const Index kIndex = build_index();
  return kIndex;
}

struct Asked {
  std::string_view root;
  std::span<const std::string> suffixes;
  size_t operands;
  std::string text() const {
    std::string out(root);
    for (const std::string& word : suffixes) {
      out.append(1, '.').append(word);
    }
    return out;
  }
};

// How far a group went before it refused; the error of the group that went farthest is the one to tell.
enum class Stage : uint8_t { word, types, missing, combination, operands };
struct Refusal {
  Stage stage = Stage::word;
  std::string message;
};

// The words of one instruction as one group reads them.
struct Reading {
  Mods mods;
  std::vector<Ty> types;
  size_t fixed_seen = 0;
  uint32_t seen = 0;     // Accept categories met
  unsigned choices = 0;  // of a sequence, met or passed over
};

// Spec::sequence: "aligned", "row|col", "trans?".
struct SequenceWord {
  std::vector<std::string> words;
  bool optional = false;
  bool is_choice() const { return optional || words.size() > 1; }
};

SequenceWord sequence_word(std::string_view text) {
  SequenceWord out;
  out.optional = text.ends_with('?');
  text.remove_suffix(out.optional ? 1 : 0);
  while (!text.empty()) {
    const size_t end = std::min(text.find('|'), text.size());
    out.words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The next word of a sequence, optional ones passed over. False: `word` is not it; nothing has changed.
bool take_in_sequence(const Group& group, std::string_view word, Reading& r) {
  unsigned choices = r.choices;
  for (size_t at = r.fixed_seen; at < group.fixed.size(); ++at) {
    const SequenceWord expected = sequence_word(group.fixed[at]);
    const auto found = std::find(expected.words.begin(), expected.words.end(), word);
    if (found != expected.words.end()) {
      const bool second = expected.optional || found != expected.words.begin();
      r.mods.mode |= static_cast<uint8_t>(expected.is_choice() && second ? 1u << choices : 0u);
      r.choices = choices + (expected.is_choice() ? 1 : 0);
      r.fixed_seen = at + 1;
      return true;
    }
    if (!expected.optional) {
      return false;
    }
    ++choices;
  }
  return false;
}

void pass_optional_end(const Group& group, Reading& r) {
  while (group.ordered && r.fixed_seen < group.fixed.size() && sequence_word(group.fixed[r.fixed_seen]).optional) {
    ++r.fixed_seen;
  }
}

bool take_mode(const Spec& spec, std::string_view word, Reading& r) {
  if (!accepts(spec.accept, Accept::mode | Accept::opt_mode)) {
    return false;
  }
  for (size_t i = 0; i < spec.modes.size() && !spec.modes[i].empty(); ++i) {
    if (spec.modes[i] == word) {
      r.mods.mode = static_cast<uint8_t>(accepts(spec.accept, Accept::mode) ? i : i + 1);
      return true;
    }
  }
  return false;
}

bool take_once(Accept category, Reading& r) {
  const auto bit = static_cast<uint32_t>(category);
  const bool fresh = (r.seen & bit) == 0;
  r.seen |= bit;
  return fresh;
}

// Empty: taken. Otherwise why not.
std::string take_word(const Group& group, const std::string& word, Reading& r) {
  const Spec& spec = *group.spec;
  if (group.ordered) {
    if (take_in_sequence(group, word, r)) {
      return {};
    }
  } else if (std::find(group.fixed.begin(), group.fixed.end(), word) != group.fixed.end()) {
    ++r.fixed_seen;
    return {};
  }
  if (take_mode(spec, word, r)) {
    return take_once(Accept::mode, r) ? "" : fmt::format("'.{}' is one modifier too many", word);
  }
  if (const auto category = apply_modifier(word, spec.accept, r.mods)) {
    return take_once(*category, r) || *category == Accept::nothing
               ? ""
               : fmt::format("'.{}' contradicts another modifier", word);
  }
  if (const auto type = parse_type(word)) {
    r.types.push_back(*type);
    return {};
  }
  if (is_word_of(spec.ignored, word)) {
    return {};
  }
  return fmt::format("'.{}' is not legal here", word);
}

const Variant* find_types(const Group& group, const std::vector<Ty>& types) {
  std::array<Ty, kMaxTypes> wanted = {};
  if (types.size() > wanted.size()) {
    return nullptr;
  }
  std::copy(types.begin(), types.end(), wanted.begin());
  for (const Variant* v : group.variants) {
    if (v->types == wanted) {
      return v;
    }
  }
  return nullptr;
}

// Categories of which a word must be there but is not; its words, for the message.
std::string missing_words(const Group& group, const Reading& r) {
  const Spec& spec = *group.spec;
  if (r.fixed_seen < group.fixed.size()) {
    return fmt::format(".{}", fmt::join(group.fixed, " ."));
  }
  if (accepts(spec.accept, Accept::mode) && (r.seen & static_cast<uint32_t>(Accept::mode)) == 0) {
    std::string out;
    for (size_t i = 0; i < spec.modes.size() && !spec.modes[i].empty(); ++i) {
      out += fmt::format("{}.{}", i == 0 ? "" : " ", spec.modes[i]);
    }
    return out;
  }
  uint32_t required = static_cast<uint32_t>(spec.required) |
                      (static_cast<uint32_t>(spec.accept) &
                       (static_cast<uint32_t>(Accept::cmp) | static_cast<uint32_t>(Accept::boolop)));
  const uint32_t missing = required & ~r.seen;
  return missing == 0 ? "" : words_of(static_cast<Accept>(missing & (~missing + 1)));
}

// Empty: legal. Lane ops: every source and the first destination must be there, later destinations may be left out.
std::string wrong_operand_count(const Variant& v, size_t operands) {
  const bool lane = v.shape == Shape::lane;
  const int sources = v.src_count - (v.selectors != Selectors::none ? 1 : 0);
  const int most = lane ? sources + v.dst_count : v.spec->max_operands;
  const int least = lane ? sources + std::min(v.dst_count, 1) : v.spec->min_operands;
  const int given = static_cast<int>(operands);
  if (most < 0 || (given >= least && given <= most)) {
    return {};
  }
  return least == most ? fmt::format("takes {} operands, not {}", least, given)
                       : fmt::format("takes {} to {} operands, not {}", least, most, given);
}

// The words of mma that may stand before the shape or behind the layouts: .kind and what follows it.
bool is_kind_word(const std::string& word) {
  return word.starts_with("kind::") || word == "block_scale" || word.starts_with("scale_vec::");
}
void move_kind_behind_layouts(std::vector<std::string>& words) {
  const auto kinds = std::stable_partition(words.begin(), words.end(), [](const auto& w) { return !is_kind_word(w); });
  const auto layouts = std::find(words.rbegin() + (words.end() - kinds), words.rend(), "col");
  if (kinds != words.end() && layouts != words.rend()) {
    std::rotate(layouts.base(), kinds, words.end());
  }
}

// The suffixes of ldmatrix and stmatrix, whose order is free, in that of the sequence; those that are not of it last,
// as they are.
std::vector<std::string> in_sequence(const Group& group, std::span<const std::string> suffixes) {
  std::vector<std::string> rest(suffixes.begin(), suffixes.end());
  const MatrixForm* form = group.variants.front()->matrix;
  if (!group.ordered || form == nullptr) {
    return rest;
  }
  if (form->op != MatrixOp::load8x8 && form->op != MatrixOp::store8x8) {
    move_kind_behind_layouts(rest);
    return rest;
  }
  std::vector<std::string> out;
  for (const std::string& place : group.fixed) {
    for (const std::string& word : sequence_word(place).words) {
      if (const auto found = std::find(rest.begin(), rest.end(), word); found != rest.end()) {
        out.push_back(std::move(*found));
        rest.erase(found);
        break;
      }
    }
  }
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Result<Decoded, Refusal> match(const Group& group, const Asked& asked) {
  Reading r;
  for (const std::string& word : in_sequence(group, asked.suffixes)) {
    if (std::string why = take_word(group, word, r); !why.empty()) {
      return Refusal{Stage::word, fmt::format("{} in '{}'", why, asked.text())};
    }
  }
  pass_optional_end(group, r);
  if (r.fixed_seen > group.fixed.size()) {
    return Refusal{Stage::word, fmt::format("a modifier of '{}' is given twice", asked.text())};
  }
  if (const std::string words = missing_words(group, r); !words.empty()) {
    return Refusal{r.fixed_seen < group.fixed.size() ? Stage::word : Stage::missing,
                   fmt::format("'{}' lacks a modifier: {} {}", asked.text(),
                               r.fixed_seen < group.fixed.size() ? "it needs" : "one of", words)};
  }
  const Variant* variant = find_types(group, r.types);
  if (variant == nullptr) {
    std::vector<std::string> types;
    for (const Ty type : r.types) {
      types.push_back(fmt::format(".{}", name(type)));
    }
    return Refusal{Stage::types, types.empty() ? fmt::format("'{}' lacks its type", asked.text())
                                               : fmt::format("type {} is not legal in '{}' ({})", fmt::join(types, ""),
                                                             asked.text(), group.spec->syntax)};
  }
  if (accepts(group.spec->accept, Accept::xorsign_abs)) {
    if (r.mods.xorsign_abs != r.mods.abs) {
      return Refusal{Stage::combination, fmt::format("'.xorsign.abs' is incomplete in '{}'", asked.text())};
    }
    r.mods.abs = false;  // one modifier of two words
  }
  if (group.spec->legal != nullptr && !group.spec->legal(r.mods, variant->types[0], variant->types[1])) {
    return Refusal{Stage::combination,
                   fmt::format("the modifiers of '{}' do not go together ({})", asked.text(), group.spec->syntax)};
  }
  if (std::string why = wrong_operand_count(*variant, asked.operands); !why.empty()) {
    return Refusal{Stage::operands, fmt::format("'{}' {} ({})", asked.text(), why, group.spec->syntax)};
  }
  return Decoded{variant, r.mods};
}

// Words legal in some form of the instruction; types included.
std::vector<std::string> known_words(const std::vector<Group>& groups) {
  std::vector<std::string> out;
  for (const Group& group : groups) {
    const Spec& spec = *group.spec;
    for (const std::string& word : group.fixed) {
      const std::vector<std::string> words = group.ordered ? sequence_word(word).words : std::vector{word};
      out.insert(out.end(), words.begin(), words.end());
    }
    for (const std::string& word : modifier_words(spec.accept)) {
      out.push_back(word);
    }
    for (const std::string_view mode : spec.modes) {
      if (!mode.empty()) {
        out.emplace_back(mode);
      }
    }
    for (const std::string& word : split(spec.ignored)) {
      out.push_back(word);
    }
    for (const Variant* v : group.variants) {
      for (const Ty type : v->types) {
        if (type != Ty::none) {
          out.emplace_back(name(type));
        }
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// "" when neither the instruction nor that word of it is on the list.
std::string refusal(std::string_view instruction) {
  for (const Refused& refused : refused_instructions()) {
    if (refused.mnemonic == instruction) {
      return fmt::format("instruction '{}' ({})", instruction, refused.what);
    }
  }
  return {};
}

// A word that no form of the instruction knows is the likeliest mistake; "" when there is none.
std::string unknown_word(const std::vector<Group>& groups, const Asked& asked) {
  const std::vector<std::string> known = known_words(groups);
  for (const std::string& word : asked.suffixes) {
    if (word.starts_with("L1::") || word.starts_with("L2::")) {
      continue;
    }
    if (!std::binary_search(known.begin(), known.end(), word)) {
      if (std::string refused = refusal(fmt::format("{}.{}", asked.root, word)); !refused.empty()) {
        return refused;
      }
      std::vector<std::string> dotted;
      for (const std::string& candidate : known) {
        dotted.push_back(fmt::format(".{}", candidate));
      }
      return fmt::format("unknown modifier '.{}' in '{}'{}", word, asked.text(),
                         did_you_mean(fmt::format(".{}", word), dotted));
    }
  }
  return {};
}

}  // namespace

std::string unknown_instruction(std::string_view root) {
  const bool is_function = root.starts_with("__nv_");  // a device function, which is called
  if ((index().contains(root) && !is_function) || !refusal(root).empty()) {
    return {};
  }
  std::vector<std::string> roots;
  for (const auto& [known, groups] : index()) {
    if (!known.starts_with("__nv_")) {
      roots.push_back(known);
    }
  }
  return fmt::format("unknown instruction '{}'{}", root, did_you_mean(root, roots));
}

Result<Decoded, std::string> decode(std::string_view root, std::span<const std::string> suffixes, size_t operands) {
  if (std::string unknown = unknown_instruction(root); !unknown.empty()) {
    return unknown;
  }
  const auto found = index().find(root);
  if (found == index().end()) {
    return refusal(root);
  }
  const Asked asked{root, suffixes, operands};
  Refusal best;
  for (const Group& group : found->second) {
    auto result = match(group, asked);
    if (result.ok()) {
      return *result;
    }
    if (best.message.empty() || result.error().stage > best.stage) {
      best = result.error();
    }
  }
  if (std::string unknown = unknown_word(found->second, asked); !unknown.empty()) {
    return unknown;
  }
  return best.message;
}

const Variant* find_function(std::string_view name) {
  const auto found = index().find(name);
  return found == index().end() || !name.starts_with("__nv_") ? nullptr : found->second.front().variants.front();
}

}  // namespace hpml::sim::isa
