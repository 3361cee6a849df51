#pragma once
// The sockets of a run: starts the ranks through the launcher, carries bytes between them and the engine, keeps what
// they print, and ends them.
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "common/relay/jail/control.hpp"
#include "common/relay/router/decoder.hpp"
#include "common/relay/router/engine.hpp"
#include "common/relay/router/report.hpp"

namespace hpml::relay {

// A descriptor that is closed with its owner.
class Handle {
 public:
  explicit Handle(int number = -1) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Handle() { close(); }
  void close();
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_;
};

// In seconds. Processor time is that of all ranks together, so that what a program may do does not depend on what else
// the machine does; real time ends runs whose ranks neither compute nor call.
struct TimeBounds {
  double cpu_s = 0;
  double wall_s = 0;
};

class Server {
 public:
  // control: the launcher's socket. bounds: for the whole run. output_bytes: of each stream of each rank.
  Server(Engine& engine, std::uint32_t ranks, const Limits& limits, Handle control, const TimeBounds& bounds,
         std::size_t output_bytes);
  Server(const Server&) = delete;

  // The whole run. Afterwards the engine's run has its verdict and the endings of the ranks.
  void run();
  std::vector<Output>& outputs() { return outputs_; }

 private:
  enum Source : std::uint64_t { from_rank, from_output, from_error, from_launcher };
  struct Part {
    std::vector<std::byte> head;
    Payload payload;
  };
  struct Rank {
    Rank(const Limits& limits, Budget& budget) : decoder(limits, budget) {}
    Handle socket;
    std::array<Handle, 2> streams;  // standard output, standard error
    Decoder decoder;
    std::deque<Part> out;     // not written yet
    std::size_t written = 0;  // of the first part
    bool wants_write = false;
  };

  bool start_ranks();
  bool start_rank(std::uint32_t rank);
  bool await_start();
  void machine_fault(const std::string& what);
  void serve();
  void wait_for_endings();
  bool wait_for_events(std::chrono::steady_clock::time_point until);
  void time_out();
  void used(std::uint32_t most, double cpu_s);

  void read_calls(std::uint32_t rank);
  void read_stream(std::uint32_t rank, int stream);
  bool read_news();  // false: the launcher is gone
  void send(Reply&& reply);
  void write_some(std::uint32_t rank);
  void watch(int descriptor, std::uint32_t events, Source source, std::uint32_t rank, bool is_new);
  void explain_ending();
  void keep_what_is_certain();

  Engine& engine_;
  Limits limits_;
  Budget budget_;
  Handle control_;
  Handle epoll_;
  std::chrono::steady_clock::time_point deadline_;
  TimeBounds bounds_;
  double used_s_ = 0;  // of processor time
  std::size_t output_bytes_;
  std::uint32_t started_ = 0;
  std::deque<Rank> ranks_;
  std::vector<Output> outputs_;
  std::vector<std::byte> buffer_;
};

}  // namespace hpml::relay
