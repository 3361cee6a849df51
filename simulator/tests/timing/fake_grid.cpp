#include "simulator/tests/timing/fake_grid.hpp"

namespace hpml::sim::timing {

FakeBlock::FakeBlock(FakeGrid& grid, uint64_t id, int warps) : grid_(grid), id_(id) {
  for (int i = 0; i < warps; ++i) {
    warps_.push_back(std::make_unique<FakeWarp>(*this, i));
  }
}

const ir::Inst& FakeBlock::FakeWarp::next() const { return block_.grid_.program_[pc_].inst; }

void FakeBlock::FakeWarp::step(exec::Effects& effects) {
  const FakeOp& op = block_.grid_.program_[pc_++];
  ++block_.grid_.counters_.warp_instructions;
  ++block_.grid_.counters_.lat_instructions[static_cast<size_t>(op.inst.lat)];
  effects.inst = &op.inst;
  effects.active = effects.group = isa::kFullMask;
  effects.lat = op.inst.lat;
  effects.outcome = op.outcome;
  if (block_.id_ == block_.grid_.trapping_block) {
    block_.grid_.trap_ = exec::Trap{};
    effects.outcome = exec::Outcome::trapped;
  }
  effects.copy = op.copy;
  effects.sleep_ns = 0;
  effects.has_access = op.access != nullptr;
  if (op.access) {
    effects.access = exec::Access{};
    op.access(effects.access, block_.id_, index_);
    block_.grid_.count(effects.access);
  }
  if (op.outcome == exec::Outcome::finished) {
    done_ = true;
    ++block_.finished_;
  }
  if (op.outcome == exec::Outcome::barrier) {
    waiting_ = true;
    if (++block_.arrived_ == block_.warps_.size() && block_.grid_.barriers_release) {
      block_.arrived_ = 0;
      for (auto& warp : block_.warps_) {
        warp->waiting_ = false;
        block_.released_ |= uint64_t{1} << warp->index_;
      }
    }
  }
}

uint64_t FakeBlock::FakeWarp::run(uint64_t budget, exec::AccessSink* sink) {
  uint64_t done = 0;
  for (exec::Effects effects; done < budget && ready() && !block_.grid_.trap_; ++done) {
    step(effects);
    if (sink != nullptr && effects.has_access) {
      sink->accessed(effects);
    }
  }
  return done;
}

void FakeGrid::count(const exec::Access& access) {
  if (access.space == isa::Space::global) {
    exec::SpaceCounters& counters = access.is_atomic  ? counters_.global_atom
                                    : access.is_store ? counters_.global_st
                                                      : counters_.global_ld;
    counters.sectors += static_cast<uint64_t>(access.sector_count);
  }
}

int FakeGrid::start_block(int sm) {
  if (blocks_.size() == count_) {
    return -1;
  }
  placed_on.push_back(sm);
  blocks_.push_back(std::make_unique<FakeBlock>(*this, blocks_.size(), warps_));
  return static_cast<int>(blocks_.size()) - 1;
}

void FakeGrid::run_rest() {
  exec::Effects effects;
  for (size_t i = 0; i < blocks_.size() || start_block(0) >= 0; ++i) {
    for (auto& warp : blocks_[i]->warps_) {
      while (!warp->finished()) {
        warp->waiting_ = false;
        warp->step(effects);
      }
    }
  }
  finished_ = count_;
}

}  // namespace hpml::sim::timing
