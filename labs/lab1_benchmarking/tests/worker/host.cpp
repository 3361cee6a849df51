#include "host.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "serve.hpp"

namespace hpml::lab1 {
namespace {

constexpr int kVectors = 3;
constexpr int64_t kIdleAllowedNs = 10'000'000;  // the way back to its next request is not free either

int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Failure ours(const char* what) { return {kOurFault, fmt::format("{}: {}", what, std::strerror(errno))}; }

}  // namespace

void SharedVectors::Unmap::operator()(void* begin) const { munmap(begin, bytes); }

Answer<SharedVectors> SharedVectors::make(int64_t elements, int count) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t content = (static_cast<size_t>(elements) * sizeof(float) + page - 1) / page * page;
  void* begin = mmap(nullptr, (content + page) * static_cast<size_t>(count), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) {
    return ours("no room for the vectors");
  }
  return SharedVectors(begin, content, page, count);
}

float* SharedVectors::vector(int index, int64_t n) const {
  char* begin = static_cast<char*>(memory_.get()) + (content_ + page_) * static_cast<size_t>(index);
  return reinterpret_cast<float*>(begin + content_) - n;
}

void SharedVectors::guard() const {
  for (int i = 0; i < count_; ++i) {
    mprotect(vector(i, 0), page_, PROT_NONE);
  }
}

KernelHost::KernelHost(SharedVectors shared, pid_t child, int requests, int answers)
    : shared_(std::move(shared)), child_(child), requests_(requests), answers_(answers) {}

Answer<std::unique_ptr<KernelHost>> KernelHost::start(const What& what) {
  HPML_TRY(SharedVectors shared, SharedVectors::make(what.elements, kVectors));
  signal(SIGPIPE, SIG_IGN);  // a process that has ended is seen where its answer is missing
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0) {
    return ours("no pipe");
  }
  const pid_t child = fork();
  if (child == 0) {
    serve(what, shared, requests[0], answers[1]);
  }
  close(requests[0]);
  close(answers[1]);
  if (child < 0) {
    return ours("no process for the kernel");
  }
  std::unique_ptr<KernelHost> host(new KernelHost(std::move(shared), child, requests[1], answers[0]));
  if (Answer<Ok> loaded = host->wait_for(0); !loaded.ok()) {
    return loaded.error();
  }
  host->seen_cpu_ns_ = host->cpu_ns();
  return host;
}

KernelHost::~KernelHost() {
  close(requests_);
  close(answers_);
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
}

int64_t KernelHost::cpu_ns() const {
  clockid_t clock{};
  return clock_getcpuclockid(child_, &clock) == 0 ? now_ns(clock) : 0;
}

// Its process ends when it is told to, not before.
Failure KernelHost::ended() {
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  if (WIFSIGNALED(status)) {
    constexpr int kSignalBase = 128;
    return {kSignalBase + WTERMSIG(status), fmt::format("killed by signal {}", WTERMSIG(status))};
  }
  return {kFailed, WEXITSTATUS(status) == 0 ? "it ended the program instead of returning a result" : ""};
}

Answer<Ok> KernelHost::wait_for(uint64_t sequence) {
  uint64_t got = 0;
  const ssize_t bytes = read(answers_, &got, sizeof got);
  if (bytes == 0) {
    return ended();
  }
  if (bytes != sizeof got || got != sequence) {
    return Failure{kPolicy, "something else than the grader has answered in its place"};
  }
  return Ok{};
}

// Who works while nobody asks wants the clock not to see it.
Answer<Ok> KernelHost::check_idle() {
  pollfd early = {answers_, POLLIN, 0};
  if (poll(&early, 1, 0) > 0 && (early.revents & POLLIN) != 0) {
    return Failure{kPolicy, "it answered before it was asked"};
  }
  idle_ns_ += cpu_ns() - seen_cpu_ns_;
  if (idle_ns_ > busy_ns_ + kIdleAllowedNs) {
    return Failure{kPolicy, fmt::format("it computed for {} ms while it was not asked, and for {} ms while it was",
                                        idle_ns_ / 1'000'000, busy_ns_ / 1'000'000)};
  }
  return Ok{};
}

// The clock stops when the answer lies where its process cannot change it any more.
Answer<Ok> KernelHost::ask(Request request, float* answer, int64_t count) {
  HPML_TRY_VOID(check_idle());
  request.magic = kMagic;
  request.sequence = ++sequence_;
  const int64_t cpu = cpu_ns(), wall = now_ns(CLOCK_MONOTONIC_RAW);
  if (write(requests_, &request, sizeof request) != sizeof request) {
    return ended();
  }
  HPML_TRY_VOID(wait_for(request.sequence));
  std::memcpy(answer, shared_.vector(2, count), static_cast<size_t>(count) * sizeof(float));
  wall_ns_ = now_ns(CLOCK_MONOTONIC_RAW) - wall;
  seen_cpu_ns_ = cpu_ns();
  busy_ns_ += seen_cpu_ns_ - cpu;
  return Ok{};
}

Answer<float> KernelHost::dot(int64_t n, bool sparse) {
  float result = std::numeric_limits<float>::quiet_NaN();
  *shared_.vector(2, 1) = result;
  HPML_TRY_VOID(ask({.n = n, .sparse = sparse ? 1U : 0U}, &result, 1));
  return result;
}

Answer<Ok> KernelHost::product(int64_t n, int64_t block, std::vector<float>& c) {
  c.assign(static_cast<size_t>(n * n), 12345.0F);  // not zero before: a product must not rely on it
  std::copy(c.begin(), c.end(), shared_.vector(2, n * n));
  return ask({.n = n, .block = block}, c.data(), n * n);
}

}  // namespace hpml::lab1
