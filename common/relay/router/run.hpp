#pragma once
// What is known of a run in the end, for the report. Times are virtual, in seconds.
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "common/relay/wire.hpp"

namespace hpml::relay {

inline constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::int32_t kNoRegion = -1;

// What one rank has sent to one other.
struct Sent {
  std::uint64_t messages = 0;  // including the empty ones
  std::uint64_t empty = 0;
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;
};

struct Times {
  double compute_s = 0;
  double wait_s = 0;      // in a call, for a partner that was not ready
  double transfer_s = 0;  // in a call, while its message was under way
};

// A stretch of a rank's calls: between MPI_Pcontrol(1) and MPI_Pcontrol(0), or all those outside such regions.
struct Region {
  double begin_s = kNever;
  double end_s = kNever;
  Times times;
  std::map<std::uint32_t, Sent> sent;         // by receiver
  std::map<Call, std::uint64_t> collectives;  // barriers and splits: calls that move no counted message
};

// A send or receive without its partner, or one that its rank has not waited for.
struct Pending {
  bool is_send = false;
  bool met = false;  // its partner
  std::uint32_t rank = 0;
  std::int32_t peer = 0;  // rank in the world, or kAny
  std::int32_t tag = 0;
  std::uint32_t communicator = kWorld;
  std::uint64_t bytes = 0;
  double posted_s = 0;
  Call call = Call::unknown;
};

// A rank that waits in a call when the run ends.
struct Blocked {
  std::uint32_t rank = 0;
  Call call = Call::unknown;
  double since_s = 0;
  std::vector<Pending> requests;  // those it waits for
};

struct Verdict {
  // "done", or why the run was ended: "forbidden", "protocol", "truncated", "ended", "deadlock", "livelock" (decided in
  // virtual time, so the same on every run); "timeout", "output", "machine"
  std::string state;
  std::int32_t rank = -1;  // the one at fault; -1: none, or several
  std::string message;
};

struct MessageEvent {
  std::uint32_t from, to;
  std::int32_t tag;
  std::int32_t region;
  std::uint64_t bytes;
  double sent_s, received_s;  // when either side was ready
  double begin_s, end_s;
};

struct RankEvent {
  std::uint32_t rank;
  Call call;
  double begin_s, end_s;
};

// How a rank's process ended.
struct Ending {
  bool known = false;
  bool by_signal = false;
  int code = 0;  // exit status or signal
};

struct RankRecord {
  double clock_s = 0;
  bool finalized = false;
  std::uint64_t polls = 0;  // tests and probes that found nothing
  Region outside;
  std::vector<Region> regions;
  Ending ending;
};

struct Run {
  std::vector<RankRecord> ranks;
  std::map<std::uint32_t, std::vector<Pending>> left_in_region;  // not over when the last rank has left it
  std::vector<Pending> left;                                     // not over at the end
  std::vector<Blocked> blocked;
  std::vector<MessageEvent> messages;  // the timeline
  std::vector<RankEvent> calls;
  bool timeline_cut = false;
  std::uint64_t message_count = 0;
  Verdict verdict;
};

}  // namespace hpml::relay
