#include "simulator/sanitize/phases.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace hpml::sim::sanitize {

void Phases::begin_launch() {
  blocks_.clear();
  staged_ = {};
}

void Phases::block_started(const exec::ObservedBlock& block) {
  const auto handle = static_cast<size_t>(block.handle);
  if (handle >= blocks_.size()) {
    blocks_.resize(handle + 1);
  }
  end(blocks_[handle]);
  blocks_[handle].words.resize((block.shared_bytes + kStagedWord - 1) / kStagedWord);
}

void Phases::access(const exec::ObservedAccess& access) {
  if (access.space != isa::Space::shared || access.owner < 0 || static_cast<size_t>(access.owner) >= blocks_.size()) {
    return;
  }
  Block& block = blocks_[static_cast<size_t>(access.owner)];
  const uint32_t phase = now(block);
  const bool loads = access.inst->mem == isa::Mem::ld;
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const uint64_t from = access.address[std::countr_zero(rest)], to = from + access.bytes;
    if (to > block.words.size() * kStagedWord || to < from) {
      continue;
    }
    for (uint64_t at = from / kStagedWord; at * kStagedWord < to; ++at) {
      Word& word = block.words[at];
      if (!loads) {
        word.phase = phase;
      } else if (word.phase != 0 && word.phase != phase) {
        ++block.phases[word.phase].staged;
        ++block.phases[phase].loaded;
        word.phase = 0;
      }
    }
  }
}

void Phases::barrier_opens(int block) { ++blocks_[static_cast<size_t>(block)].barriers; }

Staged Phases::take() {
  for (Block& block : blocks_) {
    end(block);
  }
  return std::exchange(staged_, {});
}

uint32_t Phases::now(Block& block) {
  if (block.phases.empty()) {
    block.phases.emplace_back();
  }
  if (block.phases.size() == 1 || block.phases.back().number != block.barriers) {
    block.phases.push_back({.number = block.barriers});
  }
  return static_cast<uint32_t>(block.phases.size() - 1);
}

void Phases::end(Block& block) {
  uint64_t words = 0;
  for (const Phase& phase : block.phases) {
    staged_.first += words == 0 ? phase.staged : 0;
    words += phase.staged;
    staged_.beside += std::min(phase.staged, phase.loaded);
  }
  staged_.words += words;
  block = {};
}

}  // namespace hpml::sim::sanitize
