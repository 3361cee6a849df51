#include "common/relay/jail/launcher.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

#include "common/relay/jail/filter.hpp"
#include "common/relay/wire.hpp"

namespace hpml::relay::jail {
namespace {

constexpr int kNotARank = 126;  // exit status of a child that could not become one
constexpr auto kBetweenReports = std::chrono::milliseconds(250);

std::int64_t milliseconds(const timespec& time) { return time.tv_sec * 1000 + time.tv_nsec / 1'000'000; }
std::int64_t milliseconds(const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; }

void limit(__rlimit_resource what, rlim_t most) {
  const struct rlimit value = {most, most};
  if (setrlimit(what, &value) != 0) {
    _exit(kNotARank);
  }
}

}  // namespace

Launcher::Launcher(int control, std::vector<std::string> arguments, std::vector<std::string> own, long memory_mb)
    : control_(control), arguments_(std::move(arguments)), own_(std::move(own)), memory_mb_(memory_mb) {
  for (std::string& word : arguments_) {
    words_.push_back(word.data());
  }
  words_.push_back(nullptr);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, nullptr);
  children_ended_ = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  last_report_ = std::chrono::steady_clock::now();
}

int Launcher::run() {
  bool more = true;
  while (more) {
    pollfd sources[] = {{control_, POLLIN, 0}, {children_ended_, POLLIN, 0}};
    if (poll(sources, 2, static_cast<int>(kBetweenReports.count())) < 0 && errno != EINTR) {
      break;
    }
    report_use();
    if (sources[1].revents != 0) {
      signalfd_siginfo ignored;
      (void)!read(children_ended_, &ignored, sizeof ignored);
      reap();
    }
    if (sources[0].revents != 0) {
      more = serve();
    }
  }
  kill_all();
  return 0;
}

bool Launcher::serve() {
  StartRank request;
  int descriptors[kDescriptors];
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof descriptors)];
  iovec data = {&request, sizeof request};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (recvmsg(control_, &message, MSG_CMSG_CLOEXEC) != sizeof request) {
    return false;
  }
  const cmsghdr* passed = CMSG_FIRSTHDR(&message);
  if (passed == nullptr || passed->cmsg_len != CMSG_LEN(sizeof descriptors)) {
    return false;
  }
  memcpy(descriptors, CMSG_DATA(passed), sizeof descriptors);
  start(request, descriptors);
  for (const int descriptor : descriptors) {
    close(descriptor);
  }
  return true;
}

void Launcher::start(const StartRank& request, const int (&descriptors)[kDescriptors]) {
  const pid_t child = fork();
  if (child == 0) {
    become_rank(request.rank, descriptors);
  }
  if (child < 0) {
    tell({News::not_started, request.rank, errno});
    return;
  }
  ranks_[child] = request.rank;
  tell({News::started, request.rank, 0});
}

void Launcher::become_rank(std::uint32_t rank, const int (&descriptors)[kDescriptors]) {
  // Received after 0 to 3 were in use, so their numbers are above all three targets.
  const int targets[kDescriptors] = {kRankSocket, STDOUT_FILENO, STDERR_FILENO};
  for (int each = 0; each < kDescriptors; ++each) {
    if (dup2(descriptors[each], targets[each]) < 0) {
      _exit(kNotARank);
    }
  }
  sigset_t none;
  sigemptyset(&none);
  if (syscall(SYS_close_range, kRankSocket + 1, ~0U, 0) != 0 || sigprocmask(SIG_SETMASK, &none, nullptr) != 0 ||
      prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    _exit(kNotARank);
  }
  close(STDIN_FILENO);
  limit(RLIMIT_CORE, 0);
  if (memory_mb_ > 0) {
    limit(RLIMIT_DATA, static_cast<rlim_t>(memory_mb_) << 20);
  }
  // All that the new program keeps of this one's memory are its arguments and this environment.
  std::string own = rank < own_.size() ? "HPML_OWN=" + own_[rank] : std::string();
  char* const environment[] = {own.empty() ? nullptr : own.data(), nullptr};
  if (install_filter({words_[0], words_.data(), environment})) {
    execve(words_[0], words_.data(), environment);
  }
  _exit(kNotARank);
}

void Launcher::reap() {
  int status = 0;
  for (pid_t child = waitpid(-1, &status, WNOHANG); child > 0; child = waitpid(-1, &status, WNOHANG)) {
    if (const auto found = ranks_.find(child); found != ranks_.end()) {
      tell({News::ended, found->second, status});
      ranks_.erase(found);
    }
  }
}

void Launcher::report_use() {
  const auto now = std::chrono::steady_clock::now();
  if (now < last_report_ + kBetweenReports) {
    return;
  }
  last_report_ = now;
  rusage of_ended = {};
  getrusage(RUSAGE_CHILDREN, &of_ended);
  std::int64_t total = milliseconds(of_ended.ru_utime) + milliseconds(of_ended.ru_stime), most = -1;
  News news{News::used, 0, 0};
  for (const auto& [child, rank] : ranks_) {
    clockid_t clock;
    timespec used = {};
    if (clock_getcpuclockid(child, &clock) == 0 && clock_gettime(clock, &used) == 0) {
      total += milliseconds(used);
      if (milliseconds(used) > most) {
        most = milliseconds(used);
        news.rank = rank;
      }
    }
  }
  news.status = static_cast<std::int32_t>(std::min<std::int64_t>(total, INT32_MAX));
  tell(news);
}

void Launcher::kill_all() {
  for (const auto& [child, rank] : ranks_) {
    kill(child, SIGKILL);
  }
  while (wait(nullptr) > 0) {
  }
}

void Launcher::tell(const News& news) const { (void)!send(control_, &news, sizeof news, MSG_NOSIGNAL); }

}  // namespace hpml::relay::jail
