#include "simulator/ptx/perturb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <string>
#include <utility>

namespace hpml::sim::ptx {

namespace {

constexpr std::array<std::pair<std::string_view, Perturbation::Path>, 4> kPaths = {
    {{"shared", Perturbation::Path::shared},
     {"shuffles", Perturbation::Path::shuffles},
     {"dp4a", Perturbation::Path::dp4a},
     {"mma", Perturbation::Path::mma}}};
constexpr uint32_t kShift = 15;
constexpr float kLeast = 0x1p-20f, kMost = 8.0f, kAdded = 16.0f;
constexpr uint32_t kLeastStep = 500;

Operand operand(const std::string& name) {
  return {.value = RegisterOperand{.name = name, .component = ""}, .pos = {}};
}

Operand number(uint32_t value) { return {.value = Immediate{.bits = value, .is_unsigned = true}, .pos = {}}; }

Operand number(float value) {
  return {.value = Immediate{.kind = Immediate::Kind::f32_bits, .bits = std::bit_cast<uint32_t>(value)}, .pos = {}};
}

// Statements behind an instruction, with registers of their own.
class After {
 public:
  explicit After(Block& block, const Instruction& inst)
      : block_(block), pos_(inst.pos), loc_(inst.loc), guard_(inst.guard) {}

  std::string fresh(const TypeName& type) {
    Variable variable;
    variable.pos = pos_;
    variable.space = Space::reg;
    variable.type = type;
    variable.name = fmt::format("%perturbed{}", block_.statements.size());
    std::string name = variable.name;
    block_.statements.emplace_back(std::move(variable));
    return name;
  }

  void add(std::string root, std::vector<std::string> suffixes, std::vector<Operand> operands, bool guarded = false) {
    Instruction inst;
    inst.pos = pos_;
    inst.loc = loc_;
    inst.root = std::move(root);
    inst.suffixes = std::move(suffixes);
    inst.operands = std::move(operands);
    if (guarded) {
      inst.guard = guard_;
    }
    block_.statements.emplace_back(std::move(inst));
  }

 private:
  Block& block_;
  SourcePos pos_;
  SourceLoc loc_;
  std::optional<Guard> guard_;
};

// The word (.b32) as it comes out of shared memory. inside: a predicate that says whether it comes from there; empty:
// it does.
void add_to_chosen(After& after, const std::string& word, const std::string& inside, uint64_t key) {
  const std::string value = after.fresh("f32"), size = after.fresh("f32"), other = after.fresh("f32");
  const std::string hash = after.fresh("b32"), high = after.fresh("b32"), chosen = after.fresh("pred");
  after.add("mul", {"lo", "u32"}, {operand(hash), operand(word), number(static_cast<uint32_t>(key) | 1)});
  after.add("shr", {"u32"}, {operand(high), operand(hash), number(kShift)});
  after.add("xor", {"b32"}, {operand(hash), operand(hash), operand(high)});
  after.add("mul", {"lo", "u32"}, {operand(hash), operand(hash), number(static_cast<uint32_t>(key >> 32) | 1)});
  after.add("setp", {"lt", "s32"}, {operand(chosen), operand(hash), number(0U)});
  after.add("mov", {"b32"}, {operand(value), operand(word)});
  after.add("abs", {"f32"}, {operand(size), operand(value)});
  after.add("setp", {"ge", "and", "f32"}, {operand(chosen), operand(size), number(kLeast), operand(chosen)});
  after.add("setp", {"lt", "and", "f32"}, {operand(chosen), operand(size), number(kMost), operand(chosen)});
  if (!inside.empty()) {
    after.add("and", {"pred"}, {operand(chosen), operand(chosen), operand(inside)});
  }
  after.add("add", {"f32"}, {operand(other), operand(value), number(kAdded)});
  after.add("selp", {"f32"}, {operand(value), operand(other), operand(value), operand(chosen)});
  after.add("mov", {"b32"}, {operand(word), operand(value)});
}

bool has(const Instruction& inst, std::string_view word) {
  return std::ranges::find(inst.suffixes, word) != inst.suffixes.end();
}

// Bytes of the words that a load delivers; 0: none of these are changed. A scalar .u32 may go to a register of 64 bits.
int loaded_bytes(const Instruction& inst) {
  const bool vector = has(inst, "v2") || has(inst, "v4");
  if (has(inst, "f32") || has(inst, "b32") || (vector && (has(inst, "u32") || has(inst, "s32")))) {
    return 4;
  }
  return has(inst, "b64") || has(inst, "u64") ? 8 : 0;
}

bool is_generic(const Instruction& inst) {
  return std::ranges::none_of(inst.suffixes, [](const std::string& word) {
    return word == "global" || word == "local" || word == "const" || word.starts_with("param") ||
           word.starts_with("shared");
  });
}

bool is_load(const Instruction& inst) {
  const bool from_shared =
      std::ranges::any_of(inst.suffixes, [](const auto& word) { return word.starts_with("shared"); });
  return inst.root == "ld" && loaded_bytes(inst) > 0 && inst.operands.size() == 2 && (from_shared || is_generic(inst));
}

std::vector<std::string> registers_of(const Operand& result) {
  std::vector<std::string> names;
  const auto take = [&](const Operand& one) {
    if (const auto* found = std::get_if<RegisterOperand>(&one.value); found != nullptr && found->component.empty()) {
      names.push_back(found->name);
    }
  };
  if (const auto* list = std::get_if<VectorOperand>(&result.value)) {
    std::ranges::for_each(list->elements, take);
  } else if (const auto* pair = std::get_if<PairOperand>(&result.value)) {
    take(pair->elements.front());
  } else {
    take(result);
  }
  return names;
}

// A predicate that says whether a generic address lies in shared memory; empty where the load names it.
std::string in_shared(const Instruction& inst, After& after) {
  const auto* address = std::get_if<AddressOperand>(&inst.operands[1].value);
  if (!is_generic(inst) || address == nullptr || !address->base_is_register) {
    return "";
  }
  const std::string inside = after.fresh("pred");
  after.add("isspacep", {"shared"}, {operand(inside), operand(address->base)});
  return inside;
}

std::unique_ptr<Block> perturbed_load(Instruction inst, uint64_t key) {
  auto block = std::make_unique<Block>();
  After after(*block, inst);
  const std::string inside = in_shared(inst, after);
  block->statements.emplace_back(inst);
  for (const std::string& name : registers_of(inst.operands.front())) {
    const std::string word = after.fresh("b32");
    if (loaded_bytes(inst) == 4) {
      after.add("mov", {"b32"}, {operand(word), operand(name)});
      add_to_chosen(after, word, inside, key);
      after.add("mov", {"b32"}, {operand(name), operand(word)}, true);
      continue;
    }
    const std::string second = after.fresh("b32");
    const Operand both{.value = VectorOperand{{operand(word), operand(second)}}, .pos = inst.pos};
    after.add("mov", {"b64"}, {both, operand(name)});
    add_to_chosen(after, word, inside, key);
    add_to_chosen(after, second, inside, key);
    after.add("mov", {"b64"}, {operand(name), both}, true);
  }
  return block;
}

// The sum over the four places of what chooses a pair of words.
std::string hash_of_pair(After& after, const Operand& a, const Operand& b, uint32_t k, uint32_t l) {
  constexpr uint32_t kPlaces = 4, kBits = 8;
  const std::string hash = after.fresh("b32"), x = after.fresh("b32"), y = after.fresh("b32"), sum = after.fresh("b32");
  after.add("mov", {"b32"}, {operand(hash), number(0U)});
  for (uint32_t place = 0; place < kPlaces; ++place) {
    after.add("bfe", {"u32"}, {operand(x), a, number(kBits * place), number(kBits)});
    after.add("bfe", {"u32"}, {operand(y), b, number(kBits * place), number(kBits)});
    after.add("add", {"u32"}, {operand(sum), operand(x), operand(y)});
    after.add("mul", {"lo", "u32"}, {operand(sum), operand(sum), number(k)});
    after.add("mul", {"lo", "u32"}, {operand(x), operand(x), operand(y)});
    after.add("mul", {"lo", "u32"}, {operand(x), operand(x), number(l)});
    after.add("xor", {"b32"}, {operand(sum), operand(sum), operand(x)});
    after.add("add", {"u32"}, {operand(hash), operand(hash), operand(sum)});
  }
  return hash;
}

std::unique_ptr<Block> perturbed_product(Instruction inst, uint64_t key) {
  auto block = std::make_unique<Block>();
  After after(*block, inst);
  const uint32_t k = static_cast<uint32_t>(key) | 1, l = static_cast<uint32_t>(key >> 32) | 1;
  const std::string hash = hash_of_pair(after, inst.operands[1], inst.operands[2], k, l);
  const std::string high = after.fresh("b32"), more = after.fresh("b32"), chosen = after.fresh("pred");
  after.add("shr", {"u32"}, {operand(high), operand(hash), number(kShift)});
  after.add("xor", {"b32"}, {operand(hash), operand(hash), operand(high)});
  after.add("mul", {"lo", "u32"}, {operand(hash), operand(hash), number(k)});
  after.add("setp", {"lt", "s32"}, {operand(chosen), operand(hash), number(0U)});
  after.add("dp4a", inst.suffixes, {operand(more), inst.operands[1], inst.operands[2], number(0U)});
  after.add("selp", {"b32"}, {operand(more), operand(more), number(0U), operand(chosen)});
  const Operand result = inst.operands.front();
  block->statements.emplace_back(std::move(inst));
  after.add("add", {"s32"}, {result, result, operand(more)}, true);
  return block;
}

std::unique_ptr<Block> perturbed_shuffle(Instruction inst, uint64_t key) {
  auto block = std::make_unique<Block>();
  After after(*block, inst);
  block->statements.emplace_back(inst);
  for (const std::string& name : registers_of(inst.operands.front())) {
    const std::string value = after.fresh("f32");
    after.add("mov", {"b32"}, {operand(value), operand(name)});
    after.add("add", {"f32"}, {operand(value), operand(value), number(static_cast<float>(shuffle_step(key)))});
    after.add("mov", {"b32"}, {operand(name), operand(value)}, true);
  }
  return block;
}

void perturb_in(Block& block, const Perturbation& how) {
  for (Statement& statement : block.statements) {
    if (auto* inner = std::get_if<std::unique_ptr<Block>>(&statement)) {
      perturb_in(**inner, how);
      continue;
    }
    auto* inst = std::get_if<Instruction>(&statement);
    if (inst == nullptr || inst->operands.empty()) {
      continue;
    }
    if (how.path == Perturbation::Path::shared && is_load(*inst)) {
      statement = perturbed_load(std::move(*inst), how.key);
    } else if (how.path == Perturbation::Path::shuffles && inst->root == "shfl") {
      statement = perturbed_shuffle(std::move(*inst), how.key);
    } else if (how.path == Perturbation::Path::dp4a && inst->root == "dp4a" && inst->operands.size() == 4) {
      statement = perturbed_product(std::move(*inst), how.key);
    }
  }
}

}  // namespace

std::optional<Perturbation> parse_perturbation(std::string_view text) {
  const size_t colon = text.find(':');
  const auto found =
      std::ranges::find(kPaths, text.substr(0, colon), &std::pair<std::string_view, Perturbation::Path>::first);
  if (colon == std::string_view::npos || found == kPaths.end()) {
    return std::nullopt;
  }
  Perturbation how{.path = found->second};
  const std::string_view key = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), how.key);
  return error == std::errc() && end == key.data() + key.size() ? std::optional(how) : std::nullopt;
}

uint32_t shuffle_step(uint64_t key) { return kLeastStep + static_cast<uint32_t>(key % kLeastStep); }

void perturb(Module& module, const Perturbation& how) {
  for (Function& function : module.functions) {
    if (function.body != nullptr) {
      perturb_in(*function.body, how);
    }
  }
}

}  // namespace hpml::sim::ptx
