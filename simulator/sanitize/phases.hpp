#pragma once
// phases: not a check but a count of what a block's barriers separate. A word of shared memory is staged if it is
// stored in one phase (between two barriers of the block) and loaded in a later one. A kernel with two buffers stages
// the next words in the phase in which it first loads the last ones; a kernel with one buffer does so in different
// phases.
#include <cstdint>
#include <vector>

#include "simulator/exec/observer.hpp"

namespace hpml::sim::sanitize {

// Of one launch. Every word counts once for each time that it is stored, and only if it is loaded before it is stored
// again.
struct Staged {
  uint64_t words = 0;
  uint64_t first = 0;  // of these, words of the first phase that stages any, summed over blocks
  uint64_t beside =
      0;  // the smaller of: words staged in a phase, words first loaded in it; summed over phases and blocks
  bool operator==(const Staged&) const = default;
};

class Phases {
 public:
  void begin_launch();
  void block_started(const exec::ObservedBlock& block);
  void access(const exec::ObservedAccess& access);
  void barrier_opens(int block);
  // Ends the launch.
  Staged take();

 private:
  static constexpr uint64_t kStagedWord = 4;  // bytes
  struct Word {
    uint32_t phase =
        0;  // in which it was stored: an index of Block::phases; 0: not since the block started, or loaded since
  };
  struct Phase {
    uint64_t number = 0;  // barriers of the block before it
    uint64_t staged = 0, loaded = 0;
  };
  struct Block {
    uint64_t barriers = 0;
    std::vector<Phase> phases;  // those with accesses, after a dummy at 0
    std::vector<Word> words;
  };
  uint32_t now(Block& block);
  void end(Block& block);

  std::vector<Block> blocks_;  // by handle
  Staged staged_;
};

}  // namespace hpml::sim::sanitize
