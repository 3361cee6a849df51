#include "simulator/ptx/detail/words.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace hpml::sim::ptx {
namespace {

// Spelt with their dots, as suggestions show them.
constexpr std::array<std::string_view, 28> kTypes = {
    ".b8",     ".b16",  ".b32",  ".b64",    ".b128",   ".u8",     ".u16",        ".u32",    ".u64",  ".s8",
    ".s16",    ".s32",  ".s64",  ".f16",    ".f32",    ".f16x2",  ".f64",        ".bf16",   ".pred", ".tf32",
    ".bf16x2", ".e4m3", ".e5m2", ".e4m3x2", ".e5m2x2", ".texref", ".samplerref", ".surfref"};
constexpr std::array<std::string_view, 11> kPerformance = {
    ".maxntid",           ".reqntid",        ".minnctapersm",        ".maxnctapersm",
    ".maxnreg",           ".maxclusterrank", ".explicitcluster",     ".reqnctapercluster",
    ".blocksareclusters", ".abi_preserve",   ".abi_preserve_control"};
constexpr std::array<std::string_view, 12> kBody = {".reg",    ".local",         ".shared",        ".param",
                                                    ".global", ".const",         ".align",         ".loc",
                                                    ".pragma", ".branchtargets", ".callprototype", ".calltargets"};
constexpr std::array<std::string_view, 16> kModule = {
    ".entry",  ".func", ".visible", ".extern", ".weak",  ".common",  ".global", ".const",
    ".shared", ".file", ".section", ".pragma", ".alias", ".version", ".target", ".address_size"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view each) { return each.substr(1) == word; });
}

std::vector<std::string> copy(std::span<const std::string_view> words) { return {words.begin(), words.end()}; }

}  // namespace

std::optional<Space> space_word(std::string_view word) {
  word = word.substr(0, word.find("::"));
  constexpr std::array<std::pair<std::string_view, Space>, 7> kSpaces = {{{"reg", Space::reg},
                                                                          {"global", Space::global},
                                                                          {"shared", Space::shared},
                                                                          {"local", Space::local},
                                                                          {"const", Space::constant},
                                                                          {"param", Space::param},
                                                                          {"tex", Space::global}}};
  for (const auto& [name, space] : kSpaces) {
    if (name == word) {
      return space;
    }
  }
  return std::nullopt;
}

std::string_view space_name(Space space) {
  switch (space) {
    case Space::none: return "";
    case Space::reg: return "reg";
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
    case Space::constant: return "const";
    case Space::param: return "param";
  }
  return "";
}

bool is_type_word(std::string_view word) { return contains(kTypes, word); }
bool is_opaque_type(std::string_view word) { return word == "texref" || word == "samplerref" || word == "surfref"; }
bool performance_word(std::string_view word) { return contains(kPerformance, word); }
bool declaration_word(std::string_view word) {
  return word == "align" || word == "attribute" || word == "v2" || word == "v4" || word == "v8" || word == "ptr" ||
         is_type_word(word);
}

std::vector<std::string> type_words() { return copy(kTypes); }
std::vector<std::string> body_directives() { return copy(kBody); }
std::vector<std::string> module_directives() { return copy(kModule); }
std::vector<std::string> function_directives() {
  std::vector<std::string> all = copy(kPerformance);
  all.insert(all.end(), {".noreturn", ".pragma"});
  return all;
}

}  // namespace hpml::sim::ptx
