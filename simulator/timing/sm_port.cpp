#include "simulator/timing/sm_port.hpp"

#include <algorithm>

namespace hpml::sim::timing {

void ReplyQueue::push(Cycle ready, const MemReply& reply) {
  heap_.push_back(Entry{ready, order_++, reply});
  std::push_heap(heap_.begin(), heap_.end(), after);
}

bool ReplyQueue::try_pop(Cycle now, MemReply& out) {
  if (heap_.empty() || heap_.front().ready > now) {
    return false;
  }
  std::pop_heap(heap_.begin(), heap_.end(), after);
  out = heap_.back().reply;
  heap_.pop_back();
  return true;
}

}  // namespace hpml::sim::timing
