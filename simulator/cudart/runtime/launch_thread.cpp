#include "simulator/cudart/runtime/launch_thread.hpp"

#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace hpml::sim::cudart {

namespace {

// Real time that a caller waits for the simulation of its kernel.
constexpr std::chrono::milliseconds kPatience{200};
constexpr std::chrono::microseconds kNap{20};

thread_local bool on_launch_thread = false;

}  // namespace

LaunchThread& LaunchThread::get() {
  static auto* const one = new LaunchThread;
  return *one;
}

int LaunchThread::run(std::function<int()> call) {
  const int process = getpid();
  if (const int owner = process_; owner != 0 && owner != process) {
    return call();
  }
  ThreadState& caller = this_thread();
  const auto task = std::make_shared<Task>();
  task->call = std::move(call);
  task->state = caller;
  ++caller.inside;  // the time-out counts real time
  std::unique_lock lock(mutex_);
  if (process_.exchange(process) == 0) {
    std::thread([this] { serve(); }).detach();
  }
  tasks_.push_back(task);
  asked_.notify_one();
  if (!answered_.wait_for(lock, kPatience, [&] { return task->done; })) {
    answered_.wait(lock, [&] { return task->done || task->arguments_read; });
  }
  --caller.inside;
  if (task->done) {
    caller = std::move(task->state);
    return task->result;
  }
  task->detached = true;
  detached_clock_ = task->called;
  detached_ = true;
  return 0;
}

// Polls: a thread that was blocked on the mutex when the call was detached would stay blocked until the call's end.
std::unique_lock<CountedMutex> LaunchThread::lock_of(Runtime& runtime) {
  std::unique_lock lock(runtime.mutex, std::try_to_lock);
  while (!lock.owns_lock() && !detached_) {
    ++this_thread().inside;
    std::this_thread::sleep_for(kNap);
    --this_thread().inside;
    (void)lock.try_lock();
  }
  return lock;
}

void LaunchThread::arguments_read() {
  if (on_launch_thread) {
    const std::lock_guard lock(mutex_);
    current_->arguments_read = true;
    current_->called = Runtime::get().clock.now();
    answered_.notify_all();
  }
}

void LaunchThread::serve() {
  on_launch_thread = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [this] { return !tasks_.empty(); });
    current_ = tasks_.front();
    tasks_.pop_front();
    this_thread() = current_->state;
    lock.unlock();
    const int result = current_->call();
    lock.lock();
    current_->result = result;
    current_->state = this_thread();
    current_->done = true;
    if (current_->detached) {
      detached_ = false;
      Runtime& runtime = Runtime::get();
      const std::lock_guard runtime_lock(runtime.mutex);
      runtime.clock.advance_to(detached_clock_);
    }
    answered_.notify_all();
  }
}

Context::HostSharing host_sharing(Context& context) {
  const memory::AddressSpace& memory = context.memory();
  Context::HostSharing& known = context.host_sharing;
  if (known.generation != memory.generation()) {
    known = {memory.generation()};
    for (const memory::Allocation* one : memory.live()) {
      known.pinned |= one->kind == memory::Kind::pinned || one->kind == memory::Kind::registered;
      known.managed |= one->kind == memory::Kind::managed && context.device().properties().concurrent_managed_access;
    }
  }
  return known;
}

}  // namespace hpml::sim::cudart
