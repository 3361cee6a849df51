#pragma once
// Where a launch has to stop: breakpoints as places in its code, and the instructions that may write what is watched.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/debug/inspector.hpp"

namespace hpml::sim::debug {

struct Located {
  Breakpoint asked;
  std::vector<exec::CodePlace> places;
  std::unique_ptr<Expression> condition;  // null: none
  std::string error;                      // of the PTX line, or of the condition: it cannot be read
};

// Finds the places. With no debug information, conditions still know threadIdx and PTX registers.
std::vector<Located> locate(const Launch& launch, const std::vector<Breakpoint>& breakpoints);

// May the instruction write memory that other instructions see?
bool writes_memory(const ir::Function& function, const ir::Inst& inst);

class Stops {
 public:
  explicit Stops(const Launch& launch) : launch_(launch) {}
  void set(std::vector<Located> breakpoints);
  // All places at which to stop and look: with writers of memory if anything is watched.
  std::vector<exec::CodePlace> places() const;
  const std::vector<Located>& breakpoints() const { return breakpoints_; }
  bool watching() const { return !watches_.empty(); }
  std::vector<exec::CodePlace> writers() const;

  struct Hit {
    const Located* breakpoint = nullptr;
    int lane = 0;
    std::string error;  // the condition could not be evaluated
  };
  // The first breakpoint at this instruction whose condition holds in a lane that is there.
  std::optional<Hit> hit(const exec::NextInst& next, Inspector& inspector) const;

  // Remembers what the watched places hold.
  void look(Inspector& inspector);
  struct Change {
    const Located* breakpoint = nullptr;
    std::vector<std::byte> before, after;
  };
  // The first watched place that holds something else than at the last look.
  std::optional<Change> changed(Inspector& inspector);

 private:
  const Launch& launch_;
  std::vector<Located> breakpoints_;
  std::multimap<exec::CodePlace, const Located*> at_;
  struct Watched {
    const Located* breakpoint;
    std::optional<std::vector<std::byte>> bytes;  // nothing: its block is not running
  };
  std::vector<Watched> watches_;
};

}  // namespace hpml::sim::debug
