#pragma once
// Port<T>: the only way components hand things to each other. First in, first out, of fixed capacity; a packet sent
// with a delay is visible to the receiver at that cycle and not one earlier. A full port is back-pressure: the sender
// asks can_send() first, keeps its packet and counts the stall.
#include <cstddef>
#include <vector>

#include "common/base/check.hpp"
#include "simulator/timing/clock/cycle.hpp"

namespace hpml::sim::timing {

template <class T>
class Port {
 public:
  explicit Port(size_t capacity) : slots_(capacity) {}

  bool can_send() const { return room() > 0; }
  size_t room() const { return slots_.size() - count_; }

  // Precondition: can_send(). Packets arrive in the order they were sent: one sent later with a shorter delay waits.
  void send(const T& packet, Cycle now, uint64_t delay) {
    HPML_CHECK(can_send(), "send() on a full port");
    Cycle ready = now + delay;
    if (count_ > 0) {
      ready = later(ready, slots_[wrapped(head_ + count_ - 1)].ready);
    }
    slots_[wrapped(head_ + count_)] = Slot{ready, packet};
    ++count_;
  }

  // The oldest packet if it has arrived by `now`, else null. Valid until the next send() or pop().
  const T* peek(Cycle now) const { return count_ > 0 && slots_[head_].ready <= now ? &slots_[head_].packet : nullptr; }
  void pop() {
    HPML_CHECK(count_ > 0, "pop() of an empty port");
    head_ = wrapped(head_ + 1);
    --count_;
  }
  bool try_pop(Cycle now, T& out) {
    const T* packet = peek(now);
    if (packet == nullptr) {
      return false;
    }
    out = *packet;
    pop();
    return true;
  }

  void clear() { head_ = count_ = 0; }
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  // When the receiver next has something to do; kNever when empty.
  Cycle next_ready() const { return count_ > 0 ? slots_[head_].ready : kNever; }

 private:
  struct Slot {
    Cycle ready;
    T packet{};
  };
  // Of a place less than two turns ahead; a division would cost more than the rest of send().
  size_t wrapped(size_t at) const { return at < slots_.size() ? at : at - slots_.size(); }

  std::vector<Slot> slots_;
  size_t head_ = 0, count_ = 0;
};

}  // namespace hpml::sim::timing
