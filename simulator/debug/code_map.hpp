#pragma once
// Between lines of sources and places in the code of a launch.
#include <optional>
#include <string>
#include <vector>

#include "simulator/debug/launch.hpp"
#include "simulator/exec/stepper.hpp"

namespace hpml::sim::debug {

struct SourcePlace {
  std::string file;
  int line = 0;  // 0: not known
};

class CodeMap {
 public:
  explicit CodeMap(const Launch& launch) : launch_(launch) {}

  SourcePlace source(exec::CodePlace place) const;
  const ir::Inst& inst(exec::CodePlace place) const {
    return launch_.code->functions[static_cast<size_t>(place.function)].code[place.pc];
  }
  // Where a breakpoint at the line goes: the first instruction in each function and inlined copy, of the line or of the
  // one that CodeIndex::targets() takes for it.
  std::vector<exec::CodePlace> at_line(const std::string& file, int line) const;
  // Behind the prologue of functions of that name ("k", "ns::k", as in PTX), where arguments have arrived.
  std::vector<exec::CodePlace> at_function(const std::string& name) const;
  std::vector<exec::CodePlace> at_ptx_line(int line) const;
  std::vector<int> lines(const std::string& file) const;  // that have code, ascending
  // "scale(float, P)"
  std::string function_name(int function) const;
  std::string short_name(int function) const;  // "scale"
  static bool is_own(const ir::Function& f, const ir::Inst& inst);

 private:
  const ir::Function& function(int index) const { return launch_.code->functions[static_cast<size_t>(index)]; }
  int functions() const { return static_cast<int>(launch_.code->functions.size()); }
  std::vector<exec::CodePlace> starts_of(int index, const std::string& file, int line) const;
  bool in_file(const ir::Function& f, const ir::Inst& inst, const std::string& file) const;

  const Launch& launch_;
};

}  // namespace hpml::sim::debug
