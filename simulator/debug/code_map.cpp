#include "simulator/debug/code_map.hpp"

#include <algorithm>
#include <set>

#include "common/base/demangle.hpp"

namespace hpml::sim::debug {

// Headers of CUDA and of the system: what reads threadIdx, for one.
bool CodeMap::is_own(const ir::Function& f, const ir::Inst& inst) {
  if (inst.src_line <= 0 || inst.src_file >= f.files.size()) {
    return false;
  }
  const std::string& path = f.files[inst.src_file];
  return !path.starts_with("/usr/") && !path.starts_with("/opt/") &&
         path.find("/simulator/include/") == std::string::npos;
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

// A path whose last parts are those wanted.
bool CodeMap::same_file(const std::string& path, const std::string& wanted) {
  if (wanted.empty() || !path.ends_with(wanted)) {
    return false;
  }
  return path.size() == wanted.size() || wanted.front() == '/' || path[path.size() - wanted.size() - 1] == '/';
}

bool CodeMap::in_file(const ir::Function& f, const ir::Inst& inst, const std::string& file) const {
  return inst.src_line > 0 && inst.src_file < f.files.size() &&
         (same_file(f.files[inst.src_file], file) || same_file(file, f.files[inst.src_file]));
}

std::vector<exec::CodePlace> CodeMap::at_line(const std::string& file, int& line) const {
  int nearest = 0;
  for (const int known : lines(file)) {
    if (known >= line) {
      nearest = known;
      break;
    }
  }
  std::vector<exec::CodePlace> out;
  if (nearest == 0) {
    return out;
  }
  for (int i = 0; i < functions(); ++i) {
    const ir::Function& f = function(i);
    const std::map<int, int>& inlined = launch_.symbols_of(i).inlined_at;
    std::set<int> copies;
    for (ir::Pc pc = 0; pc < f.code.size(); ++pc) {
      const ir::Inst& inst = f.code[pc];
      if (inst.src_line != nearest || !in_file(f, inst, file)) {
        continue;
      }
      const auto copy = inlined.find(inst.ptx_line);
      if (copies.insert(copy != inlined.end() ? copy->second : -1).second) {
        out.push_back({i, pc});
      }
    }
  }
  line = nearest;
  return out;
}

std::vector<exec::CodePlace> CodeMap::at_function(const std::string& name) const {
  std::vector<exec::CodePlace> out;
  for (int i = 0; i < functions(); ++i) {
    const ir::Function& f = function(i);
    const std::string whole = function_name(i);
    if (f.name != name && short_name(i) != name && whole != name && whole.substr(0, whole.find('(')) != name) {
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
    const auto found = std::ranges::find_if(code, [&](const ir::Inst& inst) { return inst.ptx_line == line; });
    if (found != code.end()) {
      out.push_back({i, static_cast<ir::Pc>(found - code.begin())});
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

std::string CodeMap::function_name(int index) const {
  std::string name = demangle(function(index).name);
  if (name.starts_with("void ")) {  // of templates, whose mangled names say what they return
    name.erase(0, 5);
  }
  return name;
}

std::string CodeMap::short_name(int index) const {
  std::string name = function_name(index);
  name = name.substr(0, std::min(name.find('('), name.find('<')));
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace hpml::sim::debug
