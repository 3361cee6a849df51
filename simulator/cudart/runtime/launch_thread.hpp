#pragma once
// A kernel may wait for the host: it reads a word of pinned memory in a loop until the program writes it. Kernels are
// simulated inside the call that launches them, so such a kernel would wait for a thread that waits for it. Launches
// that may be of this sort are carried out on a thread of their own. The caller waits for the end of the simulation
// for a while, which is long enough for nearly every launch, and then returns to the program. The launch thread keeps
// the runtime's lock, so that the program's next call waits until the kernel has ended.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

class LaunchThread {
 public:
  static LaunchThread& get();  // never destroyed: a kernel may still be on it when the process ends

  // Runs `call`, an entry point, on the launch thread with the calling thread's state and returns its result. After the
  // time-out it returns 0, and the call is detached: it runs on while the program continues. A forked process has no
  // launch thread, so there the caller runs it. Precondition: the calling thread does not hold the runtime's lock.
  int run(std::function<int()> call);
  // Called inside `call` once it has copied what the caller's pointers point to: it can be detached from here on, and
  // the program continues at the time that the host's clock shows now.
  void arguments_read();
  // The runtime's lock, to read the host's clock. Comes back unlocked while a detached call holds it.
  std::unique_lock<CountedMutex> lock_of(Runtime& runtime);
  // Advances the program's clock while a call is detached, and returns it.
  Picoseconds advance_detached(Picoseconds time) { return detached_clock_.fetch_add(time) + time; }

 private:
  struct Task {
    std::function<int()> call;
    ThreadState state;
    int result = 0;
    Picoseconds called = 0;  // the time when it had read its arguments
    bool arguments_read = false, done = false, detached = false;
  };
  void serve();

  std::mutex mutex_;
  std::condition_variable asked_, answered_;
  std::deque<std::shared_ptr<Task>> tasks_;
  std::shared_ptr<Task> current_;
  std::atomic<int> process_ = 0;        // in which the thread was started: it is not in a forked one
  std::atomic<bool> detached_ = false;  // a detached call holds the runtime's lock
  std::atomic<Picoseconds> detached_clock_ = 0;
};

// What memory kernels of the device share with the host so that both may use it at the same time.
Context::HostSharing host_sharing(Context& context);

}  // namespace hpml::sim::cudart
