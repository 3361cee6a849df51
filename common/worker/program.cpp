#include "common/worker/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "common/bench/clock.hpp"
#include "common/worker/descriptor.hpp"
#include "common/worker/failure.hpp"
#include "common/worker/filter.hpp"

namespace hpml::worker {
namespace {

constexpr size_t kMostOutput = 1 << 16;
constexpr int kLookMs = 1;

// Of all processes that this one has waited for.
int64_t children_cpu_ns() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto ns = [](const timeval& time) { return time.tv_sec * 1'000'000'000LL + time.tv_usec * 1000LL; };
  return ns(used.ru_utime) + ns(used.ru_stime);
}

// The process's number, or -1.
pid_t spawn(const std::vector<std::string>& command, int output) {
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (dup2(output, STDOUT_FILENO) == STDOUT_FILENO && enter_filter()) {
      execv(words[0], words.data());
    }
    _exit(kOurFault);
  }
  return child;
}

// Until the program has no more to say. first_ns: when it began to speak.
std::string read_some(int file, const std::function<void()>& look, std::optional<int64_t>& first_ns) {
  bench::SystemClock clock;
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < kMostOutput) {
    pollfd there{file, POLLIN, 0};
    while (look && poll(&there, 1, kLookMs) == 0) {
      look();
    }
    const ssize_t got = read(file, part.data(), part.size());
    if (got <= 0) {
      break;
    }
    first_ns = first_ns.value_or(clock.wall_ns());
    text.append(part.data(), static_cast<size_t>(got));
  }
  return text;
}

std::string output_of(const std::vector<std::string>& command, const Look& look, int& status,
                      std::optional<int64_t>& first_ns) {
  int ends[2];
  status = -1;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return "";
  }
  std::string text;
  pid_t child = -1;
  {
    const Descriptor from(ends[0]);
    {
      const Descriptor to(ends[1]);
      child = spawn(command, to.number());
    }
    text = read_some(from.number(), look ? [&] { look(child); } : std::function<void()>(), first_ns);
  }  // closed before the wait: a program that has more to say is told
  if (child > 0 && waitpid(child, &status, 0) != child) {
    status = -1;
  }
  return status == 0 ? text : "";
}

}  // namespace

ProgramRun run_program(const std::vector<std::string>& command, const Look& look) {
  bench::SystemClock clock;
  const int64_t wall = clock.wall_ns(), cpu = children_cpu_ns();
  int status = -1;
  std::optional<int64_t> first_ns;
  std::string output = output_of(command, look, status, first_ns);
  const int64_t end = clock.wall_ns();
  return {std::move(output), {end - wall, children_cpu_ns() - cpu}, status, end - first_ns.value_or(end)};
}

}  // namespace hpml::worker
