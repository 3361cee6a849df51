#pragma once
// Messages on the links, in virtual time. A message waits its latency, then flows at a rate that all messages on its
// links share: max-min fair, with weights 1 / latency, as in SimGrid's model CM02 without TCP's window (Casanova and
// Marchal, "A network model for simulation of grid application", INRIA RR-4596, 2002). Alone on its links a message of
// N bytes takes alpha + N beta, so a rank's two links are its one send port and its one receive port.
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "common/relay/router/platform.hpp"

namespace hpml::relay {

class Network {
 public:
  explicit Network(Platform platform);

  // A message that both sides are ready for at time `at`. Returns its number; numbers are used again.
  std::uint32_t start(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, double at);

  // When something happens next; infinity: nothing is under way.
  double next();
  // Lets it happen, and adds the messages that have arrived.
  void advance(std::vector<std::uint32_t>& arrived);

  bool idle() const { return under_way_ == 0; }

 private:
  struct Flow {
    Route route;
    double left = 0;  // bytes, at time `since`
    double since = 0;
    double rate = 0;   // bytes per second; 0: waits its latency
    double share = 0;  // the next rate, while shares are being worked out
    std::uint32_t version = 0;
    bool flowing = false;
    bool fixed = false;
    bool seen = false;
  };
  struct Happening {
    double time;
    std::uint64_t order;
    std::uint32_t flow;
    std::uint32_t version;
    bool operator>(const Happening& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  struct Usage {
    std::vector<std::uint32_t> flows;
    double left = 0;  // bandwidth, while shares are being worked out
    bool seen = false;
  };

  void schedule(std::uint32_t flow, double time);
  void join(std::uint32_t flow, double now);
  void leave(std::uint32_t flow, double now);
  void share_again(const Route& changed, double now);
  void collect(const Route& from);
  void fill();
  double left_per_weight(const Usage& usage) const;
  void set_rate(std::uint32_t flow, double rate, double now);
  bool outdated(const Happening& happening) const;

  Platform platform_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_;
  std::vector<Usage> links_;
  std::priority_queue<Happening, std::vector<Happening>, std::greater<>> happenings_;
  std::uint64_t order_ = 0;
  std::uint32_t under_way_ = 0;
  std::vector<std::uint32_t> near_flows_;  // those that a change can reach, and their links
  std::vector<std::uint32_t> near_links_;
};

}  // namespace hpml::relay
