// What each call of a rank does.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/relay/router/engine.hpp"
#include "common/relay/router/system_calls.hpp"

namespace hpml::relay {

using State = RankState::State;

// What a receive from any source or a probe finds depends on which ranks send first.
bool Engine::order_matters(std::uint32_t rank, const RankCall& call) const {
  const Frame& frame = call.frame;
  if (frame.op == Op::receive) {
    return frame.peer == kAny || ranks_[rank].any_source > 0;
  }
  if (frame.op != Op::send) {
    return false;
  }
  const auto& members = communicators_.at(frame.communicator).members;
  return ranks_[members[static_cast<std::size_t>(frame.peer)]].any_source > 0;
}

// All calls of the rank at its present time. False: the next one must wait for the ranks that run now.
bool Engine::carry_out(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const double now = state.clock_s;
  while (!state.calls.empty() && !over_) {
    RankCall& next = state.calls.front();
    if (std::string problem = check(rank, next); !problem.empty()) {
      finish("protocol", static_cast<std::int32_t>(rank), fmt::format("rank {}: {}", rank, problem));
      return true;
    }
    if (!replies_.empty() && order_matters(rank, next)) {
      return false;
    }
    RankCall call = std::move(next);
    state.calls.pop_front();
    if (call.frame.op != Op::test_all && call.frame.op != Op::probe) {
      state.polls_in_row = 0;
      idle_polls_ = call.frame.op == Op::advance ? idle_polls_ : 0;
    }
    switch (call.frame.op) {
      case Op::advance:
        advance_clock(rank, call.frame);
        if (state.clock_s > now) {
          events_.push({state.clock_s, Kind::calls, rank});
          return true;
        }
        break;
      case Op::send: post_send(rank, std::move(call)); break;
      case Op::receive: post_receive(rank, call.frame); break;
      case Op::region: change_region(rank, call.frame.count == 1); break;
      case Op::forbidden:
        finish("forbidden", static_cast<std::int32_t>(rank),
               fmt::format("rank {}: {}", rank, describe_system_call(call.frame.count)));
        return true;
      case Op::finalize:
        state.state = State::over;
        run_.ranks[rank].finalized = true;
        return true;
      default: begin_question(rank, std::move(call)); return true;
    }
  }
  if (!over_ && state.ended) {
    finish("ended", static_cast<std::int32_t>(rank), fmt::format("rank {} ended before MPI_Finalize", rank));
  }
  return true;
}

std::string Engine::check(std::uint32_t rank, const RankCall& call) {
  const Frame& frame = call.frame;
  const RankState& state = ranks_[rank];
  const bool posts = frame.op == Op::send || frame.op == Op::receive;
  if (posts || (frame.op >= Op::probe && frame.op <= Op::split)) {
    const Communicator* communicator = communicators_.find(frame.communicator, rank);
    if (communicator == nullptr) {
      return fmt::format("{} on communicator {}, of which it is no member", name_of(frame.call), frame.communicator);
    }
    const bool any_peer = frame.op != Op::send && frame.peer == kAny;
    const auto size = static_cast<std::int32_t>(communicator->members.size());
    if ((posts || frame.op == Op::probe) && !any_peer && (frame.peer < 0 || frame.peer >= size)) {
      return fmt::format("{} with rank {} of a communicator of {}", name_of(frame.call), frame.peer, size);
    }
    if ((posts || frame.op == Op::probe) && frame.tag < 0 && (frame.op == Op::send || frame.tag != kAny)) {
      return fmt::format("{} with tag {}", name_of(frame.call), frame.tag);
    }
  }
  if (posts && frame.slot < state.requests.size() && state.requests[frame.slot].state != Request::State::unused) {
    return fmt::format("{} with request {}, which is in use", name_of(frame.call), frame.slot);
  }
  if (frame.op == Op::advance && frame.time < state.clock_s) {
    return fmt::format("its clock goes back from {} s to {} s", state.clock_s, frame.time);
  }
  if (frame.op == Op::split && communicators_.count() >= limits_.communicators) {
    return fmt::format("more than {} communicators", limits_.communicators);
  }
  if (frame.op == Op::region && (frame.count > 1 || (frame.count == 1) == state.in_region ||
                                 run_.ranks[rank].regions.size() >= limits_.regions)) {
    return fmt::format("MPI_Pcontrol({}) {} a region (at most {})", frame.count, state.in_region ? "in" : "outside",
                       limits_.regions);
  }
  return check_slots(rank, call);
}

std::string Engine::check_slots(std::uint32_t rank, const RankCall& call) const {
  const RankState& state = ranks_[rank];
  std::vector<std::uint32_t> sorted = call.slots;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    return fmt::format("{} with the same request twice", name_of(call.frame.call));
  }
  for (const std::uint32_t slot : call.slots) {
    if (slot >= state.requests.size() || state.requests[slot].state == Request::State::unused) {
      return fmt::format("{} with request {}, which is not in use", name_of(call.frame.call), slot);
    }
  }
  return "";
}

Region& Engine::region(std::uint32_t rank) {
  RankRecord& record = run_.ranks[rank];
  return ranks_[rank].in_region ? record.regions.back() : record.outside;
}

void Engine::advance_clock(std::uint32_t rank, const Frame& frame) {
  RankState& state = ranks_[rank];
  region(rank).times.compute_s += frame.time - state.clock_s;
  if (settings_.timeline) {
    if (run_.calls.size() < limits_.events) {
      run_.calls.push_back({rank, Call::compute, state.clock_s, frame.time});
    } else {
      run_.timeline_cut = true;
    }
  }
  state.clock_s = frame.time;
}

void Engine::change_region(std::uint32_t rank, bool begins) {
  RankState& state = ranks_[rank];
  auto& regions = run_.ranks[rank].regions;
  state.in_region = begins;
  if (begins) {
    regions.emplace_back();
    regions.back().begin_s = state.clock_s;
    return;
  }
  regions.back().end_s = state.clock_s;
  const auto number = static_cast<std::uint32_t>(regions.size() - 1);
  left_region_.resize(std::max<std::size_t>(left_region_.size(), regions.size()));
  if (++left_region_[number] < ranks_.size()) {
    return;
  }
  for (std::uint32_t each = 0; each < ranks_.size(); ++each) {
    for (const Request& request : ranks_[each].requests) {
      if (request.state != Request::State::unused && request.region == static_cast<std::int32_t>(number)) {
        run_.left_in_region[number].push_back(pending(each, request));
      }
    }
  }
}

void Engine::begin_question(std::uint32_t rank, RankCall&& call) {
  RankState& state = ranks_[rank];
  state.question = std::move(call);
  state.asked_s = state.clock_s;
  state.state = State::waiting;
  switch (state.question.frame.op) {
    case Op::init: {
      Answer answer;
      answer.rank = static_cast<std::int32_t>(rank);
      answer.size = static_cast<std::int32_t>(ranks_.size());
      reply(rank, state.clock_s, answer);
      break;
    }
    case Op::wait_all:
    case Op::wait_any: begin_wait(rank); break;
    case Op::test_all:
    case Op::probe:
      ++state.polls_in_row;
      events_.push({state.clock_s + state.polls_in_row * settings_.test_s, Kind::poll, rank});
      break;
    default: meet(rank);
  }
}

void Engine::begin_wait(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.unfinished = 0;
  for (const std::uint32_t slot : state.question.slots) {
    Request& request = state.requests[slot];
    request.asked = true;
    state.unfinished += request.state == Request::State::complete ? 0 : 1;
  }
  const bool any = state.question.frame.op == Op::wait_any;
  if (state.unfinished == 0 || (any && state.unfinished < state.question.slots.size())) {
    answer_wait(rank, state.clock_s, state.clock_s);
  }
}

// transfer_began: of the message that ends the wait.
void Engine::answer_wait(std::uint32_t rank, double at, double transfer_began) {
  RankState& state = ranks_[rank];
  const double moving = at - std::max(transfer_began, state.asked_s);
  Times& times = region(rank).times;
  times.transfer_s += moving;
  times.wait_s += at - state.asked_s - moving;
  const std::vector<std::uint32_t> slots = std::move(state.question.slots);
  state.question.slots.clear();
  for (const std::uint32_t slot : slots) {
    state.requests[slot].asked = false;
  }
  Answer answer;
  std::span<const std::uint32_t> wanted = slots;
  if (state.question.frame.op == Op::wait_any) {
    const auto first = std::find_if(slots.begin(), slots.end(), [&](std::uint32_t slot) {
      return state.requests[slot].state == Request::State::complete;
    });
    answer.value = static_cast<std::int32_t>(first - slots.begin());
    wanted = wanted.subspan(static_cast<std::size_t>(answer.value), 1);
  }
  reply(rank, at, answer, take_complete(rank, wanted));
}

std::vector<Reply::Done> Engine::take_complete(std::uint32_t rank, std::span<const std::uint32_t> slots) {
  std::vector<Reply::Done> done;
  for (const std::uint32_t slot : slots) {
    Request& request = ranks_[rank].requests[slot];
    const bool receives = !request.is_send;
    done.push_back({{.slot = slot,
                     .source = receives ? request.source : 0,
                     .tag = receives ? request.got_tag : request.tag,
                     .has_payload = receives ? 1u : 0u,
                     .bytes = receives ? request.got_bytes : request.bytes},
                    std::move(request.payload)});
    request.state = Request::State::unused;
  }
  return done;
}

void Engine::poll(std::uint32_t rank, double at) {
  RankState& state = ranks_[rank];
  region(rank).times.wait_s += at - state.asked_s;
  bool found = false;
  if (state.question.frame.op == Op::probe) {
    found = probe(rank, at);
  } else {
    const std::vector<std::uint32_t> slots = std::move(state.question.slots);
    state.question.slots.clear();
    found = std::all_of(slots.begin(), slots.end(),
                        [&](std::uint32_t slot) { return state.requests[slot].state == Request::State::complete; });
    reply(rank, at, {.value = found ? 1 : 0}, found ? take_complete(rank, slots) : std::vector<Reply::Done>{});
  }
  if (found) {
    state.polls_in_row = 0;
    idle_polls_ = 0;
    return;
  }
  ++run_.ranks[rank].polls;
  if (network_.idle() && ++idle_polls_ > limits_.idle_polls) {
    finish(
        "livelock", static_cast<std::int32_t>(rank),
        fmt::format("rank {} calls {} again and again, but no message is under way, and every other rank waits or does "
                    "the same",
                    rank, name_of(state.question.frame.call)));
  }
}

bool Engine::probe(std::uint32_t rank, double at) {
  const std::optional<Found> found = first_message(rank, ranks_[rank].question.frame);
  const Request* send = found ? &ranks_[found->sender].requests[found->slot] : nullptr;
  if (send == nullptr || send->posted_s > at) {
    reply(rank, at, {.value = 0});
    return false;
  }
  const std::int32_t source = communicators_.at(send->communicator).ranks.at(found->sender);
  std::vector<Reply::Done> done(1);
  done[0].head = {.slot = 0, .source = source, .tag = send->tag, .has_payload = 0, .bytes = send->bytes};
  reply(rank, at, {.value = 1}, std::move(done));
  return true;
}

void Engine::meet(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const Frame& frame = state.question.frame;
  ++region(rank).collectives[frame.op == Op::barrier ? Call::barrier : Call::comm_split];
  Communicator& communicator = *communicators_.find(frame.communicator, rank);
  auto& arrived = frame.op == Op::barrier ? communicator.in_barrier : communicator.in_split;
  arrived.push_back({rank, communicator.ranks.at(rank), frame.peer, frame.tag, state.clock_s});
  if (arrived.size() < communicator.members.size()) {
    return;
  }
  const std::vector<Member> members = std::exchange(arrived, {});
  double last = 0;
  for (const Member& member : members) {
    last = std::max(last, member.arrived_s);
  }
  std::map<std::uint32_t, std::int32_t> numbers;
  if (frame.op == Op::split) {
    numbers = communicators_.split(members);
  }
  for (const Member& member : members) {
    Answer& answer = ranks_[member.rank].answer;
    answer = {};
    if (const auto number = numbers.find(member.rank); number != numbers.end()) {
      answer.value = number->second;
      if (number->second >= 0) {
        const Communicator& made = communicators_.at(static_cast<std::uint32_t>(number->second));
        answer.rank = made.ranks.at(member.rank);
        answer.size = static_cast<std::int32_t>(made.members.size());
      }
    }
    region(member.rank).times.wait_s += last - member.arrived_s;
    events_.push({last, Kind::release, member.rank});
  }
}

}  // namespace hpml::relay
