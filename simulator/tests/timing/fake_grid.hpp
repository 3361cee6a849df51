#pragma once
// An exec::Grid whose warps run a fixed list of instructions: the timing model without the executor.
#include <functional>
#include <memory>
#include <vector>

#include "simulator/exec/grid.hpp"

namespace hpml::sim::timing {

struct FakeOp {
  ir::Inst inst;
  exec::Outcome outcome = exec::Outcome::executed;
  exec::CopyStep copy = exec::CopyStep::none;
  // Fills the access of block `block`, warp `warp`; null: not a memory instruction.
  std::function<void(exec::Access&, uint64_t block, int warp)> access;
};

inline FakeOp op(isa::Lat lat, ir::RegId write = ir::kNoReg, ir::RegId read = ir::kNoReg) {
  FakeOp out;
  out.inst.lat = lat;
  out.inst.writes[0] = write;
  out.inst.reads[0] = read;
  return out;
}

// A load or store of `sectors` whole sectors from `line` on.
inline void fill_lines(exec::Access& a, uint64_t line, int sectors) {
  a.space = isa::Space::global;
  a.active = sectors == 1 ? 1u : isa::kFullMask;
  a.bytes = 4;
  a.sector_count = sectors;
  a.line_count = (sectors + 3) / 4;
  for (int i = 0; i < a.line_count; ++i) {
    const int here = sectors - 4 * i < 4 ? sectors - 4 * i : 4;
    a.lines[static_cast<size_t>(i)] = {line + static_cast<uint64_t>(i), static_cast<uint8_t>((1 << here) - 1)};
  }
}

inline FakeOp load(ir::RegId write, ir::RegId read, std::function<uint64_t(uint64_t, int)> line, int sectors = 1) {
  FakeOp out = op(isa::Lat::ld_global, write, read);
  out.access = [line, sectors](exec::Access& a, uint64_t block, int warp) {
    fill_lines(a, line(block, warp), sectors);
    a.is_load = true;
    a.is_store = false;
  };
  return out;
}

inline FakeOp store(ir::RegId read, std::function<uint64_t(uint64_t, int)> line, int sectors = 4) {
  FakeOp out = op(isa::Lat::st_global, ir::kNoReg, read);
  out.access = [line, sectors](exec::Access& a, uint64_t block, int warp) {
    fill_lines(a, line(block, warp), sectors);
    a.is_load = false;
    a.is_store = true;
  };
  return out;
}

inline FakeOp exit_op() {
  FakeOp out = op(isa::Lat::branch);
  out.outcome = exec::Outcome::finished;
  return out;
}

inline FakeOp barrier() {
  FakeOp out = op(isa::Lat::barrier);
  out.outcome = exec::Outcome::barrier;
  return out;
}

using FakeProgram = std::vector<FakeOp>;

class FakeGrid;

class FakeBlock final : public exec::Block {
 public:
  class FakeWarp final : public exec::Warp {
   public:
    FakeWarp(FakeBlock& block, int index) : block_(block), index_(index) {}
    bool finished() const override { return done_; }
    bool at_barrier() const override { return waiting_; }
    const ir::Inst& next() const override;
    isa::LaneMask next_mask() const override { return isa::kFullMask; }
    void step(exec::Effects& effects) override;
    uint64_t run(uint64_t budget, exec::AccessSink* sink) override;
    int index() const override { return index_; }

    FakeBlock& block_;
    int index_;
    size_t pc_ = 0;
    bool done_ = false, waiting_ = false;
  };

  FakeBlock(FakeGrid& grid, uint64_t id, int warps);
  int warp_count() const override { return static_cast<int>(warps_.size()); }
  exec::Warp& warp(int index) override { return *warps_[static_cast<size_t>(index)]; }
  bool finished() const override { return finished_ == warps_.size(); }
  uint64_t id() const override { return id_; }
  uint64_t take_released() override { return std::exchange(released_, 0); }

  FakeGrid& grid_;
  uint64_t id_;
  std::vector<std::unique_ptr<FakeWarp>> warps_;
  size_t finished_ = 0, arrived_ = 0;
  uint64_t released_ = 0;
};

class FakeGrid final : public exec::Grid {
 public:
  FakeGrid(FakeProgram program, uint64_t blocks, int warps)
      : program_(std::move(program)), count_(blocks), warps_(warps) {}
  uint64_t block_count() const override { return count_; }
  unsigned shares() const override { return 1; }
  uint64_t blocks_started() const override { return blocks_.size(); }
  uint64_t blocks_finished() const override { return finished_; }
  int start_block(int sm) override;
  exec::Block& block(int handle) override { return *blocks_[static_cast<size_t>(handle)]; }
  void retire(int) override { ++finished_; }
  void check_limits() override {}
  void run_rest() override;
  const std::optional<exec::Trap>& trap() const override { return trap_; }
  std::string stray_access() const override { return {}; }
  const exec::Counters& counters() const override { return counters_; }
  uint64_t longest_warp_cycles() const override { return 0; }
  const exec::Touched& touched() const override { return touched_; }
  std::string take_output() override { return {}; }
  std::string take_assertions() override { return {}; }
  std::vector<exec::LineAccess> line_accesses() const override { return {}; }
  std::string describe_waiting() const override { return "waiting\n"; }
  void report_deadlock() override {}

  FakeProgram program_;
  bool barriers_release = true;
  uint64_t trapping_block = ~uint64_t{0};
  std::vector<int> placed_on;  // SM by block
  uint64_t count_, finished_ = 0;
  int warps_;
  std::vector<std::unique_ptr<FakeBlock>> blocks_;
  void count(const exec::Access& access);

  exec::Counters counters_;
  exec::Touched touched_;
  std::optional<exec::Trap> trap_;
};

}  // namespace hpml::sim::timing
