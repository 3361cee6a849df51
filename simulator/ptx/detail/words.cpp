#include "simulator/ptx/detail/words.hpp"

#include <algorithm>
#include <array>

namespace hpml::sim::ptx {
namespace {

// "no function statics" is for state: these are constants of the grammar.
const std::vector<std::string> kTypes = {".b8",   ".b16",   ".b32",    ".b64",    ".b128",   ".u8",         ".u16",
                                         ".u32",  ".u64",   ".s8",     ".s16",    ".s32",    ".s64",        ".f16",
                                         ".f32",  ".f16x2", ".f64",    ".bf16x2", ".bf16",   ".pred",       ".tf32",
                                         ".e4m3", ".e5m2",  ".e4m3x2", ".e5m2x2", ".texref", ".samplerref", ".surfref"};
const std::vector<std::string> kPerformance = {
    ".maxntid",           ".reqntid",        ".minnctapersm",        ".maxnctapersm",
    ".maxnreg",           ".maxclusterrank", ".explicitcluster",     ".reqnctapercluster",
    ".blocksareclusters", ".abi_preserve",   ".abi_preserve_control"};
const std::vector<std::string> kBody = {".reg",    ".local",         ".shared",        ".param",
                                        ".global", ".const",         ".align",         ".loc",
                                        ".pragma", ".branchtargets", ".callprototype", ".calltargets"};
const std::vector<std::string> kModule = {".entry",  ".func",    ".visible", ".extern",      ".weak",    ".common",
                                          ".global", ".const",   ".shared",  ".file",        ".section", ".pragma",
                                          ".alias",  ".version", ".target",  ".address_size"};
const std::vector<std::string> kFunction = [] {
  std::vector<std::string> all = kPerformance;
  all.insert(all.end(), {".noreturn", ".pragma", ".attribute"});
  return all;
}();

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return w.compare(1, w.npos, word) == 0; });
}

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

const std::vector<std::string>& type_words() { return kTypes; }
const std::vector<std::string>& body_directives() { return kBody; }
const std::vector<std::string>& module_directives() { return kModule; }
const std::vector<std::string>& function_directives() { return kFunction; }

}  // namespace hpml::sim::ptx
