#pragma once
// What happened before the launch in hand: earlier launches, which can be searched again from their starts, and what
// the host wrote into the GPU's memory between them.
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "simulator/debug/history.hpp"

namespace hpml::sim::debug {

// Rows of bytes in device memory that a copy or a fill wrote.
struct HostWrite {
  std::string what;  // "a copy from the host"
  uint64_t address = 0, width = 0, pitch = 0, height = 1, slice = 0, depth = 1;

  bool touches(uint64_t at, uint64_t bytes) const;
};

class Timeline {
 public:
  struct Launch {
    int number = 0;
    std::unique_ptr<History> history;  // null: its start is not kept
    std::deque<HostWrite> after = {};  // until the next launch
  };

  // The launch is over; `start`: retired, or null.
  void add(int number, std::unique_ptr<History> start);
  void wrote(HostWrite write);
  // The last one that was added, while it is the one that is looked at.
  Launch take_last();
  void give_back(Launch last) { launches_.push_back(std::move(last)); }

  // Oldest first. The first one stands for what was before the first launch.
  std::deque<Launch>& launches() { return launches_; }
  // Whether all of what was written is known.
  bool complete() const { return complete_; }

 private:
  std::deque<Launch> launches_ = std::deque<Launch>(1);
  size_t kept_ = 0, writes_ = 0;
  bool complete_ = true;
};

}  // namespace hpml::sim::debug
