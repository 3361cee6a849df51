#include "observe.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "fail.h"

namespace hpml::harness {

namespace {

constexpr suseconds_t kTick_us = 50'000;
constexpr std::uint32_t kTicksToWait = 2;  // the first may come at once
constexpr int kDeadlock = 35;              // exit status

Observer* current = nullptr;

std::uint32_t read(std::uint32_t& shared) { return std::atomic_ref(shared).load(); }

int open_file() {
  const char* path = std::getenv("HPML_DUMP");
  if (path == nullptr) {
    return -1;
  }
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0) {
    fail(std::string("cannot open HPML_DUMP=") + path);
  }
  return file;
}

void write_all(int file, const void* data, std::size_t bytes, std::uint64_t offset) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = pwrite(file, from, bytes, static_cast<off_t>(offset));
    if (written <= 0) {
      fail("cannot write to HPML_DUMP");
    }
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace

Observer* observer() { return current; }

Observer::Observer(int rank, int ranks) : rank_(rank) {
  current = this;
  const int file = open_file();
  if (file < 0) {
    return;
  }
  mapped_ = sizeof(Header) + static_cast<std::size_t>(ranks) * sizeof(Slot);
  if (posix_fallocate(file, 0, static_cast<off_t>(mapped_)) != 0) {
    fail("no space for HPML_DUMP");
  }
  void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) {
    fail("cannot map HPML_DUMP");
  }
  header_ = static_cast<Header*>(memory);
  slots_ = reinterpret_cast<Slot*>(header_ + 1);
  slot_ = slots_ + rank;
  seen_.resize(static_cast<std::size_t>(ranks));
  header_->magic = kMagic;  // all ranks write the same
  header_->ranks = static_cast<std::uint32_t>(ranks);
  header_->slot_bytes = sizeof(Slot);
  header_->records = mapped_;
  std::uint64_t fresh = 0;
  std::atomic_ref(header_->end).compare_exchange_strong(fresh, mapped_);
  *slot_ = Slot{};
  slot_->to = slot_->from = slot_->tag = slot_->cell = -1;
}

Observer::~Observer() {
  if (header_ != nullptr) {
    munmap(header_, mapped_);
  }
  current = nullptr;
}

void Observer::append(RecordKind kind, int cell, const void* data, std::size_t bytes) const {
  if (header_ == nullptr) {
    return;
  }
  const RecordHead head{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(rank_),
                        static_cast<std::uint32_t>(cell), 0, bytes};
  const std::uint64_t at = std::atomic_ref(header_->end).fetch_add(sizeof head + bytes);
  const int file = open_file();
  write_all(file, &head, sizeof head, at);
  write_all(file, data, bytes, at + sizeof head);
  close(file);
}

void Observer::json(int cell, const std::string& text) const {
  append(RecordKind::json, cell, text.data(), text.size());
}

void Observer::floats(int cell, std::span<const float> values) const {
  append(RecordKind::floats, cell, values.data(), values.size_bytes());
}

void Observer::bytes(int cell, std::span<const std::byte> values) const {
  append(RecordKind::bytes, cell, values.data(), values.size());
}

void Observer::begin_cell(int cell) {
  if (slot_ != nullptr) {
    slot_->cell = cell;
  }
}

void Observer::begin_call(const char* name, int to, int from, int tag, std::size_t bytes) {
  if (slot_ != nullptr) {
    std::strncpy(slot_->call, name, sizeof slot_->call - 1);
    slot_->to = to;
    slot_->from = from;
    slot_->tag = tag;
    slot_->bytes = bytes;
    count_wait();
  }
}

void Observer::end_call() {
  if (slot_ != nullptr) {
    slot_->call[0] = '\0';
    slot_->to = slot_->from = slot_->tag = -1;
    count_wait();
  }
}

void Observer::finish() {
  if (slot_ != nullptr) {
    std::atomic_ref(slot_->finished).store(1);
  }
}

void Observer::count_wait() { std::atomic_ref(slot_->waits).fetch_add(1); }

void Observer::watch() {
  if (slot_ == nullptr) {
    return;
  }
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (current != nullptr) {
      current->tick();
    }
  };
  action.sa_flags = SA_RESTART;
  const itimerval every{{0, kTick_us}, {0, kTick_us}};
  if (sigaction(SIGPROF, &action, nullptr) != 0 || setitimer(ITIMER_PROF, &every, nullptr) != 0) {
    fail("cannot watch for deadlocks");
  }
}

// In a signal handler: nothing here takes memory or a lock.
void Observer::tick() {
  if (read(slot_->waits) % 2 == 0) {
    return;
  }
  std::atomic_ref(slot_->ticks).fetch_add(1);
  if (none_can_go_on()) {
    slot_->deadlock = 1;
    _exit(kDeadlock);
  }
}

bool Observer::none_can_go_on() {
  bool all_wait = true;
  bool as_before = true;
  bool long_enough = true;
  for (std::size_t rank = 0; rank < seen_.size(); ++rank) {
    if (read(slots_[rank].finished) != 0) {
      continue;
    }
    const std::uint32_t waits = read(slots_[rank].waits);
    all_wait = all_wait && waits % 2 == 1;
    as_before = as_before && waits == seen_[rank].waits;
    long_enough = long_enough && read(slots_[rank].ticks) - seen_[rank].ticks >= kTicksToWait;
  }
  if (all_wait && !as_before) {
    for (std::size_t rank = 0; rank < seen_.size(); ++rank) {
      seen_[rank] = {read(slots_[rank].waits), read(slots_[rank].ticks)};
    }
  }
  return all_wait && as_before && long_enough;
}

Waiting::Waiting() {
  if (current != nullptr && current->slot_ != nullptr) {
    current->count_wait();
  }
}

Waiting::~Waiting() {
  if (current != nullptr && current->slot_ != nullptr) {
    current->count_wait();
  }
}

}  // namespace hpml::harness
