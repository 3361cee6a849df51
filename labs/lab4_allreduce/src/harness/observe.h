// What the ranks of a run leave for the grader: a file, named by HPML_DUMP, that all ranks map and append to.
//
// Layout, little endian: Header, then one Slot per rank, from Header::records on the records: RecordHead and payload.
// Read by judges/lab4_observation.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

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
  std::uint32_t finished, reserved;  // finished: the rank has ended well
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

 private:
  void append(RecordKind kind, int cell, const void* data, std::size_t bytes) const;

  int rank_;
  std::size_t mapped_ = 0;
  Header* header_ = nullptr;
  Slot* slot_ = nullptr;
};

// The observer of this rank, for the counting library; nullptr before the first and after the last of its life.
Observer* observer();

}  // namespace hpml::harness
