#pragma once
// Runs a grid in the order of Grid::run_rest(), with the same results and counters, and stops in front of any warp
// instruction. While it stands, it shows what the warps hold and lets it be changed: the executor's side of a debugger.
//
// An instruction at which to stop is replaced in the code itself while warps run, so that all others run at full
// speed. The module must therefore belong to this grid alone, and be writable.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulator/exec/grid.hpp"

namespace hpml::sim::exec {

struct CodePlace {
  int function = 0;  // in the module
  ir::Pc pc = 0;
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

struct WarpRef {
  int block = -1;  // handle
  int warp = 0;
  friend auto operator<=>(const WarpRef&, const WarpRef&) = default;
};

// The instruction that executes next.
struct NextInst {
  WarpRef warp;
  CodePlace place;
  const ir::Function* function = nullptr;
  isa::LaneMask lanes = 0;   // at the instruction
  isa::LaneMask active = 0;  // those that its guard lets execute it
  int depth = 0;             // function activations below this one
  const ir::Inst& inst() const { return function->code[place.pc]; }
};

// One activation of a function.
struct Activation {
  CodePlace place;  // of callers: the call
  const ir::Function* function = nullptr;
  std::byte* registers = nullptr;  // by slot
  uint32_t local_base = 0;         // of its frame in the local memory of each thread
};

enum class Waits : uint8_t { no, barrier, warp_sync, meeting };  // meeting: for other lanes, where branches meet again

// Lanes of a warp that stand at one place.
struct LaneGroup {
  isa::LaneMask lanes = 0;
  Waits waits = Waits::no;
  int barrier = -1;                    // Waits::barrier: which; 16 is the cluster's
  isa::LaneMask members = 0;           // Waits::warp_sync and meeting: lanes that it waits for
  std::vector<Activation> calls = {};  // innermost first
};

struct BlockView {
  int handle = -1;
  uint64_t id = 0;  // linear
  std::array<uint32_t, 3> ctaid = {};
  int warps = 0;
  std::span<std::byte> shared;
};

class Stepper {
 public:
  // Grid: made by Grid::create(), none of whose blocks has been started. It must outlive the stepper. `code`: the
  // module it runs.
  static std::unique_ptr<Stepper> create(Grid& grid, ir::Module& code);
  virtual ~Stepper() = default;

  // Warp instructions executed so far: the number of the state that it stands at.
  virtual uint64_t position() const = 0;
  // What executes next; nothing: the grid has finished, or is trapped.
  virtual std::optional<NextInst> next() = 0;
  virtual WarpRef last() const = 0;                     // the warp that executed last; no block: none has
  virtual std::optional<std::string> trap() const = 0;  // what ended the grid before its end
  virtual int trap_lane() const = 0;                    // of last(): the one that failed; -1: none of its own
  virtual const Counters& counters() const = 0;
  virtual void set_stops(std::vector<CodePlace> stops) = 0;

  struct Until {
    uint64_t position = UINT64_MAX;    // stop there at the latest
    std::optional<WarpRef> each = {};  // stop in front of every instruction of this warp
    bool check_first = false;          // also where it stands now; else at least one instruction executes first
  };
  enum class Stop : uint8_t { position, at_stop, each, end };
  virtual Stop run(const Until& until) = 0;
  // Executes one, and says what it did.
  virtual void step(Effects& effects) = 0;
  // From now on tells `observer` what happens; null: nobody. Accesses take longer meanwhile.
  virtual void observe(Observer* observer) = 0;

  virtual std::vector<BlockView> blocks() = 0;  // resident, by handle
  virtual isa::LaneMask live_lanes(WarpRef warp) = 0;
  virtual std::vector<LaneGroup> groups(WarpRef warp) = 0;  // those that can run first, the next one in front
  virtual std::span<std::byte> local_memory(WarpRef warp, int lane) = 0;
  virtual std::span<const std::byte> parameters() const = 0;  // of the launch
};

}  // namespace hpml::sim::exec
