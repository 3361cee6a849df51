#pragma once
// Miss status registers of an L1: which sectors are on their way, and which loads wait for them. A miss on a sector
// already asked for joins; it costs no traffic.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/timing/packets.hpp"

namespace hpml::sim::timing {

class Mshr {
 public:
  struct Entry {
    uint64_t line = 0;
    uint8_t pending = 0;  // sectors on their way
    bool fill = false;    // the line is to be kept in L1
    int waiters = -1;     // list
    int next = -1;        // chain of the hash bucket
  };

  Mshr(uint32_t sectors, uint32_t merges);

  // The entry of a line with sectors on their way, or -1.
  int find(uint64_t line) const;
  // Whether `sectors` more sectors and one more waiter fit.
  bool can_add(int entry, int sectors) const;
  // Adds `sectors` (not pending yet) to the entry of `line`, made if entry is -1. Returns the entry.
  int add(int entry, uint64_t line, uint8_t sectors, bool fill);
  // `load` waits for `sectors`, all of them pending.
  void wait(int entry, uint32_t load, uint8_t sectors);
  // Sectors have arrived: on_done(load) for each load whose last sector of this line it was. The entry is released when
  // nothing is pending any more.
  template <class F>
  void arrive(int entry, uint8_t sectors, F on_done);

  const Entry& entry(int index) const { return entries_[static_cast<size_t>(index)]; }
  int pending_sectors() const { return pending_; }
  void clear();

 private:
  struct Waiter {
    uint32_t load = 0;
    uint8_t sectors = 0;
    int next = -1;
  };
  static constexpr size_t kBuckets = 256;
  size_t bucket(uint64_t line) const;
  void release(int entry);

  int capacity_, merges_, pending_ = 0;
  std::array<int, kBuckets> buckets_;
  std::vector<Entry> entries_;
  std::vector<Waiter> waiters_;
  std::vector<int> free_entries_, free_waiters_;
};

template <class F>
void Mshr::arrive(int index, uint8_t sectors, F on_done) {
  Entry& entry = entries_[static_cast<size_t>(index)];
  pending_ -= sector_count(entry.pending & sectors);
  entry.pending &= static_cast<uint8_t>(~sectors);
  int* link = &entry.waiters;
  while (*link >= 0) {
    const int at = *link;
    Waiter& waiter = waiters_[static_cast<size_t>(at)];
    waiter.sectors &= static_cast<uint8_t>(~sectors);
    if (waiter.sectors == 0) {
      on_done(waiter.load);
      *link = waiter.next;
      free_waiters_.push_back(at);
    } else {
      link = &waiter.next;
    }
  }
  if (entry.pending == 0) {
    release(index);
  }
}

}  // namespace hpml::sim::timing
