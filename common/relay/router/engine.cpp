#include "common/relay/router/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "common/base/check.hpp"

namespace hpml::relay {

using State = RankState::State;

Engine::Engine(const Settings& settings, const Platform& platform, const Limits& limits)
    : settings_(settings),
      limits_(limits),
      least_latency_s_(platform.least_latency_s()),
      network_(platform),
      communicators_(settings.ranks),
      ranks_(settings.ranks),
      running_(settings.ranks) {
  run_.ranks.resize(settings.ranks);
}

void Engine::take(std::uint32_t rank, RankCall&& call) {
  const Op op = call.frame.op;
  ranks_[rank].calls.push_back(std::move(call));
  if (is_question(op) || op == Op::finalize || op == Op::forbidden) {
    close_calls(rank);
  }
}

void Engine::ended(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.ended = true;
  if (state.state == State::waiting && !over_) {  // killed from outside: it cannot end by itself
    finish("ended", static_cast<std::int32_t>(rank), fmt::format("rank {} ended in a call", rank));
  }
  close_calls(rank);
}

// All that the rank says until it is answered is known.
void Engine::close_calls(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (state.state == State::running) {
    state.state = State::ready;
    --running_;
    events_.push({state.clock_s, Kind::calls, rank});
  }
}

std::vector<Reply> Engine::go_on() {
  replies_.clear();
  double horizon = std::numeric_limits<double>::infinity();
  while (!over_) {
    const double in_network = network_.next();
    const double in_ranks = events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
    const double time = std::min(in_network, in_ranks);
    if (!(time < horizon)) {
      break;
    }
    if (in_network <= in_ranks) {
      arrive();
    } else {
      const Event event = events_.top();
      events_.pop();
      if (!happen(event)) {
        events_.push(event);
        break;
      }
    }
    if (!replies_.empty() && horizon == std::numeric_limits<double>::infinity()) {
      horizon = time + least_latency_s_;
    }
  }
  if (!over_ && replies_.empty()) {
    conclude();
  }
  running_ += static_cast<std::uint32_t>(replies_.size());
  return std::exchange(replies_, {});
}

bool Engine::happen(const Event& event) {
  switch (event.kind) {
    case Kind::calls: return carry_out(event.rank);
    case Kind::look_again:
      if (!replies_.empty()) {
        return false;
      }
      look_again(event.rank, event.time);
      return true;
    case Kind::poll:
      if (ranks_[event.rank].question.frame.op == Op::probe && !replies_.empty()) {
        return false;
      }
      poll(event.rank, event.time);
      return true;
    case Kind::release: reply(event.rank, event.time, ranks_[event.rank].answer); return true;
  }
  HPML_CHECK(false, fmt::format("an event of kind {}", static_cast<int>(event.kind)));
}

void Engine::arrive() {
  const double now = network_.next();
  arrived_.clear();
  network_.advance(arrived_);
  for (const std::uint32_t number : arrived_) {
    idle_polls_ = 0;
    const Transfer moved = transfers_[number];
    Request& send = ranks_[moved.sender].requests[moved.send];
    Request& receive = ranks_[moved.receiver].requests[moved.receive];
    receive.payload = std::move(send.payload);
    if (settings_.timeline) {
      if (run_.messages.size() < limits_.events) {
        run_.messages.push_back({moved.sender, moved.receiver, send.tag, send.region, send.bytes, send.posted_s,
                                 receive.posted_s, send.begin_s, now});
      } else {
        run_.timeline_cut = true;
      }
    }
    complete(moved.sender, moved.send, now);
    complete(moved.receiver, moved.receive, now);
  }
}

void Engine::reply(std::uint32_t rank, double at, Answer answer, std::vector<Reply::Done> done) {
  RankState& state = ranks_[rank];
  const Call call = state.question.frame.call;
  if (settings_.timeline && at > state.asked_s) {
    if (run_.calls.size() < limits_.events) {
      run_.calls.push_back({rank, call, state.asked_s, at});
    } else {
      run_.timeline_cut = true;
    }
  }
  state.state = State::running;
  state.clock_s = at;
  answer.time = at;
  answer.completions = static_cast<std::uint32_t>(done.size());
  replies_.push_back({rank, answer, std::move(done)});
}

void Engine::stop(Verdict verdict) {
  if (!over_) {
    finish(std::move(verdict.state), verdict.rank, std::move(verdict.message));
  }
}

// Nothing can happen any more.
void Engine::conclude() {
  std::string waiting;
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].state == State::over) {
      continue;
    }
    ++count;
    if (count <= 4) {
      const Blocked here = blocked(rank);
      waiting += fmt::format("; rank {} waits in {}", rank, name_of(here.call));
      for (const Pending& request : here.requests) {
        const std::string peer = request.peer == kAny ? "any rank" : fmt::format("rank {}", request.peer);
        const std::string tag = request.tag == kAny ? "any tag" : fmt::format("tag {}", request.tag);
        waiting += fmt::format(" ({} {}, {}, {} bytes)", request.is_send ? "to" : "from", peer, tag, request.bytes);
      }
    }
  }
  if (count == 0) {
    finish("done", -1, "");
    return;
  }
  finish(
      "deadlock", -1,
      fmt::format("{} of {} ranks wait for one another{}{}", count, ranks_.size(), waiting, count > 4 ? "; ..." : ""));
}

void Engine::finish(std::string state, std::int32_t rank, std::string message) {
  over_ = true;
  run_.verdict = {std::move(state), rank, std::move(message)};
  for (std::uint32_t each = 0; each < ranks_.size(); ++each) {
    run_.ranks[each].clock_s = ranks_[each].clock_s;
    if (ranks_[each].state == State::waiting) {
      run_.blocked.push_back(blocked(each));
    }
  }
  collect_left();
}

Blocked Engine::blocked(std::uint32_t rank) const {
  constexpr std::size_t kMostNamed = 8;
  const RankState& state = ranks_[rank];
  Blocked result{rank, state.question.frame.call, state.asked_s, {}};
  for (const std::uint32_t slot : state.question.slots) {
    const Request& request = state.requests[slot];
    if (request.state != Request::State::complete && result.requests.size() < kMostNamed) {
      result.requests.push_back(pending(rank, request));
    }
  }
  return result;
}

Pending Engine::pending(std::uint32_t rank, const Request& request) const {
  const auto& members = communicators_.at(request.communicator).members;
  const std::int32_t peer =
      request.peer == kAny ? kAny : static_cast<std::int32_t>(members[static_cast<std::size_t>(request.peer)]);
  const bool met = request.state != Request::State::posted;
  return {request.is_send,  met,         rank, peer, request.tag, request.communicator, request.bytes,
          request.posted_s, request.call};
}

void Engine::collect_left() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    for (const Request& request : ranks_[rank].requests) {
      if (request.state != Request::State::unused) {
        run_.left.push_back(pending(rank, request));
      }
    }
  }
}

}  // namespace hpml::relay
