#include "common/worker/host.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "common/worker/serve.hpp"

namespace hpml::worker {
namespace {

constexpr int64_t kIdleAllowedNs = 10'000'000;  // the way back to its next request is not free either

int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

void hide_this_process() { prctl(PR_SET_DUMPABLE, 0); }

Host::Host(Buffers buffers, pid_t child, Descriptor requests, Descriptor answers)
    : buffers_(std::move(buffers)), child_(child), requests_(std::move(requests)), answers_(std::move(answers)) {}

Answer<std::unique_ptr<Host>> Host::start(const Layout& layout, const Load& load) {
  HPML_TRY(Buffers buffers, Buffers::make(layout));
  return start_in_copy(std::move(buffers), [&load](const Buffers& buffers, int requests, int answers) {
    serve(load, buffers, requests, answers);
  });
}

Answer<std::unique_ptr<Host>> Host::start_counted(const Layout& layout, const Load& load) {
  HPML_TRY(Buffers buffers, Buffers::make(layout));
  return start_in_copy(std::move(buffers), [&load](const Buffers& buffers, int requests, int answers) {
    prctl(PR_SET_DUMPABLE, 1);  // of the worker only: its memory holds no secret
    serve(load, buffers, requests, answers);
  });
}

Answer<std::unique_ptr<Host>> Host::start(const Layout& layout, const std::vector<std::string>& command) {
  if (access(command.front().c_str(), X_OK) != 0) {
    return system_failure(command.front());
  }
  HPML_TRY(Buffers buffers, Buffers::make(layout));
  if (buffers.input_memory().files().size() > 1 || buffers.output_memory().files().size() > 1) {
    return Failure{kOurFault, "the memory of the worker is larger than the limit on file sizes"};
  }
  return start_in_copy(std::move(buffers), [&command](const Buffers& buffers, int requests, int answers) {
    execute(command, buffers, requests, answers);
  });
}

Answer<std::unique_ptr<Host>> Host::start_in_copy(Buffers buffers, const Start& start) {
  signal(SIGPIPE, SIG_IGN);  // a worker that has ended is seen where its answer is missing
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0) {
    return system_failure("no pipe");
  }
  Descriptor read_requests(requests[0]), write_requests(requests[1]);
  if (pipe2(answers, O_CLOEXEC) != 0) {
    return system_failure("no pipe");
  }
  Descriptor read_answers(answers[0]), write_answers(answers[1]);
  const pid_t child = fork();
  if (child == 0) {
    start(buffers, read_requests.number(), write_answers.number());
  }
  if (child < 0) {
    return system_failure("no process for the worker");
  }
  std::unique_ptr<Host> host(new Host(std::move(buffers), child, std::move(write_requests), std::move(read_answers)));
  write_answers = Descriptor(-1);  // else a worker that has ended would not be seen
  if (Answer<Ok> loaded = host->wait_for(0); !loaded.ok()) {
    return loaded.error();
  }
  host->seen_cpu_ns_ = host->cpu_ns();
  return host;
}

Host::~Host() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
}

int64_t Host::cpu_ns() const {
  clockid_t clock{};
  return clock_getcpuclockid(child_, &clock) == 0 ? now_ns(clock) : 0;
}

// A worker ends when it is told to, not before.
Failure Host::ended() {
  int status = 0;
  waitpid(child_, &status, 0);
  return ended_with(status);
}

Failure Host::ended_with(int status) {
  child_ = -1;
  if (WIFSIGNALED(status)) {
    constexpr int kSignalBase = 128;
    return {kSignalBase + WTERMSIG(status), fmt::format("killed by signal {}", WTERMSIG(status))};
  }
  return {kFailed, WEXITSTATUS(status) == 0 ? "it ended the program instead of returning a result" : ""};
}

Answer<Ok> Host::wait_for(uint64_t sequence) {
  uint64_t got = 0;
  const ssize_t bytes = read(answers_.number(), &got, sizeof got);
  if (bytes == 0) {
    return ended();
  }
  if (bytes != sizeof got || got != sequence) {
    return Failure{kPolicy, "something else than the grader has answered in its place"};
  }
  return Ok{};
}

bool Host::has_answered() const {
  pollfd answer = {answers_.number(), POLLIN, 0};
  return poll(&answer, 1, 0) > 0 && (answer.revents & POLLIN) != 0;
}

// Code that works while it is not asked hides its work from the clock.
Answer<Ok> Host::check_idle() {
  if (has_answered()) {
    return Failure{kPolicy, "it answered before it was asked"};
  }
  idle_ns_ += cpu_ns() - seen_cpu_ns_;
  if (idle_ns_ > busy_ns_ + kIdleAllowedNs) {
    return Failure{kPolicy, fmt::format("it computed for {} ms while it was not asked, and for {} ms while it was",
                                        idle_ns_ / 1'000'000, busy_ns_ / 1'000'000)};
  }
  return Ok{};
}

Answer<Ok> Host::prepare(Request& request, std::span<const Output> outputs) {
  for (const Output& output : outputs) {
    std::memcpy(buffers_.output<std::byte>(output.index, static_cast<int64_t>(output.copy.size())), output.copy.data(),
                output.copy.size());
  }
  HPML_TRY_VOID(check_idle());
  request.sequence = ++sequence_;
  return Ok{};
}

Answer<Ok> Host::receive(const Request& request, std::span<const Output> outputs) {
  HPML_TRY_VOID(wait_for(request.sequence));
  for (const Output& output : outputs) {
    std::memcpy(output.copy.data(), buffers_.output<std::byte>(output.index, static_cast<int64_t>(output.copy.size())),
                output.copy.size());
  }
  return Ok{};
}

Answer<Ok> Host::ask(Request request, std::span<const Output> outputs) {
  HPML_TRY_VOID(prepare(request, outputs));
  const int64_t cpu = cpu_ns(), wall = now_ns(CLOCK_MONOTONIC_RAW);
  if (write(requests_.number(), &request, sizeof request) != sizeof request) {
    return ended();
  }
  HPML_TRY_VOID(receive(request, outputs));
  wall_ns_ = now_ns(CLOCK_MONOTONIC_RAW) - wall;
  seen_cpu_ns_ = cpu_ns();
  busy_ns_ += seen_cpu_ns_ - cpu;
  return Ok{};
}

}  // namespace hpml::worker
