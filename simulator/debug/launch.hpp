#pragma once
// One launch as the debugger sees it: code with its names, symbols, memory, and how to make a grid of it.
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "simulator/debug/value.hpp"
#include "simulator/exec/grid.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/memory/address_space.hpp"

namespace hpml::sim::debug {

// Symbols of one PTX text, and the types of expressions about its code.
struct PartSymbols {
  debug_info::Symbols symbols;
  Types types;
  std::map<int, int>
      inlined_at;  // PTX line -> the call that was inlined there (ptx::SourceLoc); only where there is one
  explicit PartSymbols(debug_info::Symbols read) : symbols(std::move(read)), types(symbols.types) {}
};

using ReadSymbols = std::function<Result<debug_info::Symbols>(const ptx::Module& part)>;

// A warp instruction as the model of time issues it.
struct TimedIssue {
  uint64_t block = 0;  // linear
  int warp = 0;
  const ir::Inst* inst = nullptr;
  uint64_t at = 0;    // cycle of the launch
  bool free = false;  // no machine instruction: it costs nothing, and waits for nothing
  struct Wait {
    std::string_view reason = {};  // as profilers name it
    uint64_t until = 0;
  };
  Wait held, operands;                         // by what came before; for the last operand
  std::span<const ir::Inst* const> in_flight;  // loads that have not returned yet
};
struct TimedRun {
  uint64_t cycles = 0;
  bool sampled = false;  // not all instructions were timed
};

class CodeIndex;

struct Launch {
  const ir::Program* program = nullptr;
  const CodeIndex* index = nullptr;  // of all programs, this one among them; set by the Debugger
  std::string kernel;                // as in PTX
  exec::Extent grid, block, cluster;
  ir::Module* code = nullptr;  // of the launch alone: explorers put breaks into it
  const ir::Names* names = nullptr;
  memory::AddressSpace* memory = nullptr;
  int number = 0;                          // of all launches of the process, from 1
  std::function<exec::Grid*()> make_grid;  // in an explorer: it is never destroyed
  // In a process of its own: executes the launch once with the model of time.
  std::function<Result<TimedRun>(const std::function<void(const TimedIssue&)>& issued)> run_timed;
  std::map<int, std::shared_ptr<PartSymbols>> symbols;  // by part

  PartSymbols& symbols_of(int function) const {
    return *symbols.at(names->functions[static_cast<size_t>(function)].part);
  }
};

}  // namespace hpml::sim::debug
