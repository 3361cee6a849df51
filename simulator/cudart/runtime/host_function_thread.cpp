#include "simulator/cudart/runtime/host_function_thread.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr std::chrono::milliseconds kLook{3};
constexpr int kIdleLooks = 4;                 // in a row, with all threads asleep
constexpr int64_t kPatienceNs = 200'000'000;  // of processor time without a call
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

int64_t processor_time_ns() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

// proc(5): the state is the word behind the name, which stands in brackets and may hold any character.
bool sleeps(const std::filesystem::path& task) {
  std::ifstream file(task / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t bracket = text.rfind(") ");
  return bracket == std::string::npos || text.substr(bracket + 2, 1) == "S";
}

bool other_threads_sleep() {
  const std::string own = std::to_string(syscall(SYS_gettid));
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (task.path().filename() != own && !sleeps(task.path())) {
      return false;
    }
  }
  return !error;
}

}  // namespace

HostFunctionThread& HostFunctionThread::get() {
  static auto* const one = new HostFunctionThread;
  return *one;
}

void HostFunctionThread::wake() {
  if (!enabled_) {
    return;
  }
  const int process = getpid();
  if (process_.exchange(process) != process) {
    std::thread([this] { serve(); }).detach();
  }
  ++wakes_;
  wakes_.notify_one();
}

// True: the program sleeps, or is busy with something else, and has not called for a while. False: it has called.
bool HostFunctionThread::nobody_will_call() const {
  const uint64_t calls = calls_;
  const int64_t start = processor_time_ns();
  int idle = 0;
  while (calls_ == calls && enabled_) {
    std::this_thread::sleep_for(kLook);
    idle = other_threads_sleep() ? idle + 1 : 0;
    if (idle >= kIdleLooks || processor_time_ns() - start > kPatienceNs) {
      return calls_ == calls && enabled_;
    }
  }
  return false;
}

// A call that is being carried out holds the lock, and it may last: the thread tries again.
void HostFunctionThread::serve() {
  this_thread().inside = 1;  // clocks and naps are real here
  for (uint32_t seen = 0;;) {
    wakes_.wait(seen);
    seen = wakes_;
    Runtime& runtime = Runtime::get();
    for (bool waiting = true; waiting && enabled_;) {
      const bool due = nobody_will_call();
      const std::unique_lock lock(runtime.mutex, std::try_to_lock);
      if (lock.owns_lock()) {
        if (due) {
          runtime.run_host_functions();
        }
        waiting = runtime.has_host_functions();
      }
    }
  }
}

}  // namespace hpml::sim::cudart
