#pragma once
// The rules of a run, without sockets: takes the calls of all ranks, matches them, keeps the virtual clocks and gives
// the answers.
//
// Nothing here depends on when a call reaches the router. Virtual time goes on only while no rank is running (each
// waits in a question or is over), and what happens is taken in its order: time, then kind, then rank. So a run of
// programs that depend on their arguments alone has the same course, figures and verdict every time.
//
// Ranks that were answered at time T can change nothing before T + the least latency, except what MPI_ANY_SOURCE and
// MPI_Iprobe find. So up to there, and up to the first of these, the engine goes on without them.
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "common/relay/router/communicator.hpp"
#include "common/relay/router/limits.hpp"
#include "common/relay/router/network.hpp"
#include "common/relay/router/rank_state.hpp"
#include "common/relay/router/run.hpp"

namespace hpml::relay {

struct Settings {
  std::uint32_t ranks = 0;
  // Each of k tests or probes in a row that find nothing costs k times this, as with SMPI (smpi/test, and
  // smpi/grow-injected-times): a loop of them gets on, and ends at most one cost late.
  double test_s = 1e-7;
  // Bytes that every message adds on the network, and to no count. SMPI adds as many (payload_size_ in its
  // smpi_request.cpp), so both give the same times.
  std::uint32_t envelope_bytes = 16;
  bool timeline = false;
};

// What a rank is told.
struct Reply {
  struct Done {
    Completion head;
    Payload payload;
  };
  std::uint32_t rank = 0;
  Answer head;
  std::vector<Done> done;
};

class Engine {
 public:
  Engine(const Settings& settings, const Platform& platform, const Limits& limits);

  void take(std::uint32_t rank, RankCall&& call);
  void ended(std::uint32_t rank);  // its process has ended, or closed its socket
  void stop(Verdict verdict);      // from outside: broken frames, a time limit, too much output

  // Ranks whose next call is awaited. When there are none, go_on() answers at least one, or the run is over.
  std::uint32_t running() const { return running_; }
  bool is_running(std::uint32_t rank) const { return ranks_[rank].state == RankState::State::running; }
  std::vector<Reply> go_on();

  bool over() const { return over_; }
  bool finalized(std::uint32_t rank) const { return run_.ranks[rank].finalized; }
  Run& run() { return run_; }

 private:
  enum class Kind : std::uint8_t { calls, look_again, poll, release };
  struct Event {
    double time;
    Kind kind;
    std::uint32_t rank;
    bool operator>(const Event& other) const {
      return std::tie(time, kind, rank) > std::tie(other.time, other.kind, other.rank);
    }
  };
  struct Transfer {
    std::uint32_t sender, send, receiver, receive;
  };

  // engine.cpp: the order of things
  void close_calls(std::uint32_t rank);
  bool happen(const Event& event);  // false: not before the ranks that run now have said more
  void arrive();
  void reply(std::uint32_t rank, double at, Answer answer, std::vector<Reply::Done> done = {});
  void conclude();
  void finish(std::string state, std::int32_t rank, std::string message);
  Blocked blocked(std::uint32_t rank) const;
  Pending pending(std::uint32_t rank, const Request& request) const;
  void collect_left();

  // calls.cpp: what each call does
  bool carry_out(std::uint32_t rank);
  bool order_matters(std::uint32_t rank, const RankCall& call) const;
  std::string check(std::uint32_t rank, const RankCall& call);
  std::string check_slots(std::uint32_t rank, const RankCall& call) const;
  void advance_clock(std::uint32_t rank, const Frame& frame);
  void change_region(std::uint32_t rank, bool begins);
  void begin_question(std::uint32_t rank, RankCall&& call);
  void begin_wait(std::uint32_t rank);
  void answer_wait(std::uint32_t rank, double at, double transfer_began);
  std::vector<Reply::Done> take_complete(std::uint32_t rank, std::span<const std::uint32_t> slots);
  void poll(std::uint32_t rank, double at);
  bool probe(std::uint32_t rank, double at);
  void meet(std::uint32_t rank);  // barrier and split
  Region& region(std::uint32_t rank);

  // matching.cpp: sends and receives
  void post_send(std::uint32_t rank, RankCall&& call);
  void post_receive(std::uint32_t rank, const Frame& frame);
  void look_again(std::uint32_t rank, double at);
  bool find_message(std::uint32_t rank, std::uint32_t slot, double at);
  struct Found {
    std::uint32_t sender, slot;
    std::size_t place;  // among that sender's
  };
  std::optional<Found> first_message(std::uint32_t rank, const Frame& wanted) const;
  void transfer(const Transfer& transfer);
  void complete(std::uint32_t rank, std::uint32_t slot, double at);
  void count(std::uint32_t rank, std::uint32_t to, std::uint64_t bytes);

  Settings settings_;
  Limits limits_;
  double least_latency_s_;
  Network network_;
  Communicators communicators_;
  std::vector<RankState> ranks_;
  std::vector<Transfer> transfers_;  // by the network's number
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::uint32_t> arrived_;
  std::vector<Reply> replies_;
  std::vector<std::uint32_t> left_region_;  // by region: how many ranks have left it
  std::uint32_t running_ = 0;
  std::uint32_t pairs_ = 0;
  std::uint32_t idle_polls_ = 0;
  bool over_ = false;
  Run run_;
};

}  // namespace hpml::relay
