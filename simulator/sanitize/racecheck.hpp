#pragma once
// racecheck: two threads of a block use the same bytes of shared memory, one of them writes, and nothing orders the
// two. Of each word the last write and the reads since are remembered.
#include <array>
#include <vector>

#include "simulator/sanitize/block_order.hpp"
#include "simulator/sanitize/findings.hpp"
#include "simulator/sanitize/launch_view.hpp"

namespace hpml::sim::sanitize {

class Racecheck {
 public:
  // lockstep: the lanes of a warp execute together (before compute capability 7.0), so only one and the same
  // instruction can collide with itself.
  Racecheck(LaunchView& launch, Findings& findings, bool lockstep)
      : launch_(launch), findings_(findings), lockstep_(lockstep) {}
  void begin_launch();
  void block_started(const exec::ObservedBlock& block);
  void access(const exec::ObservedAccess& access);
  void barrier_arrived(const exec::ObservedGroup& group, bool waits);
  void barrier_opens(int block, int barrier, std::span<const exec::ObservedGroup> waited, bool counted);
  void warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                   const std::array<isa::LaneMask, 32>& masks);

 private:
  // Up to four warps' reads of a word since it was written.
  struct Read {
    BlockOrder::Moment then = 0;
    uint32_t site = 0;
    isa::LaneMask lanes = 0;  // 0: none
    uint8_t warp = 0, bytes = 0;
    bool atomic = false;
  };
  struct Write {
    BlockOrder::Moment then = 0;
    uint32_t site = 0;
    uint32_t serial = 0;  // of the access
    uint16_t thread = 0;
    uint8_t bytes = 0;  // which of the four; 0: none
    bool atomic = false;
  };
  struct Word {
    uint32_t round = 0;  // of the block; an older one means nothing
    Write write;
    std::array<Read, 4> reads;
  };
  struct Block {
    uint32_t round = 0;
    BlockOrder order;
    std::vector<Word> words;
  };
  struct Site {
    const ir::Function* function = nullptr;
    const ir::Inst* inst = nullptr;
  };
  struct Now {  // one lane's use of one word
    const exec::ObservedAccess& access;
    uint32_t site;
    int lane;
    uint64_t address;  // of the word
    uint8_t bytes;
    bool atomic;
  };
  uint32_t site_of(const exec::ObservedAccess& access);
  void use_word(Block& block, Word& word, const Now& now);
  void check_write(const Block& block, const Word& word, const Now& now, bool writes);
  void check_reads(const Block& block, const Word& word, const Now& now);
  bool ordered(const Block& block, const Now& now, int warp, isa::LaneMask lanes, BlockOrder::Moment then) const;
  bool same_value(const Word& word, const Now& now) const;
  void report(Kind kind, const Now& now, uint32_t other_site, uint32_t other_thread, Severity severity);

  LaunchView& launch_;
  Findings& findings_;
  bool lockstep_;
  uint32_t serial_ = 0;
  std::vector<Block> blocks_;  // by handle
  std::vector<Site> sites_;
  std::vector<std::pair<const ir::Function*, uint32_t>> first_site_;  // by function: site of its first instruction
};

}  // namespace hpml::sim::sanitize
