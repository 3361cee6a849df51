#pragma once
// The file of a recording, written as the program goes: what it has done is there even when it is killed.
#include <atomic>
#include <string>

#include "common/base/result.hpp"
#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

class Writer {
 public:
  // limit: bytes. What would go beyond it ends the recording with TooLarge.
  static Result<std::unique_ptr<Writer>> create(const std::string& path, uint64_t limit);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Also from a handler of page faults: whole events, one after the other. Nothing in a forked child.
  void write(Event event);
  void flush();

 private:
  Writer(int file, uint64_t limit, int owner) : file_(file), limit_(limit), owner_(owner) {}
  void flush_locked();

  int file_;
  uint64_t limit_, written_ = 0;
  int owner_;  // process
  bool full_ = false;
  std::string buffer_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace hpml::sim::replay
