#pragma once
// A process that hosts code which is not ours: it is given numbers and gives numbers. When it is asked, how long that
// takes and what is right is decided in this process; in the worker, nothing that decides about points can be reached.
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/worker/buffers.hpp"
#include "common/worker/descriptor.hpp"
#include "common/worker/failure.hpp"
#include "common/worker/protocol.hpp"

namespace hpml::worker {

// Called in the worker for each request: reads inputs, calls the code, writes outputs.
using Function = std::function<void(const Request&)>;
// Called once in the worker, where the code is to be loaded. What cannot be loaded is said on stderr; the process then
// ends with a status other than 0.
using Load = std::function<Function(const Buffers&)>;

// A part of the answer: the last bytes of an output. `copy` holds what lies there before the call, which right code
// overwrites, and afterwards what lies there when the worker has answered.
struct Output {
  size_t index = 0;
  std::span<std::byte> copy;
};

// Processes of the same user, the workers among them, cannot read this one's memory or files. For the first line of
// main().
void hide_this_process();

class Host {
 public:
  // The worker is a copy of this process: it has all that this process holds at this moment, so choose secrets later.
  static Answer<std::unique_ptr<Host>> start(const Layout& layout, const Load& load);
  // As start(), and this process may count the worker's instructions.
  static Answer<std::unique_ptr<Host>> start_counted(const Layout& layout, const Load& load);
  // The worker is another program, first word an absolute path: python_worker() in python.hpp. Its memory must fit the
  // limit on file sizes.
  static Answer<std::unique_ptr<Host>> start(const Layout& layout, const std::vector<std::string>& command);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const Buffers& buffers() const { return buffers_; }
  // Has the worker compute once. The clocks stop when the outputs lie in `outputs`, where the worker cannot change
  // them.
  Answer<Ok> ask(Request request, std::span<const Output> outputs);

  // As ask(), one instruction after the other: how many instructions the worker executes until it has answered. With
  // more than `most` of them the worker is ended and the answer is most + 1. Only where can_count().
  Answer<int64_t> count_instructions(Request request, std::span<const Output> outputs, int64_t most);
  // Whether the system lets this process watch a worker of start_counted(): a container may forbid it.
  bool can_count();

  int64_t busy_ns() const { return busy_ns_; }  // processor time of the worker, all threads, while it was asked
  int64_t wall_ns() const { return wall_ns_; }  // of the last call, from the request until its outputs lay here

 private:
  using Start = std::function<void(const Buffers&, int requests, int answers)>;
  static Answer<std::unique_ptr<Host>> start_in_copy(Buffers buffers, const Start& start);
  Answer<Ok> prepare(Request& request, std::span<const Output> outputs);
  Answer<Ok> receive(const Request& request, std::span<const Output> outputs);
  bool stop_for_counting();
  Answer<int64_t> step_until_answered(int64_t most);
  bool has_answered() const;
  Host(Buffers buffers, pid_t child, Descriptor requests, Descriptor answers);
  Answer<Ok> wait_for(uint64_t sequence);
  Answer<Ok> check_idle();
  Failure ended();
  Failure ended_with(int status);
  int64_t cpu_ns() const;

  Buffers buffers_;
  pid_t child_;
  Descriptor requests_, answers_;
  uint64_t sequence_ = 0;
  int64_t busy_ns_ = 0, idle_ns_ = 0, wall_ns_ = 0, seen_cpu_ns_ = 0;
};

}  // namespace hpml::worker
