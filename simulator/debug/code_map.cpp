#include "simulator/debug/code_map.hpp"

#include <algorithm>
#include <set>

#include "simulator/debug/code_index.hpp"

namespace hpml::sim::debug {

// What reads threadIdx, for one, comes from a header.
bool CodeMap::is_own(const ir::Function& f, const ir::Inst& inst) {
  return inst.src_line > 0 && inst.src_file < f.files.size() && is_own_source(f.files[inst.src_file]);
}

SourcePlace CodeMap::source(exec::CodePlace place) const {
  const ir::Function& f = function(place.function);
  // Headers tell nobody what to look at: what they read is for the statement that follows.
  for (ir::Pc pc = place.pc; f.code[place.pc].src_line > 0 && pc < f.code.size(); ++pc) {
    if (is_own(f, f.code[pc])) {
      return {f.files[f.code[pc].src_file], f.code[pc].src_line};
    }
    if (f.code[pc].shape == isa::Shape::control) {
      break;
    }
  }
  // Line 0 is the compiler's own: the line before says more.
  for (ir::Pc pc = place.pc + 1; pc-- > 0;) {
    if (is_own(f, f.code[pc])) {
      return {f.files[f.code[pc].src_file], f.code[pc].src_line};
    }
  }
  const ir::Inst& inst = f.code[place.pc];
  return inst.src_file < f.files.size() ? SourcePlace{f.files[inst.src_file], inst.src_line} : SourcePlace{};
}

bool CodeMap::in_file(const ir::Function& f, const ir::Inst& inst, const std::string& file) const {
  return inst.src_line > 0 && inst.src_file < f.files.size() && same_source(f.files[inst.src_file], file);
}

std::vector<exec::CodePlace> CodeMap::at_line(const std::string& file, int line) const {
  std::vector<exec::CodePlace> out;
  for (int i = 0; i < functions() && launch_.index != nullptr; ++i) {
    const int part = launch_.names->functions[static_cast<size_t>(i)].part;
    for (const auto& [path, target] : launch_.index->targets(*launch_.program, part, function(i).name, file, line)) {
      const std::vector<exec::CodePlace> places = starts_of(i, path, target);
      out.insert(out.end(), places.begin(), places.end());
      if (!places.empty()) {
        break;
      }
    }
  }
  return out;
}

// The first instruction of the line, in the function itself and in each function that was inlined there; of a loop that
// was unrolled, in each round.
std::vector<exec::CodePlace> CodeMap::starts_of(int index, const std::string& file, int line) const {
  const ir::Function& f = function(index);
  const std::map<int, int>& inlined = launch_.symbols_of(index).inlined_at;
  std::vector<exec::CodePlace> out;
  std::set<std::pair<int, uint8_t>> copies;
  for (ir::Pc pc = 0; pc < f.code.size(); ++pc) {
    const ir::Inst& inst = f.code[pc];
    if (inst.src_line != line || inst.src_file >= f.files.size() || f.files[inst.src_file] != file) {
      continue;
    }
    const auto copy = inlined.find(inst.ptx_line);
    if (copies.emplace(copy != inlined.end() ? copy->second : -1, inst.round).second) {
      out.push_back({index, pc});
    }
  }
  return out;
}

std::vector<exec::CodePlace> CodeMap::at_function(const std::string& name) const {
  std::vector<exec::CodePlace> out;
  for (int i = 0; i < functions(); ++i) {
    const ir::Function& f = function(i);
    if (!is_named(f.name, name)) {
      continue;
    }
    ir::Pc pc = 0;
    while (pc + 1 < f.code.size() && (f.code[pc].src_line == f.code[0].src_line || f.code[pc].src_line == 0)) {
      ++pc;  // a header's line counts: the instruction belongs to the first statement
    }
    const bool only_one_line = pc + 1 >= f.code.size();
    out.push_back({i, only_one_line ? 0 : pc});
  }
  return out;
}

std::vector<exec::CodePlace> CodeMap::at_ptx_line(int line) const {
  std::vector<exec::CodePlace> out;
  for (int i = 0; i < functions(); ++i) {
    const auto& code = function(i).code;
    std::set<uint8_t> rounds;
    for (ir::Pc pc = 0; pc < code.size(); ++pc) {
      if (code[pc].ptx_line == line && rounds.insert(code[pc].round).second) {
        out.push_back({i, pc});
      }
    }
  }
  return out;
}

std::vector<int> CodeMap::lines(const std::string& file) const {
  std::set<int> out;
  for (int i = 0; i < functions(); ++i) {
    const ir::Function& f = function(i);
    for (const ir::Inst& inst : f.code) {
      if (in_file(f, inst, file)) {
        out.insert(inst.src_line);
      }
    }
  }
  return {out.begin(), out.end()};
}

std::string CodeMap::function_name(int index) const { return display_name(function(index).name); }
std::string CodeMap::short_name(int index) const { return debug::short_name(function_name(index)); }

}  // namespace hpml::sim::debug
