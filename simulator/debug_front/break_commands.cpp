// Breakpoints and watchpoints.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

std::string without_spaces_around(std::string text) {
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

std::optional<int> whole_number(const std::string& text) {
  int value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && failed == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                                    : std::nullopt;
}

// ", in work(float*)"
std::string in_function(const Json& status) {
  const std::string function = status.value("function", "");
  return function.empty() ? "" : (status.value("line", 0) > 0 ? ", in " : " in ") + function;
}

}  // namespace

std::string Terminal::describe(const debug::Breakpoint& b) const {
  const auto text = watch_texts_.find(b.id);
  return text != watch_texts_.end() ? "watch " + text->second : place_asked(b);
}

// What the program's file says of all.
Json Terminal::before_run() const { return options_.look_up ? options_.look_up(breakpoints_) : Json::array(); }

// Tells the program of all; what it says of them, if a kernel stands still, or what its file says if it does not run.
std::optional<Json> Terminal::send_breakpoints() {
  if (!client_.started() || !client_.alive()) {
    const Json list = before_run();
    return list.empty() ? std::nullopt : std::optional(Json{{"breakpoints", list}});
  }
  Request request;
  request.op = Op::breakpoints;
  request.breakpoints = breakpoints_;
  request.stop_at_launch = catch_launches_;
  request.stop_at_end = catch_end_;
  request.verify = options_.verify;
  if (!stopped_) {
    client_.tell(std::move(request));
    return std::nullopt;
  }
  const auto result = client_.call(std::move(request));
  if (!result.ok()) {
    return std::nullopt;
  }
  told_.note((*result)["breakpoints"]);
  return *result;
}

void Terminal::add_breakpoint(const std::string& rest, bool temporary) {
  debug::Breakpoint b;
  b.id = next_breakpoint_;
  b.temporary = temporary;
  std::string where = rest;
  if (const size_t condition = (" " + rest).find(" if "); condition != std::string::npos) {
    b.condition = without_spaces_around(rest.substr(condition + 3));
    where = rest.substr(0, condition == 0 ? 0 : condition - 1);
  }
  where = without_spaces_around(where);
  const size_t colon = where.rfind(':');
  const bool scope = colon != std::string::npos && colon > 0 && where[colon - 1] == ':';
  if (where.empty() && stop_.contains("place")) {
    b.file = stop_["place"].value("file", "");
    b.line = stop_["place"].value("line", 0);
  } else if (where.starts_with("*")) {
    const auto line = whole_number(where.substr(1));
    if (!line || *line < 1) {
      return complain("break *LINE takes a line of the PTX, as `code` shows it");
    }
    b.ptx_line = static_cast<uint32_t>(*line);
  } else if (const auto line = whole_number(where)) {
    b.file = !listed_file_.empty() ? listed_file_ : "";
    b.line = *line;
    if (b.file.empty()) {
      return complain("break LINE needs a file before anything has stopped: break FILE:LINE");
    }
  } else if (colon != std::string::npos && !scope) {
    const auto number = whole_number(where.substr(colon + 1));
    if (!number || *number < 1) {
      return complain(fmt::format("'{}' is no line", where.substr(colon + 1)));
    }
    b.file = where.substr(0, colon);
    b.line = *number;
  } else if (!where.empty()) {
    b.function = where;
  } else {
    return complain("break where? break FILE:LINE, break FUNCTION, break *PTXLINE");
  }
  breakpoints_.push_back(b);
  ++next_breakpoint_;
  const auto answer = send_breakpoints();
  if (!answer) {
    return out(
        fmt::format("Breakpoint {} at {}{}", b.id, describe(b), b.condition.empty() ? "" : " if " + b.condition));
  }
  for (const Json& one : (*answer)["breakpoints"]) {
    if (one["id"] == b.id) {
      show_added(b, one);
    }
  }
}

void Terminal::show_added(const debug::Breakpoint& b, const Json& status) {
  const std::string why = why_nowhere(status), file = status.value("file", "");
  const int line = status.value("line", 0);
  if (!why.empty()) {
    return out(style_.warn(fmt::format("Breakpoint {}: {}", b.id, why)));
  }
  out(fmt::format(
      "Breakpoint {}{}{}{}{}", b.id, line > 0 ? fmt::format(" at {}:{}", file.substr(file.rfind('/') + 1), line) : "",
      in_function(status), status.value("places", 1) == 0 ? ", which is not part of this kernel" : "",
      b.line > 0 && line > 0 && b.line != line ? fmt::format(": line {} has no code of its own", b.line) : ""));
}

void Terminal::do_break(const std::string& rest) { add_breakpoint(rest, false); }
void Terminal::do_tbreak(const std::string& rest) { add_breakpoint(rest, true); }

void Terminal::do_catch(const std::string& rest) {
  if (rest != "launch" && rest != "end" && rest != "none") {
    return complain("catch launch stops in front of every kernel, catch end behind it; catch none no longer does");
  }
  catch_launches_ = rest == "launch" || (catch_launches_ && rest != "none");
  catch_end_ = rest == "end" || (catch_end_ != 0 && rest != "none") ? -1 : 0;
  send_breakpoints();
}

void Terminal::do_watch(const std::string& rest) {
  if (rest.empty()) {
    return complain("watch what? watch C[37]");
  }
  const auto value = ask(Op::evaluate, rest);
  const auto place = value ? ask(Op::watch_place, rest) : std::nullopt;
  if (!place) {
    return;
  }
  if (!place->contains("place")) {
    return complain(
        fmt::format("'{}' is kept in register {}, which cannot be watched: `who {}` tells its last writer, "
                    "and a breakpoint with a condition stops at a value",
                    rest, place->value("register", "?"), rest));
  }
  debug::Breakpoint b;
  b.id = next_breakpoint_++;
  b.watch = *debug::parse_place((*place)["place"]);
  breakpoints_.push_back(b);
  watch_texts_[b.id] = rest;
  watch_types_[b.id] = value->value("type", "");
  send_breakpoints();
  out(fmt::format("Watchpoint {}: {} ({} bytes of {} memory)", b.id, rest, b.watch->bytes, b.watch->space));
}

void Terminal::do_condition(const std::string& rest) {
  const size_t space = std::min(rest.find(' '), rest.size());
  const auto id = whole_number(rest.substr(0, space));
  const auto found = std::ranges::find_if(breakpoints_, [&](const auto& b) { return id && b.id == *id; });
  if (found == breakpoints_.end()) {
    return complain(fmt::format("there is no breakpoint '{}'", rest.substr(0, space)));
  }
  found->condition = without_spaces_around(rest.substr(space));
  send_breakpoints();
  out(found->condition.empty() ? fmt::format("Breakpoint {} always stops now", found->id)
                               : fmt::format("Breakpoint {} stops if {}", found->id, found->condition));
}

void Terminal::do_delete(const std::string& rest) {
  size_t at = 0;
  if (rest.empty()) {
    breakpoints_.clear();
  }
  while (at < rest.size()) {
    const size_t end = std::min(rest.find(' ', at), rest.size());
    const auto id = whole_number(rest.substr(at, end - at));
    if (std::erase_if(breakpoints_, [&](const auto& b) { return id && b.id == *id; }) == 0) {
      return complain(fmt::format("there is no breakpoint '{}'", rest.substr(at, end - at)));
    }
    at = end + 1;
  }
  send_breakpoints();
}

void Terminal::list_breakpoints() {
  if (breakpoints_.empty()) {
    return out("no breakpoints");
  }
  const auto answer = send_breakpoints();
  for (const debug::Breakpoint& b : breakpoints_) {
    std::string places;
    for (const Json& one : answer ? (*answer)["breakpoints"] : Json::array()) {
      if (one["id"] == b.id && !b.watch) {
        const std::string error = why_nowhere(one);
        const int count = one.value("places", 1);
        places = !error.empty() ? "  " + error
                 : count == 0   ? fmt::format("  in {}, which is not part of this kernel", one.value("function", ""))
                                : fmt::format("  at {}:{}{}{}", one.value("file", ""), one.value("line", 0),
                                              in_function(one), count > 1 ? fmt::format(", {} places", count) : "");
      }
    }
    out(fmt::format("{:<3} {}{}{}{}", b.id, describe(b), b.temporary ? " (once)" : "",
                    b.condition.empty() ? "" : " if " + b.condition, places));
  }
}

void Terminal::do_info(const std::string& rest) {
  const std::string word = rest.substr(0, rest.find(' '));
  const auto is = [&](std::string_view name) { return !word.empty() && name.starts_with(word); };
  if (is("breakpoints") || is("watchpoints")) {
    list_breakpoints();
  } else if (is("locals")) {
    show_variables(false);
  } else if (is("args")) {
    show_variables(true);
  } else if (is("registers")) {
    show_registers(rest.ends_with("all"));
  } else if (is("warps") || is("threads")) {
    do_warps("");
  } else if (is("blocks")) {
    do_blocks("");
  } else if (is("source") || is("line")) {
    if (need_kernel() && stop_.contains("place")) {
      out(fmt::format("{}:{}, PTX line {}", stop_["place"].value("file", ""), stop_["place"].value("line", 0),
                      stop_["place"].value("ptx_line", 0)));
    }
  } else if (is("launch") || is("kernels")) {
    if (const auto info = ask(Op::info)) {
      out(fmt::format("launch {}: {} grid {} block {}, state {}", info->value("launch", 0), info->value("kernel", ""),
                      (*info)["grid"].dump(), (*info)["block"].dump(), info->value("position", uint64_t{0})));
    }
  } else if (is("history")) {
    if (need_kernel()) {
      out(fmt::format("state {} of the launch; {} checkpoints, about {} MiB, the nearest {} instructions back",
                      stop_.value("position", uint64_t{0}), stop_.value("copies", 0),
                      stop_.value("history_bytes", uint64_t{0}) >> 20, stop_.value("to_nearest", uint64_t{0})));
    }
  } else {
    complain("info breakpoints | locals | args | registers [all] | warps | blocks | source | launch | history");
  }
}

}  // namespace hpml::sim::debug_front
