#include "simulator/debug_front/client.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace hpml::sim::debug_front {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::string triple(const Json& json) {
  return json.is_array() && json.size() == 3
             ? fmt::format("({},{},{})", json[0].get<int64_t>(), json[1].get<int64_t>(), json[2].get<int64_t>())
             : "(?)";
}

std::string end_text(int status, const std::string& rerun) {
  if (!WIFSIGNALED(status)) {
    return fmt::format("the program has ended with status {}", WEXITSTATUS(status));
  }
  const std::string signal =
      fmt::format("the program was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  const bool crashed = std::ranges::find(kCrashes, WTERMSIG(status)) != std::end(kCrashes);
  return crashed ? fmt::format("{} in its own code, not in a kernel; gdb shows the line: gdb --ex run --args {}",
                               signal, rerun)
                 : signal;
}

Client::~Client() { end(true); }

Result<void> Client::start(const Start& start) {
  end(true);
  pid_ = 0;
  status_.reset();
  events_.clear();
  answers_.clear();
  const auto [ours, theirs] = debug::socket_pair();
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // explorers of the program that have lost their parents come to us
  pid_ = ours >= 0 ? fork() : -1;
  if (pid_ < 0) {
    return error_in("debug", fmt::format("cannot start the program: {}", strerror(errno)));
  }
  if (pid_ == 0) {
    fcntl(theirs, F_SETFD, 0);
    setenv("GPUSIM_DEBUG_FD", std::to_string(theirs).c_str(), 1);
    setenv("GPUSIM_DEBUG_HISTORY", std::to_string(start.history_bytes).c_str(), 1);
    signal(SIGINT, SIG_IGN);  // the terminal's Ctrl-C is for the debugger
    const int streams[] = {start.in, start.out, start.err};
    for (int i = 0; i < 3; ++i) {
      if (streams[i] >= 0) {
        dup2(streams[i], i);
      }
    }
    _exit(start.become());
  }
  ::close(theirs);
  channel_ = debug::Channel(ours);
  return Ok{};
}

void Client::take(const std::string& line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) {
    return;
  }
  (json.contains("event") ? events_ : answers_).push_back(std::move(json));
}

// Explorers that have ended, and the program if it has.
void Client::reap() {
  int status = 0;
  for (pid_t ended = waitpid(-1, &status, WNOHANG); ended > 0; ended = waitpid(-1, &status, WNOHANG)) {
    if (ended == pid_) {
      status_ = status;
    }
  }
}

Result<Json> Client::call(Request request) {
  reap();
  request.id = next_id_++;
  if (!channel_.send_line(debug::to_line(request))) {
    channel_.close();
  }
  while (const auto line = channel_.receive()) {
    take(*line);
    while (!answers_.empty()) {
      Json answer = std::move(answers_.front());
      answers_.pop_front();
      if (answer.value("id", int64_t{0}) != request.id) {
        continue;  // of something told
      }
      if (answer.value("ok", false)) {
        return answer["result"];
      }
      return error_in("program", answer.value("error", "failed"));
    }
  }
  return error_in("program", "the program is not running");
}

void Client::tell(Request request) {
  request.id = next_id_++;
  channel_.send_line(debug::to_line(request));
}

std::optional<Json> Client::event(int timeout_ms) {
  while (events_.empty()) {
    if (!channel_.open()) {
      return std::nullopt;
    }
    auto line = channel_.poll();
    if (!line && channel_.open()) {
      if (!channel_.readable(timeout_ms)) {  // also when a signal comes
        return std::nullopt;
      }
      line = channel_.poll();
    }
    if (line) {
      take(*line);
    } else if (timeout_ms >= 0 && channel_.open()) {
      return std::nullopt;  // part of a line
    }
    answers_.clear();  // of what was told
  }
  Json out = std::move(events_.front());
  events_.pop_front();
  return out;
}

int Client::end(bool kill_it) {
  if (pid_ <= 0) {
    return 0;
  }
  if (!status_) {
    if (kill_it) {
      kill(pid_, SIGKILL);
    }
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
  }
  channel_.close();
  reap();
  return *status_;
}

}  // namespace hpml::sim::debug_front
