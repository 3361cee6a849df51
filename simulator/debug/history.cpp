#include "simulator/debug/history.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "simulator/debug/explorer.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

// A forked explorer shares nothing with the program that could be noticed: no handlers, no terminal.
void leave_program() {
  for (int number = 1; number < NSIG; ++number) {
    signal(number, SIG_DFL);
  }
  signal(SIGINT, SIG_IGN);
  signal(SIGCHLD, SIG_IGN);  // copies of copies need no one to wait for them
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (const int null = open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
}

}  // namespace

Result<Channel> fork_off(const Launch& launch, const std::function<void(Channel)>& serve) {
  const auto [ours, theirs] = socket_pair();
  const pid_t middle = ours >= 0 ? fork() : -1;
  if (middle < 0) {
    return wrong(fmt::format("cannot fork the program: {}", strerror(errno)));
  }
  if (middle == 0) {
    if (fork() != 0) {
      _exit(0);  // so that the program never meets a child that it does not know
    }
    ::close(ours);
    leave_program();
    Channel channel(theirs);
    if (launch.memory->detach_from_parent() && channel.send({{"event", "ready"}}) && channel.readable(-1)) {
      serve(std::move(channel));
    }
    _exit(0);
  }
  while (waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(theirs);
  Channel out(ours);
  if (!out.receive()) {  // memory that it shares with the program would change under it
    return wrong("cannot copy the memory that the program shares with its GPU");
  }
  return out;
}

History::History(const Launch& launch, const Limits& limits, Channel& front)
    : launch_(launch), limits_(limits), front_(front) {}

uint64_t History::bytes() const {
  uint64_t sum = 0;
  for (const Copy& copy : copies_) {
    sum += copy.bytes;
  }
  return sum;
}

uint64_t History::to_nearest() const {
  uint64_t nearest = position();
  for (const Copy& copy : copies_) {
    nearest = copy.position < position() ? std::min(nearest, position() - copy.position) : nearest;
  }
  return nearest;
}

// The program itself stands at the start of the launch: its children begin there. Later a copy does.
Result<History::Copy> History::spawn() {
  if (retired_) {
    return clone(copies_.front());
  }
  HPML_TRY(Channel channel, fork_off(launch_, [this](Channel ours) {
             front_.close();
             active_.channel.close();
             copies_.clear();
             Explorer(launch_, std::move(ours)).serve();
           }));
  return Copy{.position = 0, .bytes = 0, .channel = std::move(channel)};
}

// What an explorer says besides its answers. False: it is an answer.
bool History::take_event(Copy& from, const Json& event, std::optional<Channel>& made) {
  if (!event.contains("event")) {
    return false;
  }
  const int fd = from.channel.take_fd();
  if (event["event"] == "copy") {
    made = Channel(fd);
  } else if (event["event"] == "checkpoint") {
    const auto position = event["position"].get<uint64_t>();
    keep({position, event["bytes"].get<uint64_t>(), Channel(fd)}, position);
  }
  return true;
}

void History::listen_to_front(Copy& running) {
  while (const auto line = front_.poll()) {
    const auto request = parse_request(*line);
    if (!request.ok()) {
      front_.send(refusal(0, request.error().message));
    } else if (request->op == Op::pause) {
      running.channel.send_line(*line);
      front_.send(answer(request->id, Json::object()));
    } else if (request->op == Op::breakpoints) {
      later_ = *request;
    } else {
      front_.send(refusal(request->id, "the kernel is running: pause it first"));
    }
  }
}

std::optional<Request> History::breakpoints_for_later() { return std::exchange(later_, std::nullopt); }

Result<Json> History::ask(Copy& whom, Request request) {
  request.edits = edits_;
  whom.channel.send_line(to_line(request));
  std::optional<Channel> made;
  while (whom.channel.open()) {
    std::array<pollfd, 2> wanted = {{{whom.channel.fd(), POLLIN, 0}, {front_.fd(), POLLIN, 0}}};
    ::poll(wanted.data(), wanted.size(), -1);
    if (wanted[1].revents != 0) {
      listen_to_front(whom);
      if (!front_.open()) {
        return wrong("the debugger is gone");
      }
    }
    while (const auto line = whom.channel.poll()) {
      Json reply = Json::parse(*line, nullptr, false);
      if (!reply.is_object()) {
        return wrong("an explorer said something that is no JSON");
      }
      if (take_event(whom, reply, made)) {
        continue;
      }
      if (!reply.value("ok", false)) {
        return wrong(reply.value("error", "an explorer failed"));
      }
      Json& result = reply["result"];
      if (result.is_object() && result.contains("position")) {
        whom.position = result["position"].get<uint64_t>();
      }
      if (made) {
        copies_.push_back({whom.position, 0, std::move(*made)});  // clone() takes it from there
      }
      return result;
    }
  }
  return wrong("the process that holds this state of the launch has died");
}

Result<History::Copy> History::clone(Copy& from) {
  Request request;
  request.op = Op::clone;
  HPML_TRY(const Json made, ask(from, std::move(request)));
  if (!made.value("made", false)) {
    return wrong("cannot fork: too many processes, or too little memory");
  }
  Copy out = std::move(copies_.back());
  copies_.pop_back();
  return out;
}

Result<History::Copy> History::copy_before(uint64_t position) {
  Copy* best = active_.channel.open() && active_.position <= position ? &active_ : nullptr;
  for (Copy& copy : copies_) {
    if (copy.position <= position && (best == nullptr || copy.position > best->position)) {
      best = &copy;
    }
  }
  return best != nullptr ? clone(*best) : spawn();
}

Result<Json> History::ask(Request request) {
  if (!active_.channel.open()) {
    HPML_TRY(active_, spawn());
  }
  return ask(active_, std::move(request));
}

Result<Json> History::go_to(uint64_t position, const Request& from) {
  const bool nearer = std::ranges::any_of(
      copies_, [&](const Copy& copy) { return copy.position <= position && copy.position > active_.position; });
  if (!active_.channel.open() || active_.position > position || nearer) {
    HPML_TRY(Copy next, copy_before(position));
    if (active_.channel.open()) {
      keep(std::move(active_), position);
    }
    active_ = std::move(next);
  }
  Request request = from;
  request.op = Op::jump;
  request.position = position;
  return ask(active_, std::move(request));
}

Result<std::optional<Json>> History::find_last(uint64_t position, const Request& from) {
  uint64_t end = position;
  while (end > 0) {
    HPML_TRY(Copy searcher, copy_before(end - 1));
    const uint64_t start = searcher.position;
    Request request = from;
    request.op = Op::scan;
    request.scan.to = end;
    HPML_TRY(Json found, ask(searcher, std::move(request)));
    if (found.value("paused", false)) {
      return wrong("paused while looking back: the state is as it was");
    }
    if (found.value("found", false)) {
      return std::optional(std::move(found));
    }
    end = start;
  }
  return std::optional<Json>();
}

Result<uint64_t> History::count_before(uint64_t position, const Request& from) {
  HPML_TRY(Copy counter, spawn());
  Request request = from;
  request.op = Op::scan;
  request.scan.what = "count";
  request.scan.to = position;
  HPML_TRY(const Json found, ask(counter, std::move(request)));
  if (found.value("paused", false)) {
    return wrong("paused while counting: the state is as it was");
  }
  return found.value("count", uint64_t{0});
}

Result<Json> History::ask_at(uint64_t position, const Request& request) {
  HPML_TRY(Copy there, copy_before(position));
  if (there.position < position) {
    Request jump;
    jump.op = Op::jump;
    jump.position = position;
    HPML_TRY_VOID(ask(there, std::move(jump)));
  }
  return ask(there, request);
}

void History::edited(const Edit& edit) {
  copies_.remove_if([&](const Copy& copy) { return copy.position >= edit.position; });
  std::erase_if(edits_, [&](const Edit& known) { return known.position > edit.position; });
  edits_.push_back(edit);
}

Result<void> History::retire() {
  HPML_TRY(Copy start, spawn());
  active_ = {};
  copies_.clear();
  copies_.push_back(std::move(start));
  retired_ = true;
  return Ok{};
}

void History::keep_start() {
  active_ = {};
  copies_.erase(std::next(copies_.begin()), copies_.end());
}

void History::keep(Copy copy, uint64_t here) {
  const auto place = std::ranges::find_if(copies_, [&](const Copy& known) { return known.position >= copy.position; });
  if (place == copies_.end() || place->position != copy.position) {
    copies_.insert(place, std::move(copy));
    thin(here);
  }
}

// Takes away the copy that is missed least. Steps back are small, so that near to `here` copies may lie as close to
// each other as they are to it; far from it they are spread evenly.
void History::thin(uint64_t here) {
  constexpr double kNear = 1000, kShare = 32;
  const size_t least_kept = retired_ ? 1 : 0;
  while (copies_.size() > least_kept && (copies_.size() > limits_.copies || bytes() > limits_.bytes)) {
    const double end = static_cast<double>(std::max({copies_.back().position, active_.position, here})) + 1;
    const auto first = retired_ ? std::next(copies_.begin()) : copies_.begin();
    auto best = first;
    double least = -1;
    for (auto it = first; it != copies_.end(); ++it) {
      const auto at = static_cast<double>(it->position);
      const auto before = static_cast<double>(it == copies_.begin() ? 0 : std::prev(it)->position);
      const auto after = std::next(it) == copies_.end() ? end : static_cast<double>(std::next(it)->position);
      const double distance = std::abs(static_cast<double>(here) - at);
      const double missed = (after - before) / std::max(std::min(distance, end / kShare), kNear);
      if (least < 0 || missed < least) {
        least = missed;
        best = it;
      }
    }
    copies_.erase(best);
  }
}

}  // namespace hpml::sim::debug
