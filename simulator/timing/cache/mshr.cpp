#include "simulator/timing/cache/mshr.hpp"

#include "common/base/check.hpp"
#include "simulator/timing/cache/sector_cache.hpp"

namespace hpml::sim::timing {

Mshr::Mshr(uint32_t sectors, uint32_t merges)
    : capacity_(static_cast<int>(sectors)), merges_(static_cast<int>(merges)) {
  buckets_.fill(-1);
}

size_t Mshr::bucket(uint64_t line) const { return mix(line) % kBuckets; }

int Mshr::find(uint64_t line) const {
  int at = buckets_[bucket(line)];
  while (at >= 0 && entries_[static_cast<size_t>(at)].line != line) {
    at = entries_[static_cast<size_t>(at)].next;
  }
  return at;
}

bool Mshr::can_add(int entry, int sectors) const {
  if (pending_ + sectors > capacity_) {
    return false;
  }
  int waiting = 0;
  for (int at = entry < 0 ? -1 : entries_[static_cast<size_t>(entry)].waiters; at >= 0;
       at = waiters_[static_cast<size_t>(at)].next) {
    ++waiting;
  }
  return waiting < merges_ * 4;  // merges are counted per sector; an entry holds the four of a line
}

int Mshr::add(int entry, uint64_t line, uint8_t sectors, bool fill) {
  if (entry < 0) {
    if (free_entries_.empty()) {
      free_entries_.push_back(static_cast<int>(entries_.size()));
      entries_.emplace_back();
    }
    entry = free_entries_.back();
    free_entries_.pop_back();
    int& head = buckets_[bucket(line)];
    entries_[static_cast<size_t>(entry)] = Entry{line, 0, fill, -1, head};
    head = entry;
  }
  Entry& e = entries_[static_cast<size_t>(entry)];
  HPML_CHECK((e.pending & sectors) == 0, "sector requested twice");
  e.pending |= sectors;
  e.fill = e.fill || fill;
  pending_ += sector_count(sectors);
  return entry;
}

void Mshr::wait(int entry, uint32_t load, uint8_t sectors) {
  if (free_waiters_.empty()) {
    free_waiters_.push_back(static_cast<int>(waiters_.size()));
    waiters_.emplace_back();
  }
  const int at = free_waiters_.back();
  free_waiters_.pop_back();
  Entry& e = entries_[static_cast<size_t>(entry)];
  waiters_[static_cast<size_t>(at)] = Waiter{load, sectors, e.waiters};
  e.waiters = at;
}

void Mshr::release(int index) {
  HPML_CHECK(entries_[static_cast<size_t>(index)].waiters < 0, "released with waiting loads");
  int* link = &buckets_[bucket(entries_[static_cast<size_t>(index)].line)];
  while (*link != index) {
    link = &entries_[static_cast<size_t>(*link)].next;
  }
  *link = entries_[static_cast<size_t>(index)].next;
  free_entries_.push_back(index);
}

void Mshr::clear() {
  buckets_.fill(-1);
  entries_.clear();
  waiters_.clear();
  free_entries_.clear();
  free_waiters_.clear();
  pending_ = 0;
}

}  // namespace hpml::sim::timing
