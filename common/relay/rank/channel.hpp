#pragma once
// The rank's end of its socket. Frames are kept until the next question, so that a step of an algorithm costs one
// write and one read.
#include <array>
#include <cstddef>
#include <vector>

#include "common/relay/wire.hpp"

namespace hpml::relay {

// Ends the rank with "MPI (rank 3): <text>" on the standard error stream.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

class Channel {
 public:
  // Adds a frame and what follows it.
  void put(const Frame& frame, const void* payload = nullptr, std::size_t bytes = 0);
  void flush();
  // Sends a question (with everything before it) and reads the fixed part of its answer.
  Answer ask(const Frame& frame, const void* payload = nullptr, std::size_t bytes = 0);
  // Reads what follows: completions and payloads.
  void read(void* to, std::size_t bytes);

  double now = 0;  // the rank's virtual clock
  int rank = -1;   // in the world; -1 before MPI_Init
  int size = 0;

 private:
  void put_clock();
  void write_all(const std::byte* data, std::size_t bytes);

  double told_ = 0;  // the clock as the router knows it
  std::vector<std::byte> out_;
  std::array<std::byte, 32 << 10> in_;  // read ahead
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
};

// A process is one rank.
Channel& channel();

}  // namespace hpml::relay
