#pragma once
// A front's end of the protocol: starts the program to debug, asks it, and hears of its stops.
#include <sys/types.h>

#include <deque>
#include <functional>
#include <optional>

#include "simulator/debug/channel.hpp"

namespace hpml::sim::debug_front {

using debug::Json;
using debug::Op;
using debug::Request;

std::string triple(const Json& json);  // "(1,2,0)", of blockIdx and the like

// "the program was ended by signal 11 (Segmentation fault) in its own code; ...", or "the program has ended with status
// 0". `rerun`: the command that runs it without the debugger.
std::string end_text(int status, const std::string& rerun);

struct Start {
  // In the child: replaces it by the program; returns only on a failure, with an exit status.
  std::function<int()> become;
  std::string rerun;  // the command that runs the program without the debugger
  uint64_t history_bytes = uint64_t{1} << 30;
  int in = -1, out = -1, err = -1;  // the program's standard streams; -1: ours
};

class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();
  // A program started before is ended. Error: the operating system refuses.
  Result<void> start(const Start& start);
  bool started() const { return pid_ > 0; }
  bool alive() const { return channel_.open(); }
  pid_t pid() const { return pid_; }
  int fd() const { return channel_.fd(); }

  // The result. Error: what the program says, or that it is gone.
  Result<Json> call(Request request);
  // Without waiting for the answer, which is dropped.
  void tell(Request request);
  // The next event; waits that long, for ever with -1. Nothing: none came, or the program is gone.
  std::optional<Json> event(int timeout_ms);
  // Ends the program, if it has not ended, and returns its status as wait() gives it.
  int end(bool kill_it);

 private:
  void take(const std::string& line);
  void reap();

  debug::Channel channel_;
  pid_t pid_ = 0;
  std::optional<int> status_;
  int64_t next_id_ = 1;
  std::deque<Json> events_;
  std::deque<Json> answers_;
};

}  // namespace hpml::sim::debug_front
