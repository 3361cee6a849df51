// Why warps wait: what one run of the launch with time says of the place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "simulator/debug_front/stall_rows.hpp"
#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

// Profilers' names, in words.
constexpr auto kWords = std::to_array<std::pair<const char*, const char*>>({
    {"long_scoreboard", "for data from global or local memory"},
    {"short_scoreboard", "for data from shared memory or a slow pipe"},
    {"barrier", "at the barrier before it"},
    {"wait", "for the result of an instruction before"},
    {"no_instruction", "for instructions"},
    {"branch_resolving", "for a branch"},
    {"membar", "for a memory fence"},
    {"sleeping", "asleep"},
    {"not_selected_or_throttle", "for an issue slot, a pipe or a queue"},
});

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

}  // namespace

std::string stall_words(const std::string& reason) {
  for (const auto& [name, text] : kWords) {
    if (reason == name) {
      return fmt::format("{} ({})", text, name);
    }
  }
  return reason;
}

std::string short_place(const Json& at) {
  const std::string file = at.value("file", "");
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at.value("line", 0));
}

std::string stall_shares(const Json& reasons) {
  uint64_t all = 0;
  for (const Json& one : reasons) {
    all += one.value("cycles", uint64_t{0});
  }
  std::string out;
  for (const Json& one : reasons) {
    const auto cycles = one.value("cycles", uint64_t{0});
    if (cycles * 10 >= all && cycles > 0) {
      out += fmt::format("{}{:.0f} % {}", out.empty() ? "" : ", ",
                         100.0 * static_cast<double>(cycles) / static_cast<double>(all), one.value("reason", ""));
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> stall_rows(const Json& result) {
  std::vector<std::pair<std::string, std::string>> out;
  const Json& own = result["own"];
  if (own.is_object() && own.value("same", false)) {
    out.emplace_back("issued at cycle",
                     fmt::format("{} of {}", own.value("at", uint64_t{0}), result.value("cycles", uint64_t{0})));
    for (const Json& wait : own["waits"]) {
      out.emplace_back("waits", fmt::format("{} cycles {}", wait.value("cycles", uint64_t{0}),
                                            stall_words(wait.value("reason", ""))));
    }
    for (const Json& load : own.value("in_flight", Json::array())) {
      out.emplace_back("pending", fmt::format("{}  {}", short_place(load), trimmed(load.value("instruction", ""))));
    }
  } else {
    out.emplace_back("here", own.is_object() ? "with time, the warp goes another way"
                                             : "not among the instructions that were timed");
  }
  for (const Json& line : result.value("lines", Json::array())) {
    out.emplace_back(short_place(line), fmt::format("{:.1f} % of all waiting: {}", 100 * line.value("share", 0.0),
                                                    stall_shares(line["reasons"])));
  }
  return out;
}

void Terminal::do_stalls(const std::string& /*rest*/) {
  const auto result = ask(Op::stalls);
  if (!result) {
    return;
  }
  out(style_.faint(fmt::format("From one run of the whole launch with time, caches empty at its start: {} cycles{}{}.",
                               result->value("cycles", uint64_t{0}),
                               result->value("sampled", false) ? ", of which samples were timed" : "",
                               result->value("changed", false) ? ", without your changes" : "")));
  const Json& own = (*result)["own"];
  if (own.is_null()) {
    out("this instruction of the warp was not among those that were timed");
  } else if (!own.value("same", false)) {
    out(fmt::format(
        "with time, the warp is at {} when it has executed as many instructions: its way depends on the order of warps",
        short_place(own)));
  } else if (own.value("free", false)) {
    out(fmt::format(
        "The warp comes here at cycle {}. The instruction becomes none of the machine's, and waits for nothing:",
        own.value("at", uint64_t{0})));
    out(style_.faint("  " + trimmed(own.value("instruction", ""))));
  } else {
    const auto at = own.value("at", uint64_t{0}), since = std::min(own.value("since", uint64_t{0}), at);
    out(fmt::format(
        "The warp issues this instruction, number {} of its own, at cycle {}, {} cycle{} after the one before:",
        result->value("nth", uint64_t{0}), at, at - since + 1, at == since ? "" : "s"));
    out(style_.faint("  " + trimmed(own.value("instruction", ""))));
    for (const Json& wait : own["waits"]) {
      out(fmt::format("  {:>6} cycles {}", wait.value("cycles", uint64_t{0}), stall_words(wait.value("reason", ""))));
    }
    if (own["waits"].empty()) {
      out("  it does not wait");
    }
    if (own.contains("waits_for")) {
      const Json& load = own["waits_for"];
      out(fmt::format("  it uses what {} brings, issued at cycle {}: {}", short_place(load),
                      load.value("at", uint64_t{0}), trimmed(load.value("instruction", ""))));
    }
    for (const Json& load : own.value("in_flight", Json::array())) {
      out(fmt::format("  pending: {}  {}", short_place(load), trimmed(load.value("instruction", ""))));
    }
  }
  out("Lines at which warps wait longest, of all waiting in the launch:");
  for (const Json& line : result->value("lines", Json::array())) {
    out(fmt::format("{} {:>5.1f} %  {:<20} {}", line.value("here", false) ? "*" : " ", 100 * line.value("share", 0.0),
                    short_place(line), stall_shares(line["reasons"])));
  }
}

}  // namespace hpml::sim::debug_front
