#include "simulator/debug_front/told_breakpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hpml::sim::debug_front {

std::string place_asked(const debug::Breakpoint& b) {
  return !b.function.empty() ? b.function
         : b.ptx_line        ? fmt::format("PTX line {}", *b.ptx_line)
                             : fmt::format("{}:{}", b.file.substr(b.file.rfind('/') + 1), b.line);
}

std::string why_nowhere(const Json& status) {
  const std::string error = status.value("error", "");
  if (error.empty() || !status.value("later", false)) {
    return error;
  }
  return error + (error.ends_with("?") ? " It" : "; it") + " waits for code that is loaded later";
}

void ToldBreakpoints::start(const Json& before_run) {
  told_.clear();
  note(before_run);
  heard_.clear();
}

void ToldBreakpoints::note(const Json& statuses) {
  for (const Json& one : statuses) {
    told_[one.value("id", 0)] = one;
    heard_.insert(one.value("id", 0));
  }
}

std::vector<std::string> ToldBreakpoints::news(const Json& statuses,
                                               const std::vector<debug::Breakpoint>& breakpoints) {
  std::vector<std::string> out;
  for (const Json& one : statuses) {
    const int id = one.value("id", 0);
    heard_.insert(id);
    const auto asked = std::ranges::find_if(breakpoints, [&](const auto& b) { return b.id == id; });
    const Json before = std::exchange(told_[id], one);
    const std::string error = one.value("error", ""), known = before.is_object() ? before.value("error", "") : "";
    const int line = one.value("line", 0);
    if (asked == breakpoints.end() || asked->watch) {
      continue;
    }
    if (!error.empty() && error != known) {
      out.push_back(fmt::format("Breakpoint {}: {}", id, why_nowhere(one)));
    } else if (error.empty() && line > 0 && asked->line > 0 && line != asked->line && !before.is_object()) {
      out.push_back(fmt::format("Breakpoint {} is at line {}: line {} has no code of its own", id, line, asked->line));
    } else if (error.empty() && !known.empty()) {
      out.push_back(fmt::format("Breakpoint {} is in {}, which has been loaded now", id, one.value("function", "")));
    }
  }
  return out;
}

std::vector<std::string> ToldBreakpoints::never_there(const std::vector<debug::Breakpoint>& breakpoints) const {
  std::vector<std::string> out;
  for (const debug::Breakpoint& asked : breakpoints) {
    const auto found = told_.find(asked.id);
    const bool heard = heard_.contains(asked.id);
    if (asked.watch || (heard && found->second.value("launched", false))) {
      continue;
    }
    const std::string error = heard ? found->second.value("error", "") : "the program has launched no kernel";
    out.push_back(
        fmt::format("Breakpoint {} at {} has never been reached: {}", asked.id, place_asked(asked),
                    !error.empty() ? error : "no launch had code of " + found->second.value("function", "it")));
  }
  return out;
}

}  // namespace hpml::sim::debug_front
