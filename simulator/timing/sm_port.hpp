#pragma once
// The two ends of an SM's port to the crossbar: requests leave through it, replies arrive.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/timing/clock/port.hpp"
#include "simulator/timing/packets.hpp"

namespace hpml::sim::timing {

// Replies on their way to one SM, delivered by arrival time; equal times in order of sending.
class ReplyQueue {
 public:
  void push(Cycle ready, const MemReply& reply);
  bool try_pop(Cycle now, MemReply& out);
  Cycle next_ready() const { return heap_.empty() ? kNever : heap_.front().ready; }
  size_t size() const { return heap_.size(); }
  void clear() { heap_.clear(); }

 private:
  struct Entry {
    Cycle ready;
    uint64_t order = 0;
    MemReply reply;
  };
  static bool after(const Entry& a, const Entry& b) {
    return a.ready != b.ready ? a.ready > b.ready : a.order > b.order;
  }
  std::vector<Entry> heap_;
  uint64_t order_ = 0;
};

struct SmPort {
  explicit SmPort(size_t requests) : out(requests) {}
  Port<MemRequest> out;
  ReplyQueue in;
};

// Where an SM's requests go while the launch is fast-forwarded: they change caches at once, and nothing is answered.
class WarmingPort {
 public:
  virtual void warm(const MemRequest& request) = 0;

 protected:
  ~WarmingPort() = default;
};

}  // namespace hpml::sim::timing
