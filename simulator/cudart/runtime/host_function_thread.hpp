#pragma once
// Functions of the program that stand in a stream run inside the calls that wait for the stream. A program may also
// wait for such a function by means of its own: a condition variable, a pipe, a loop that reads a flag. Then no call
// comes, and a thread of the runtime runs the function: when every thread of the program sleeps, or when the program
// has computed for a while without a call. The simulated time stays where it is.
#include <atomic>
#include <cstdint>

namespace hpml::sim::cudart {

class HostFunctionThread {
 public:
  static HostFunctionThread& get();  // never destroyed: it may sleep when the process ends

  // Host functions run on this thread from now on. Called for the runtime of the process, which is never destroyed;
  // the runtimes that tests make and destroy do not call it.
  void enable() { enabled_ = true; }
  void stop() { enabled_ = false; }
  // A function stands in a stream. Starts the thread at the first one; a forked process starts its own.
  void wake();
  // A call of the program has begun: it will run what is due.
  void called() { calls_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void serve();
  bool nobody_will_call() const;

  std::atomic<bool> enabled_ = false;
  std::atomic<int> process_ = 0;  // in which the thread was started
  std::atomic<uint64_t> calls_ = 0;
  std::atomic<uint32_t> wakes_ = 0;
};

}  // namespace hpml::sim::cudart
