#include "common/relay/router/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace hpml::relay {
namespace {

using Clock = std::chrono::steady_clock;
using jail::News;

constexpr std::size_t kReadAtOnce = 256 << 10;
constexpr int kEventsAtOnce = 256;
constexpr std::uint32_t kStartsAtOnce = 32;  // requests to the launcher under way, each with three descriptors
constexpr std::size_t kPartsAtOnce = 64;
constexpr auto kForEndings = std::chrono::seconds(5);  // from the end of a run to the ends of its processes
constexpr int kNotStarted = 126;                       // exit status of a rank that the launcher could not start

}  // namespace

void Handle::close() {
  if (number_ >= 0) {
    ::close(std::exchange(number_, -1));
  }
}

Server::Server(Engine& engine, std::uint32_t ranks, const Limits& limits, Handle control, const TimeBounds& bounds,
               std::size_t output_bytes)
    : engine_(engine),
      limits_(limits),
      budget_(limits.held_bytes),
      control_(std::move(control)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      deadline_(Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounds.wall_s))),
      bounds_(bounds),
      output_bytes_(output_bytes),
      outputs_(ranks),
      buffer_(kReadAtOnce) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    ranks_.emplace_back(limits_, budget_);
  }
}

void Server::run() {
  if (start_ranks()) {
    serve();
  }
  wait_for_endings();
  explain_ending();
  keep_what_is_certain();
}

void Server::machine_fault(const std::string& what) { engine_.stop({"machine", -1, what}); }

bool Server::start_ranks() {
  watch(control_.get(), EPOLLIN, from_launcher, 0, true);
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!start_rank(rank)) {
      machine_fault(fmt::format("rank {} could not be started: {}", rank, strerror(errno)));
    }
    if (engine_.over() || (rank + 1 >= kStartsAtOnce && !await_start())) {
      return false;
    }
  }
  for (std::uint32_t left = std::min(kStartsAtOnce - 1, static_cast<std::uint32_t>(ranks_.size())); left > 0; --left) {
    if (!await_start()) {
      return false;
    }
  }
  return true;
}

// The launcher answers each request; a few are under way, so that a busy machine need not switch processes for each.
bool Server::await_start() {
  const std::uint32_t before = started_;
  while (!engine_.over() && started_ == before) {
    if (!read_news()) {
      machine_fault("the launcher of the ranks ended before it had started all of them");
    }
  }
  return !engine_.over();
}

bool Server::start_rank(std::uint32_t rank) {
  int sockets[2], output[2], error[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return false;
  }
  ranks_[rank].socket = Handle(sockets[0]);
  const Handle theirs(sockets[1]);
  if (pipe2(output, O_CLOEXEC) != 0) {
    return false;
  }
  ranks_[rank].streams[0] = Handle(output[0]);
  const Handle their_output(output[1]);
  if (pipe2(error, O_CLOEXEC) != 0) {
    return false;
  }
  ranks_[rank].streams[1] = Handle(error[0]);
  const Handle their_error(error[1]);
  for (const int ours : {sockets[0], output[0], error[0]}) {
    if (fcntl(ours, F_SETFL, O_NONBLOCK) != 0) {
      return false;
    }
  }
  jail::StartRank request{rank};
  const int passed[jail::kDescriptors] = {theirs.get(), their_output.get(), their_error.get()};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof passed)] = {};
  iovec data = {&request, sizeof request};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  *head = {CMSG_LEN(sizeof passed), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(head), passed, sizeof passed);
  if (sendmsg(control_.get(), &message, MSG_NOSIGNAL) != sizeof request) {
    return false;
  }
  watch(sockets[0], EPOLLIN, from_rank, rank, true);
  watch(output[0], EPOLLIN, from_output, rank, true);
  watch(error[0], EPOLLIN, from_error, rank, true);
  return true;
}

void Server::watch(int descriptor, std::uint32_t events, Source source, std::uint32_t rank, bool is_new) {
  epoll_event event = {};
  event.events = events;
  event.data.u64 = (std::uint64_t{rank} << 2) | source;
  epoll_ctl(epoll_.get(), is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

void Server::serve() {
  while (!engine_.over()) {
    while (!engine_.over() && engine_.running() == 0) {
      for (Reply& reply : engine_.go_on()) {
        send(std::move(reply));
      }
    }
    if (!engine_.over() && !wait_for_events(deadline_)) {
      time_out();
    }
  }
}

// False: nothing came in time.
bool Server::wait_for_events(Clock::time_point until) {
  epoll_event events[kEventsAtOnce];
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  const int count =
      left > 0 ? epoll_wait(epoll_.get(), events, kEventsAtOnce, static_cast<int>(std::min<long long>(left, 1 << 30)))
               : 0;
  for (int each = 0; each < count; ++each) {
    const auto rank = static_cast<std::uint32_t>(events[each].data.u64 >> 2);
    switch (static_cast<Source>(events[each].data.u64 & 3)) {
      case from_rank:
        if ((events[each].events & EPOLLOUT) != 0) {
          write_some(rank);
        }
        if ((events[each].events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) {
          read_calls(rank);
        }
        break;
      case from_output: read_stream(rank, 0); break;
      case from_error: read_stream(rank, 1); break;
      case from_launcher:
        if (!read_news()) {
          machine_fault("the launcher of the ranks has ended");
          control_.close();
        }
        break;
    }
  }
  return count > 0 || (count < 0 && errno == EINTR);
}

void Server::time_out() {
  std::int32_t first = -1;
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (engine_.is_running(rank)) {
      first = first < 0 ? static_cast<std::int32_t>(rank) : first;
      ++count;
    }
  }
  engine_.stop(
      {"timeout", first,
       fmt::format("after {:g} s of real time and {:.1f} s of processor time, rank {} has not made its next call "
                   "({} of {} ranks have not). If the program needs more processor time than that, this machine "
                   "is too busy: run it again when the machine is quiet",
                   bounds_.wall_s, used_s_, first, count, ranks_.size())});
}

void Server::used(std::uint32_t most, double cpu_s) {
  used_s_ = cpu_s;
  if (cpu_s > bounds_.cpu_s && !engine_.over()) {
    engine_.stop({"timeout", static_cast<std::int32_t>(most),
                  fmt::format("the ranks have used {:g} s of processor time, the limit; rank {} has used most of it",
                              bounds_.cpu_s, most)});
  }
}

void Server::read_calls(std::uint32_t rank) {
  Rank& state = ranks_[rank];
  if (!state.socket.open()) {
    return;
  }
  const ssize_t count = read(state.socket.get(), buffer_.data(), buffer_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    state.socket.close();
    engine_.ended(rank);
    return;
  }
  const std::string problem = state.decoder.feed(std::span(buffer_).first(static_cast<std::size_t>(count)),
                                                 [&](RankCall&& call) { engine_.take(rank, std::move(call)); });
  if (!problem.empty()) {
    engine_.stop({"protocol", static_cast<std::int32_t>(rank), fmt::format("rank {}: {}", rank, problem)});
  }
}

void Server::read_stream(std::uint32_t rank, int stream) {
  Handle& handle = ranks_[rank].streams[static_cast<std::size_t>(stream)];
  if (!handle.open()) {
    return;
  }
  const ssize_t count = read(handle.get(), buffer_.data(), buffer_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    handle.close();
    return;
  }
  std::string& text = stream == 0 ? outputs_[rank].standard : outputs_[rank].error;
  const std::size_t room = output_bytes_ - std::min(output_bytes_, text.size());
  text.append(reinterpret_cast<const char*>(buffer_.data()), std::min(room, static_cast<std::size_t>(count)));
  if (static_cast<std::size_t>(count) > room) {
    engine_.stop({"output", static_cast<std::int32_t>(rank),
                  fmt::format("rank {} prints more than {} bytes", rank, output_bytes_)});
  }
}

bool Server::read_news() {
  News news;
  const ssize_t count = recv(control_.get(), &news, sizeof news, 0);
  if (count != sizeof news || news.rank >= ranks_.size()) {
    return count < 0 && errno == EINTR;
  }
  const bool by_signal = WIFSIGNALED(news.status);
  switch (news.kind) {
    case News::started: ++started_; break;
    case News::not_started:
      machine_fault(fmt::format("rank {} could not be started: {}", news.rank, strerror(news.status)));
      break;
    case News::ended:
      engine_.run().ranks[news.rank].ending = {true, by_signal,
                                               by_signal ? WTERMSIG(news.status) : WEXITSTATUS(news.status)};
      break;
    case News::used: used(news.rank, news.status / 1000.0); break;
  }
  return true;
}

void Server::send(Reply&& reply) {
  Rank& rank = ranks_[reply.rank];
  rank.decoder.answered();
  const auto append = [&](const auto& head) {
    const auto bytes = std::as_bytes(std::span(&head, 1));
    if (rank.out.empty() || !rank.out.back().payload.bytes().empty()) {
      rank.out.emplace_back();
    }
    rank.out.back().head.insert(rank.out.back().head.end(), bytes.begin(), bytes.end());
  };
  append(reply.head);
  for (Reply::Done& done : reply.done) {
    append(done.head);
    rank.out.back().payload = std::move(done.payload);
  }
  write_some(reply.rank);
}

void Server::write_some(std::uint32_t number) {
  Rank& rank = ranks_[number];
  while (!rank.out.empty() && rank.socket.open()) {
    std::vector<iovec> pieces;
    std::size_t skip = rank.written;
    const auto add = [&](std::span<const std::byte> bytes) {
      const std::size_t skipped = std::min(skip, bytes.size());
      skip -= skipped;
      if (bytes.size() > skipped) {
        pieces.push_back({const_cast<std::byte*>(bytes.data()) + skipped, bytes.size() - skipped});
      }
    };
    for (std::size_t each = 0; each < std::min(rank.out.size(), kPartsAtOnce); ++each) {
      add(rank.out[each].head);
      add(std::as_const(rank.out[each].payload).bytes());
    }
    msghdr message = {};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    const ssize_t count = sendmsg(rank.socket.get(), &message, MSG_NOSIGNAL);
    if (count < 0) {
      break;  // full: go on when there is room. Gone: reading says so
    }
    rank.written += static_cast<std::size_t>(count);
    const auto size = [&] { return rank.out.front().head.size() + rank.out.front().payload.bytes().size(); };
    while (!rank.out.empty() && rank.written >= size()) {
      rank.written -= size();
      rank.out.pop_front();
    }
  }
  if (rank.socket.open() && rank.wants_write != !rank.out.empty()) {
    rank.wants_write = !rank.out.empty();
    const std::uint32_t events = EPOLLIN | (rank.wants_write ? static_cast<std::uint32_t>(EPOLLOUT) : 0u);
    watch(rank.socket.get(), events, from_rank, number, false);
  }
}

// After a run that is done, every process ends; after another, the one at fault may.
void Server::wait_for_endings() {
  const Verdict verdict = engine_.run().verdict;
  const bool all = verdict.state == "done";
  const auto settled = [&](std::uint32_t rank) {
    return engine_.run().ranks[rank].ending.known && !ranks_[rank].streams[0].open() && !ranks_[rank].streams[1].open();
  };
  const bool one_ended = verdict.state == "ended" || verdict.state == "forbidden";
  const auto until = std::min(Clock::now() + kForEndings, std::max(deadline_, Clock::now() + kForEndings / 5));
  for (bool more = control_.open() && (all || one_ended); more;) {
    more = false;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      more = more || ((all || static_cast<std::int32_t>(rank) == verdict.rank) && !settled(rank));
    }
    more = more && control_.open() && wait_for_events(until);
  }
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {  // what has been printed before the end
    read_stream(rank, 0);
    read_stream(rank, 1);
  }
  control_.close();
}

void Server::explain_ending() {
  Run& run = engine_.run();
  if (run.verdict.state == "done") {
    for (std::uint32_t rank = 0; rank < ranks_.size() && run.verdict.state == "done"; ++rank) {
      const Ending& ending = run.ranks[rank].ending;
      if (!ending.known) {
        run.verdict = {"timeout", static_cast<std::int32_t>(rank),
                       fmt::format("rank {} does not end after MPI_Finalize", rank)};
      } else if (ending.by_signal || ending.code != 0) {
        run.verdict = {"ended", static_cast<std::int32_t>(rank),
                       fmt::format("rank {} failed after MPI_Finalize", rank)};
      }
    }
  }
  if (run.verdict.state != "ended") {
    return;
  }
  const Ending& ending = run.ranks[static_cast<std::size_t>(run.verdict.rank)].ending;
  if (!ending.known) {
    run.verdict.message += "; it has closed its socket, and its process goes on";
  } else if (ending.by_signal && ending.code == SIGSYS) {
    run.verdict.state = "forbidden";
    run.verdict.message += ": it made a system call that is not allowed";
  } else if (ending.by_signal) {
    run.verdict.message += fmt::format(": signal {} ({})", ending.code, strsignal(ending.code));
  } else if (ending.code == kNotStarted && run.ranks[static_cast<std::size_t>(run.verdict.rank)].clock_s == 0) {
    run.verdict.message += fmt::format(": exit status {} (its program could not be started)", ending.code);
  } else {
    run.verdict.message += fmt::format(": exit status {}", ending.code);
  }
}

// Of ranks that were stopped while they computed, what they had printed depends on the moment.
void Server::keep_what_is_certain() {
  const Run& run = engine_.run();
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (engine_.is_running(rank) && static_cast<std::int32_t>(rank) != run.verdict.rank) {
      outputs_[rank] = {};
    }
  }
}

}  // namespace hpml::relay
