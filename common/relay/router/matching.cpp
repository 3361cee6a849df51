// Which send meets which receive, and when.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/relay/router/engine.hpp"

namespace hpml::relay {
namespace {

bool fits(const Frame& wanted, const Request& send, std::int32_t source) {
  return wanted.communicator == send.communicator && (wanted.peer == kAny || wanted.peer == source) &&
         (wanted.tag == kAny || wanted.tag == send.tag);
}

Frame as_frame(const Request& receive) {
  return {.communicator = receive.communicator, .peer = receive.peer, .tag = receive.tag};
}

Request& open(RankState& state, const Frame& frame) {
  if (frame.slot >= state.requests.size()) {
    state.requests.resize(frame.slot + 1);
  }
  Request& request = state.requests[frame.slot];
  request = {};
  request.state = Request::State::posted;
  request.is_send = frame.op == Op::send;
  request.call = frame.call;
  request.peer = frame.peer;
  request.tag = frame.tag;
  request.communicator = frame.communicator;
  request.bytes = frame.bytes;
  request.posted_s = state.clock_s;
  return request;
}

}  // namespace

void Engine::count(std::uint32_t rank, std::uint32_t to, std::uint64_t bytes) {
  const auto [entry, is_new] = region(rank).sent.try_emplace(to);
  Sent& sent = entry->second;
  ++sent.messages;
  sent.empty += bytes == 0 ? 1 : 0;
  sent.bytes += bytes;
  sent.largest = std::max(sent.largest, bytes);
  ++run_.message_count;
  pairs_ += is_new ? 1 : 0;
  if (pairs_ > limits_.pairs) {
    finish("protocol", static_cast<std::int32_t>(rank),
           fmt::format("more than {} pairs of ranks with traffic", pairs_));
  }
}

void Engine::post_send(std::uint32_t rank, RankCall&& call) {
  const Frame& frame = call.frame;
  const Communicator& communicator = *communicators_.find(frame.communicator, rank);
  const std::uint32_t to = communicator.members[static_cast<std::size_t>(frame.peer)];
  Request& send = open(ranks_[rank], frame);
  send.payload = std::move(call.payload);
  send.region = ranks_[rank].in_region ? static_cast<std::int32_t>(run_.ranks[rank].regions.size()) - 1 : kNoRegion;
  count(rank, to, frame.bytes);
  RankState& receiver = ranks_[to];
  const std::int32_t source = communicator.ranks.at(rank);
  for (auto place = receiver.receives.begin(); place != receiver.receives.end(); ++place) {
    if (fits(as_frame(receiver.requests[*place]), send, source)) {
      const std::uint32_t receive = *place;
      receiver.receives.erase(place);
      transfer({rank, frame.slot, to, receive});
      return;
    }
  }
  receiver.arriving[rank].push_back(frame.slot);
}

void Engine::post_receive(std::uint32_t rank, const Frame& frame) {
  RankState& state = ranks_[rank];
  Request& receive = open(state, frame);
  receive.region = state.in_region ? static_cast<std::int32_t>(run_.ranks[rank].regions.size()) - 1 : kNoRegion;
  state.receives.push_back(frame.slot);
  state.any_source += frame.peer == kAny ? 1 : 0;
  if (find_message(rank, frame.slot, state.clock_s)) {
    state.receives.pop_back();
  }
}

// The message that a receive takes: the oldest of its source; of several sources, the one that was sent first.
std::optional<Engine::Found> Engine::first_message(std::uint32_t rank, const Frame& wanted) const {
  const RankState& state = ranks_[rank];
  const Communicator& communicator = communicators_.at(wanted.communicator);
  std::optional<Found> first;
  double sent_s = std::numeric_limits<double>::infinity();
  const auto look = [&](std::uint32_t sender, const std::deque<std::uint32_t>& slots) {
    const auto source = communicator.ranks.find(sender);
    if (source == communicator.ranks.end()) {
      return;
    }
    for (std::size_t place = 0; place < slots.size(); ++place) {
      const Request& send = ranks_[sender].requests[slots[place]];
      if (fits(wanted, send, source->second)) {
        if (send.posted_s < sent_s) {
          sent_s = send.posted_s;
          first = {sender, slots[place], place};
        }
        return;
      }
    }
  };
  if (wanted.peer != kAny) {
    const std::uint32_t sender = communicator.members[static_cast<std::size_t>(wanted.peer)];
    if (const auto found = state.arriving.find(sender); found != state.arriving.end()) {
      look(sender, found->second);
    }
  } else {
    for (const auto& [sender, slots] : state.arriving) {
      look(sender, slots);
    }
  }
  return first;
}

// While the rank has a receive from any source, messages are taken in the order of virtual time, and one that is sent
// later than `at` is looked for again at its time.
bool Engine::find_message(std::uint32_t rank, std::uint32_t slot, double at) {
  RankState& state = ranks_[rank];
  const std::optional<Found> found = first_message(rank, as_frame(state.requests[slot]));
  if (!found) {
    return false;
  }
  const double sent_s = ranks_[found->sender].requests[found->slot].posted_s;
  if (state.any_source > 0 && sent_s > at) {
    events_.push({sent_s, Kind::look_again, rank});
    return false;
  }
  auto& slots = state.arriving[found->sender];
  slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(found->place));
  if (slots.empty()) {
    state.arriving.erase(found->sender);
  }
  transfer({found->sender, found->slot, rank, slot});
  return true;
}

void Engine::look_again(std::uint32_t rank, double at) {
  auto& receives = ranks_[rank].receives;
  for (std::size_t place = 0; place < receives.size() && !over_;) {
    if (find_message(rank, receives[place], at)) {
      receives.erase(receives.begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      ++place;
    }
  }
}

void Engine::transfer(const Transfer& pair) {
  Request& send = ranks_[pair.sender].requests[pair.send];
  Request& receive = ranks_[pair.receiver].requests[pair.receive];
  ranks_[pair.receiver].any_source -= receive.peer == kAny ? 1 : 0;
  if (send.bytes > receive.bytes) {
    finish("truncated", static_cast<std::int32_t>(pair.receiver),
           fmt::format("a message of {} bytes from rank {} (tag {}) meets a receive of {} bytes in rank {}", send.bytes,
                       pair.sender, send.tag, receive.bytes, pair.receiver));
    return;
  }
  receive.source = communicators_.at(send.communicator).ranks.at(pair.sender);
  receive.got_tag = send.tag;
  receive.got_bytes = send.bytes;
  send.state = receive.state = Request::State::moving;
  send.begin_s = receive.begin_s = std::max(send.posted_s, receive.posted_s);
  const std::uint32_t number =
      network_.start(pair.sender, pair.receiver, send.bytes + settings_.envelope_bytes, send.begin_s);
  if (number >= transfers_.size()) {
    transfers_.resize(number + 1);
  }
  transfers_[number] = pair;
}

void Engine::complete(std::uint32_t rank, std::uint32_t slot, double at) {
  RankState& state = ranks_[rank];
  Request& request = state.requests[slot];
  request.state = Request::State::complete;
  if (!request.asked) {
    return;
  }
  --state.unfinished;
  if (state.question.frame.op == Op::wait_any || state.unfinished == 0) {
    answer_wait(rank, at, request.begin_s);
  }
}

}  // namespace hpml::relay
