// What the ranks of a run leave for the grader: a file, named by HPML_DUMP, that all ranks map and append to.
//
// Layout, little endian: Header, then one Slot per rank, from Header::records on the records: RecordHead and payload.
// Read by judges/lab4_observation.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hpml::harness {

inline constexpr std::uint64_t kMagic = 0x31534f344c504d48;  // "HMPL4OS1"

enum class RecordKind : std::uint32_t { json = 1, floats = 2, bytes = 3 };

struct Header {
  std::uint64_t magic;
  std::uint32_t ranks, slot_bytes;
  std::uint64_t records;  // offset of the first record
  std::uint64_t end;      // behind the last one; ranks add to it atomically
};

// The call that a rank is in: what a deadlock is explained with. An empty name: in none.
struct Slot {
  char call[16];
  std::int32_t to, from, tag, cell;  // -1: none
  std::uint64_t bytes;
  std::uint32_t finished;  // the rank has ended well
  std::uint32_t deadlock;  // the rank has seen that no rank can go on, and has ended the run
  std::uint32_t waits;     // odd while the rank waits for others; counts up when it begins and when it ends
  std::uint32_t ticks;     // of its processor time (watch) while it waited
};

struct RecordHead {
  std::uint32_t kind, rank, cell, reserved;
  std::uint64_t bytes;
};

// Of this rank. Construct after MPI_Init, one per process; does nothing where HPML_DUMP is not set.
class Observer {
 public:
  Observer(int rank, int ranks);
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  void json(int cell, const std::string& text) const;
  void floats(int cell, std::span<const float> values) const;
  void bytes(int cell, std::span<const std::byte> values) const;
  void begin_cell(int cell);
  void begin_call(const char* name, int to, int from, int tag, std::size_t bytes);
  void end_call();
  void finish();  // last of all

  // From now on a deadlock ends the run: all ranks wait, and since then each of them has polled for 50 ms of its
  // processor time and more, and none has gone on. Real time would say nothing on a busy machine. For ranks that are
  // processes.
  void watch();

 private:
  friend class Waiting;

  void append(RecordKind kind, int cell, const void* data, std::size_t bytes) const;
  void count_wait();
  void tick();
  bool none_can_go_on();

  struct Seen {
    std::uint32_t waits = 0, ticks = 0;
  };
  int rank_;
  std::size_t mapped_ = 0;
  Header* header_ = nullptr;
  Slot* slots_ = nullptr;
  Slot* slot_ = nullptr;    // of this rank
  std::vector<Seen> seen_;  // of all ranks, when they last began to wait all at once
};

// A call of the harness's own that waits for the other ranks, for as long as it lives.
class Waiting {
 public:
  Waiting();
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
};

// The observer of this rank, for the counting library; nullptr before the first and after the last of its life.
Observer* observer();

}  // namespace hpml::harness
