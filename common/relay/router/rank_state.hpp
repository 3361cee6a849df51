#pragma once
// What the engine knows of one rank.
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "common/relay/router/decoder.hpp"
#include "common/relay/router/payload.hpp"
#include "common/relay/router/run.hpp"

namespace hpml::relay {

struct Request {
  enum class State : std::uint8_t { unused, posted, moving, complete };
  State state = State::unused;
  bool is_send = false;
  bool asked = false;  // the rank's question is about it
  Call call = Call::unknown;
  std::int32_t peer = 0;  // in the communicator, or kAny
  std::int32_t tag = 0;
  std::uint32_t communicator = kWorld;
  std::int32_t region = kNoRegion;
  std::uint64_t bytes = 0;  // of the message, or the most that a receive takes
  double posted_s = 0;
  double begin_s = 0;       // of the transfer
  std::int32_t source = 0;  // of what was received, in the communicator
  std::int32_t got_tag = 0;
  std::uint64_t got_bytes = 0;
  Payload payload;
};

struct RankState {
  // running: its process computes, and its next call is awaited; ready: its calls are known up to the next question;
  // waiting: in a question; over: finalized or ended.
  enum class State : std::uint8_t { running, ready, waiting, over };
  State state = State::running;
  double clock_s = 0;
  std::deque<RankCall> calls;  // not carried out yet
  bool ended = false;          // behind those calls its process has ended

  RankCall question;
  double asked_s = 0;
  std::uint32_t unfinished = 0;  // requests of the question that are not complete
  std::uint32_t polls_in_row = 0;
  Answer answer;  // of a barrier or split, when it is known

  std::vector<Request> requests;                                // by slot
  std::deque<std::uint32_t> receives;                           // slots of those without a message, oldest first
  std::map<std::uint32_t, std::deque<std::uint32_t>> arriving;  // by sender: its slots, sends to here without a receive
  std::uint32_t any_source = 0;                                 // of `receives`, those from MPI_ANY_SOURCE
  bool in_region = false;
};

}  // namespace hpml::relay
