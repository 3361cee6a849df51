#pragma once
// The status of each breakpoint, as the debugged program reports it, and the messages that a terminal or an editor
// shows for it.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simulator/debug/protocol.hpp"

namespace hpml::sim::debug_front {

using debug::Json;

// What the program's file says of breakpoints before the program runs: their statuses.
using LookUp = std::function<Json(const std::vector<debug::Breakpoint>&)>;

// "threads.cu:40", or the function.
std::string place_asked(const debug::Breakpoint& breakpoint);

// Of a status that names no place; "": it does.
std::string why_nowhere(const Json& status);

class ToldBreakpoints {
 public:
  // The program starts: what its file said before stays known, as no news.
  void start(const Json& before_run);
  // Keeps the statuses. One line for each breakpoint that is nowhere, and for each that now is somewhere else than
  // asked.
  std::vector<std::string> news(const Json& statuses, const std::vector<debug::Breakpoint>& breakpoints);
  // The same without the lines.
  void note(const Json& statuses);
  // At the end of the program: one line for each that no launch had a place for.
  std::vector<std::string> never_there(const std::vector<debug::Breakpoint>& breakpoints) const;

 private:
  std::map<int, Json> told_;
  std::set<int> heard_;  // of the running program
};

}  // namespace hpml::sim::debug_front
