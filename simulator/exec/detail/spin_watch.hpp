#pragma once
// Notices that a group of lanes waits in a loop: an iteration after which every register is as it was before, and in
// which the warp has not changed memory, will repeat until something else changes memory. Looked for rarely (after 32,
// 64, 128, ... backward branches), because loops that compute must not pay for it.
#include <cstdint>
#include <cstring>
#include <vector>

#include "simulator/exec/detail/warp_state.hpp"

namespace hpml::sim::exec {

enum class Loop : uint8_t {
  unknown,  // look again at the very next backward branch
  moves,    // registers or memory have changed
  waits     // they have not
};

class SpinWatch {
 public:
  // At a backward branch of the group to `target`, or at its unfulfilled wait there, with the registers of `frame`.
  Loop look(const Frame& frame, Pc target) {
    const size_t bytes = frame.storage.size();
    if (frame_ == &frame && target_ == target) {
      if (!changed_ && std::memcmp(before_.data(), frame.regs, bytes) == 0) {
        return Loop::waits;
      }
      frame_ = nullptr;
      return Loop::moves;
    }
    frame_ = &frame;
    changed_ = false;
    target_ = target;
    before_.assign(frame.regs, frame.regs + bytes);
    return Loop::unknown;
  }
  // Between two looks: what the warp writes matters, until something has changed.
  bool watches() const { return frame_ != nullptr && !changed_; }
  void memory_changed() { changed_ = true; }

 private:
  const Frame* frame_ = nullptr;
  Pc target_ = ir::kNoPc;
  bool changed_ = false;
  std::vector<std::byte> before_;
};

}  // namespace hpml::sim::exec
