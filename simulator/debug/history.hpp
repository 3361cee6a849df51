#pragma once
// The history of a launch: processes that each hold one state of it (explorer.hpp), forked as it went on. The operating
// system copies pages of memory as they are written, so that a copy costs what changes after it. To go back is to wake
// the copy before the place, which forks one more that runs from there.
#include <functional>
#include <list>
#include <optional>

#include "simulator/debug/channel.hpp"
#include "simulator/debug/launch.hpp"

namespace hpml::sim::debug {

// Starts a process forked from the program, which serves the other end of the channel and ends. It shares nothing with
// the program that could be noticed. Precondition: the program stands in front of the launch.
Result<Channel> fork_off(const Launch& launch, const std::function<void(Channel)>& serve);

class History {
 public:
  struct Limits {
    uint64_t bytes = uint64_t{1} << 30;  // that copies may hold
    size_t copies = 64;
  };
  // `front`: where a pause may come from while an explorer runs.
  History(const Launch& launch, const Limits& limits, Channel& front);

  // The explorer that shows the state the user looks at.
  Result<Json> ask(Request request);
  uint64_t position() const { return active_.position; }
  size_t copies() const { return copies_.size(); }
  uint64_t bytes() const;
  uint64_t to_nearest() const;  // instructions from the nearest copy behind the state: what a step back executes again

  // Moves it there, forward or back.
  Result<Json> go_to(uint64_t position, const Request& from);
  // The last match of the scan before `position`; nothing: there is none in the launch. `from`: breakpoints, focus.
  Result<std::optional<Json>> find_last(uint64_t position, const Request& from);
  // How many instructions the focused warp has executed before the position.
  Result<uint64_t> count_before(uint64_t position, const Request& from);
  // Breakpoints that the front has sent while an explorer ran.
  std::optional<Request> breakpoints_for_later();
  // Asks an explorer of another state, which then goes away.
  Result<Json> ask_at(uint64_t position, const Request& request);

  // The state has been changed: what came after it is no longer so.
  void edited(const Edit& edit);
  const std::vector<Edit>& edits() const { return edits_; }

  // Keeps the start of the launch alone, from which everything can be found again. Precondition: the program still
  // stands in front of the launch. Afterwards it may go on, and the launch itself is no longer looked at.
  Result<void> retire();
  // Forgets all that has been looked at since retire().
  void keep_start();

 private:
  struct Copy {
    uint64_t position = 0;
    uint64_t bytes = 0;
    Channel channel = {};
  };
  Result<Copy> spawn();
  Result<Copy> clone(Copy& from);
  Result<Copy> copy_before(uint64_t position);  // a new one: of the nearest that is not behind the position
  Result<Json> ask(Copy& whom, Request request);
  bool take_event(Copy& from, const Json& event, std::optional<Channel>& made);
  void listen_to_front(Copy& running);
  void keep(Copy copy, uint64_t here);  // here: the place that the user looks at, or will
  void thin(uint64_t here);

  const Launch& launch_;
  Limits limits_;
  Channel& front_;
  Copy active_;
  std::list<Copy> copies_;  // by position
  std::vector<Edit> edits_;
  std::optional<Request> later_;
  bool retired_ = false;  // the first copy is the start of the launch
};

}  // namespace hpml::sim::debug
