#include "common/worker/asleep.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/bench/clock.hpp"

namespace hpml::worker {
namespace {

constexpr int64_t kForever = -1;  // of a time-out in milliseconds
constexpr size_t kCallWords = 7;  // the number of the call and its six arguments

std::vector<int64_t> words_of(std::string_view line) {
  std::vector<int64_t> words;
  while (!line.empty() && words.size() < kCallWords) {
    const size_t end = std::min(line.find(' '), line.size());
    std::string_view word = line.substr(0, end);
    const bool hex = word.starts_with("0x");
    word.remove_prefix(hex ? 2 : 0);
    uint64_t value = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10).ec != std::errc()) {
      break;  // "running", or -1: blocked, but in no call
    }
    words.push_back(static_cast<int64_t>(value));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

bool waits_for_time(std::string_view line) {
  const std::vector<int64_t> words = words_of(line);
  if (words.size() < kCallWords) {
    return false;
  }
  const auto milliseconds = [&](size_t argument) { return static_cast<int32_t>(words[argument]) != kForever; };
  switch (words[0]) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep: return true;
    case SYS_futex: {
      const int64_t operation = words[2] & FUTEX_CMD_MASK;
      return (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) && words[4] != 0;
    }
    case SYS_ppoll: return words[3] != 0;
    case SYS_pselect6: return words[5] != 0;
    case SYS_rt_sigtimedwait: return words[3] != 0;
    case SYS_epoll_pwait: return milliseconds(4);
#ifdef SYS_poll
    case SYS_poll: return milliseconds(3);
    case SYS_select: return words[5] != 0;
    case SYS_epoll_wait: return milliseconds(4);
#endif
    default: return false;
  }
}

void Asleep::look(pid_t program) {
  size_t threads = 0;
  std::error_code gone;
  for (std::filesystem::directory_iterator thread("/proc/" + std::to_string(program) + "/task", gone), end;
       !gone && thread != end; thread.increment(gone)) {
    std::ifstream file(thread->path() / "syscall");
    std::string line;
    std::getline(file, line);
    known_ = known_ || !line.empty();
    threads += waits_for_time(line) ? 1 : 0;
  }
  const int64_t now = bench::SystemClock().wall_ns();
  if (last_ns_ != 0) {
    waited_[std::min(threads, kMost)] += now - last_ns_;
  }
  last_ns_ = now;
}

int64_t Asleep::ns(int threads) const {
  int64_t sum = 0;
  for (size_t count = static_cast<size_t>(std::max(threads, 1)); count <= kMost; ++count) {
    sum += static_cast<int64_t>(count) * waited_[count];
  }
  return sum;
}

}  // namespace hpml::worker
