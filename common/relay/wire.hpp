#pragma once
// What a rank and the router say to each other over the rank's one socket. Both run on the same machine, so the fields
// are in its byte order. The router trusts no field (router/decoder.hpp).
//
// A rank sends frames. Some of them are questions (is_question()): after one, the rank sends nothing until it has read
// the whole answer. So the router knows of every rank, at every moment, whether it computes or waits.
#include <cstdint>

namespace hpml::relay {

inline constexpr int kRankSocket = 3;        // descriptor of the socket in a rank
inline constexpr std::int32_t kNobody = -1;  // MPI_PROC_NULL: never on the wire
inline constexpr std::int32_t kAny = -2;     // MPI_ANY_SOURCE, MPI_ANY_TAG
inline constexpr std::uint32_t kWorld = 0;   // communicator of all ranks

enum class Op : std::uint32_t {
  init = 1,   // question: who am I?
  advance,    // the rank computes until virtual time `time`, in seconds
  send,       // starts a send from slot `slot`; `bytes` bytes of payload follow
  receive,    // starts a receive into slot `slot` of at most `bytes` bytes
  wait_all,   // question: `count` slots follow, each four bytes; answered when all are complete
  wait_any,   // question: the same, answered when one is complete
  test_all,   // question: the same, answered at once: are all complete?
  probe,      // question: could a receive from `peer` with `tag` be matched now?
  barrier,    // question: answered when every rank of the communicator has asked
  split,      // question: colour in `peer`, key in `tag`; answered with a new communicator
  region,     // traffic from here on belongs to a new region (`count` = 1) or to none (0)
  forbidden,  // the rank is about to end, because its program made a system call that is not allowed (`count`)
  finalize,   // the last frame
};

// The MPI function that a frame comes from: for messages to people only.
enum class Call : std::uint32_t {
  unknown,
  init,
  finalize,
  send,
  recv,
  isend,
  irecv,
  sendrecv,
  wait,
  waitall,
  waitany,
  test,
  testall,
  iprobe,
  barrier,
  comm_split,
  pcontrol,
  compute,
  last,
};

inline constexpr std::uint32_t kClockRead = 0xffffffff;  // Op::forbidden, `count`: an instruction that reads a clock

struct Frame {
  Op op = Op::init;
  Call call = Call::unknown;
  std::uint32_t communicator = kWorld;
  std::uint32_t slot = 0;
  std::int32_t peer = 0;  // rank in the communicator, or kAny
  std::int32_t tag = 0;
  std::uint32_t count = 0;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
  double time = 0;
};
static_assert(sizeof(Frame) == 48);

// An answer; `completions` times a Completion follow, each with its payload.
struct Answer {
  double time = 0;         // the rank's virtual clock, in seconds
  std::int32_t value = 0;  // test_all, probe: 0 or 1; wait_any: place in the list; split: the communicator, or -1
  std::int32_t rank = 0;   // init, split: the rank's number there
  std::int32_t size = 0;   // init, split: how many ranks
  std::uint32_t completions = 0;
};
static_assert(sizeof(Answer) == 24);

struct Completion {
  std::uint32_t slot = 0;
  std::int32_t source = 0;
  std::int32_t tag = 0;
  std::uint32_t has_payload = 0;  // 1: `bytes` bytes follow
  std::uint64_t bytes = 0;
};
static_assert(sizeof(Completion) == 24);

constexpr bool is_question(Op op) { return op == Op::init || (op >= Op::wait_all && op <= Op::split); }

}  // namespace hpml::relay
