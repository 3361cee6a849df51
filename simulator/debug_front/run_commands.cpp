// Commands that move: forward, back, to a state by its number.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

std::string short_file(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What the watched bytes were and are, as numbers where they can be.
std::string bytes_text(const Json& bytes, const std::string& type) {
  const auto raw = bytes.get<std::vector<uint8_t>>();
  uint64_t bits = 0;
  std::memcpy(&bits, raw.data(), std::min<size_t>(raw.size(), 8));
  if (type == "float" && raw.size() == 4) {
    float value = 0;
    std::memcpy(&value, raw.data(), sizeof value);
    return fmt::format("{}", value);
  }
  if (type == "double" && raw.size() == 8) {
    double value = 0;
    std::memcpy(&value, raw.data(), sizeof value);
    return fmt::format("{}", value);
  }
  if (raw.size() > 8) {
    return fmt::format("{} bytes, {:02x}...", raw.size(), fmt::join(raw.begin(), raw.begin() + 8, " "));
  }
  const int shift = 64 - static_cast<int>(raw.size()) * 8;
  const bool is_unsigned = type.starts_with("unsigned") || type.ends_with("*");
  return is_unsigned ? fmt::format("{}", bits) : fmt::format("{}", static_cast<int64_t>(bits << shift) >> shift);
}

}  // namespace

void Terminal::start_program(bool stop_at_launch) {
  const auto started = client_.start(options_.start);
  if (!started.ok()) {
    return complain(started.error().message);
  }
  shown_launch_ = 0;
  launch_ = Json();
  told_.start(before_run());
  Request request;
  request.op = Op::breakpoints;
  request.breakpoints = breakpoints_;
  request.stop_at_launch = stop_at_launch || catch_launches_;
  request.stop_at_end = catch_end_;
  request.verify = options_.verify;
  client_.tell(std::move(request));
  wait_for_stop();
  if (stop_at_launch && stopped_) {
    send_breakpoints();
  }
}

void Terminal::do_run(const std::string& /*rest*/) { start_program(false); }
void Terminal::do_start(const std::string& /*rest*/) { start_program(true); }

void Terminal::resume(debug::Step step, bool reverse, const std::string& rest) {
  if (!need_kernel()) {
    return;
  }
  Request request;
  request.op = Op::resume;
  request.step = step;
  request.reverse = reverse;
  request.focus.frame = frame_;
  std::string count = rest;
  for (const auto& [word, party] : {std::pair("warp", debug::Party::warp), std::pair("block", debug::Party::block)}) {
    if (step != debug::Step::go_on && (rest == word || rest.starts_with(std::string(word) + " "))) {
      request.party = party;
      count = rest.substr(std::min(rest.find_first_not_of(' ', std::strlen(word)), rest.size()));
    }
  }
  if (!count.empty()) {
    const auto [end, failed] = std::from_chars(count.data(), count.data() + count.size(), request.count);
    if (failed != std::errc() || *end != '\0' || request.count < 1) {
      return complain(fmt::format("'{}' is no count", count));
    }
  }
  const auto result = client_.call(std::move(request));
  if (!result.ok()) {
    return complain(result.error().message);
  }
  wait_for_stop();
}

void Terminal::do_continue(const std::string& rest) { resume(debug::Step::go_on, false, rest); }
void Terminal::do_step(const std::string& rest) { resume(debug::Step::line, false, rest); }
void Terminal::do_next(const std::string& rest) { resume(debug::Step::over, false, rest); }
void Terminal::do_stepi(const std::string& rest) { resume(debug::Step::instruction, false, rest); }
void Terminal::do_finish(const std::string& rest) { resume(debug::Step::out, false, rest); }
void Terminal::do_barrier(const std::string& rest) { resume(debug::Step::barrier, false, rest); }
void Terminal::do_reverse_continue(const std::string& rest) { resume(debug::Step::go_on, true, rest); }
void Terminal::do_reverse_step(const std::string& rest) { resume(debug::Step::line, true, rest); }
void Terminal::do_reverse_next(const std::string& rest) { resume(debug::Step::over, true, rest); }
void Terminal::do_reverse_stepi(const std::string& rest) { resume(debug::Step::instruction, true, rest); }
void Terminal::do_reverse_finish(const std::string& rest) { resume(debug::Step::out, true, rest); }
void Terminal::do_reverse_barrier(const std::string& rest) { resume(debug::Step::barrier, true, rest); }

void Terminal::do_goto(const std::string& rest) {
  if (!need_kernel()) {
    return;
  }
  Request request;
  request.op = Op::jump;
  const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), request.position);
  if (rest.empty() || failed != std::errc() || *end != '\0') {
    return complain("goto takes the number of a state, as stops show it: goto 1200");
  }
  if (client_.call(std::move(request)).ok()) {
    wait_for_stop();
  }
}

void Terminal::do_kill(const std::string& /*rest*/) {
  if (client_.started() && client_.alive()) {
    client_.end(true);
  }
  stopped_ = false;
  out("the program has been ended");
}

void Terminal::program_ended() {
  stopped_ = false;
  const int status = client_.end(false);
  const std::string text = fmt::format("[{}]", end_text(status, options_.start.rerun));
  out(WIFSIGNALED(status) ? style_.bad(text) : text);
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  for (const std::string& line : told_.never_there(breakpoints_)) {
    out(style_.warn(line));
  }
}

void Terminal::show_place(const Json& place) {
  const std::string file = place.value("file", ""), function = place.value("function", "");
  const int line = place.value("line", 0);
  out(fmt::format("{} at {}", style_.strong(function),
                  line > 0 ? style_.place(fmt::format("{}:{}", short_file(file), line))
                           : fmt::format("PTX line {}", place.value("ptx_line", 0))));
  if (const auto text = sources_.line(file, line)) {
    out(fmt::format("{}\t{}", line, *text));
  }
  listed_file_ = file;
  listed_line_ = line;
}

void Terminal::show_stop(const Json& event) {
  stopped_ = true;
  stop_ = event;
  frame_ = 0;
  const int number = event.value("launch", 0);
  if (number != shown_launch_ && number != 0 && launch_.is_object()) {
    shown_launch_ = number;
    out(style_.faint(fmt::format("[launch {}: {} <<<{}, {}>>>]", number, launch_.value("kernel", ""),
                                 triple(launch_["grid"]), triple(launch_["block"]))));
  }
  const std::string reason = event.value("reason", ""), text = event.value("text", "");
  const int id = event.value("breakpoint", 0);
  if (reason == "breakpoint") {
    out(style_.warn(fmt::format("Breakpoint {}{}", id, text.empty() ? "" : ": " + text)));
  } else if (reason == "watchpoint") {
    out(style_.warn(fmt::format("Watchpoint {}: {}", id, watch_texts_[id])));
    const std::string type = watch_types_[id];
    out(fmt::format("  old value = {}\n  new value = {}", bytes_text(event["before"], type),
                    bytes_text(event["after"], type)));
    if (event.contains("written_at")) {
      const Json& at = event["written_at"];
      out(fmt::format("  written at {}:{}", short_file(at.value("file", "")), at.value("line", 0)));
    }
  } else if (reason == "fault") {
    out(style_.bad("Fault: " + text));
  } else if (reason != "step" && reason != "position" && reason != "launch") {
    out(style_.warn(text.empty() ? "Stopped: " + reason : text));
  }
  if (event.contains("focus")) {
    const Json& focus = event["focus"];
    out(style_.faint(fmt::format("[block {} thread {}, warp {} lane {}, state {}]",
                                 triple(focus.value("blockIdx", Json())), triple(focus.value("threadIdx", Json())),
                                 focus.value("warp", 0), focus.value("lane", 0),
                                 event.value("position", uint64_t{0}))));
  }
  if (event.contains("place")) {
    show_place(event["place"]);
  }
  if (event.contains("called_at") && event["called_at"].is_object()) {
    out(style_.faint("called from"));
    show_place(event["called_at"]);
  }
  if (const std::string why = event.value("not_kept", ""); !why.empty() && !told_not_kept_) {
    told_not_kept_ = true;
    out(style_.warn(why));
  }
  const auto found = std::ranges::find_if(breakpoints_, [&](const auto& known) { return known.id == id; });
  if (found != breakpoints_.end() && found->temporary && reason == "breakpoint") {
    breakpoints_.erase(found);
    send_breakpoints();
  }
}

}  // namespace hpml::sim::debug_front
