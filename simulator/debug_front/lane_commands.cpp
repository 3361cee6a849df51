// Commands for what only a GPU has: lanes, warps, banks, sectors; and the writers of values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

constexpr size_t kBanks = 32, kBankBytes = 4;
constexpr size_t kWidestCell = 12, kWidestRow = 40;  // of a matrix as it is shown

std::string strip(uint32_t lanes) {
  std::string out;
  for (int lane = 0; lane < 32; ++lane) {
    out += (lanes >> lane & 1) != 0 ? '#' : '.';
  }
  return out;
}

// Above columns of `width` characters, with one more on either side; where numbers of two digits do not fit, above
// every fourth column.
std::string bank_heading(size_t columns, size_t width, const std::function<int(size_t)>& bank) {
  std::string out = "bank ";
  if (width >= 2) {
    for (size_t column = 0; column < columns; ++column) {
      out += fmt::format(" {:>{}} ", bank(column), width);
    }
    return out;
  }
  for (size_t column = 0; column < columns; column += 4) {
    out += fmt::format(" {:<{}}", bank(column), 4 * (width + 2) - 1);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

// "3" or "1,2,0" or "(1,2)"
std::optional<std::array<uint64_t, 3>> parse_triple(std::string text) {
  std::erase_if(text, [](char c) { return c == '(' || c == ')' || c == ' '; });
  std::array<uint64_t, 3> out = {0, 0, 0};
  const char* at = text.data();
  const char* end = at + text.size();
  for (size_t i = 0; i < 3; ++i) {
    const auto [next, failed] = std::from_chars(at, end, out[i]);
    if (failed != std::errc()) {
      return std::nullopt;
    }
    at = next;
    if (at == end) {
      return out;
    }
    if (*at++ != ',') {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

void Terminal::do_focus(const std::string& rest) {
  if (!need_kernel()) {
    return;
  }
  Request request;
  request.op = Op::focus;
  std::string text = rest;
  const Json grid = launch_.value("grid", Json::array({1, 1, 1})),
             block = launch_.value("block", Json::array({1, 1, 1}));
  const auto linear = [](const std::array<uint64_t, 3>& at, const Json& size) {
    return (at[2] * size[1].get<uint64_t>() + at[1]) * size[0].get<uint64_t>() + at[0];
  };
  while (!text.empty()) {
    const size_t space = std::min(text.find_first_of(" ("), text.size());
    const std::string word = text.substr(0, space);
    text.erase(0, text.find_first_not_of(' ', space));
    const size_t end =
        text.starts_with("(") ? std::min(text.find(')'), text.size() - 1) + 1 : std::min(text.find(' '), text.size());
    const auto numbers = parse_triple(text.substr(0, end));
    text.erase(0, std::min(text.find_first_not_of(' ', end), text.size()));
    if (!numbers) {
      return complain("cuda block X[,Y[,Z]] thread X[,Y[,Z]] warp N lane N");
    }
    if (word == "block") {
      for (size_t i = 0; i < 3; ++i) {
        if ((*numbers)[i] >= grid[i].get<uint64_t>()) {
          return complain(fmt::format("the grid has {} blocks along axis {}", grid[i].get<uint64_t>(), "xyz"[i]));
        }
      }
      request.focus.block = linear(*numbers, grid);
    } else if (word == "thread") {
      const uint64_t thread = linear(*numbers, block);
      const uint64_t threads = block[0].get<uint64_t>() * block[1].get<uint64_t>() * block[2].get<uint64_t>();
      if (thread >= threads) {
        return complain(fmt::format("a block has {} threads", threads));
      }
      request.focus.warp = static_cast<int>(thread / 32);
      request.focus.lane = static_cast<int>(thread % 32);
    } else if (word == "warp") {
      request.focus.warp = static_cast<int>((*numbers)[0]);
    } else if (word == "lane") {
      request.focus.lane = static_cast<int>((*numbers)[0]);
    } else {
      return complain(fmt::format("'{}' is none of block, thread, warp, lane", word));
    }
  }
  frame_ = 0;
  const auto result = ask(std::move(request));
  if (!result) {
    return;
  }
  const Json& focus = (*result)["focus"];
  out(fmt::format("[block {} thread {}, warp {} lane {}]", triple(focus.value("blockIdx", Json())),
                  triple(focus.value("threadIdx", Json())), focus.value("warp", 0), focus.value("lane", 0)));
  if ((*result)["stack"].empty()) {
    return out("the thread has finished");
  }
  stop_["place"] = (*result)["stack"][0];
  show_place(stop_["place"]);
}

void Terminal::do_lanes(const std::string& rest) {
  const auto result = ask(Op::lanes, rest);
  if (!result) {
    return;
  }
  const Json& lanes = (*result)["lanes"];
  const auto failed = [](const Json& lane) { return !lane.value("ok", lane["state"] == "exited"); };
  const auto first = std::ranges::find_if(lanes, [](const Json& lane) { return lane["state"] != "exited"; });
  if (!rest.empty() && first != lanes.end() && std::ranges::all_of(lanes, [&](const Json& lane) {
        return lane["state"] == "exited" || (failed(lane) && lane["value"] == (*first)["value"]);
      })) {
    return complain(first->value("value", ""));  // once: it is the same in all lanes
  }
  uint32_t active = 0, waiting = 0;
  size_t width = 1;
  for (const Json& lane : (*result)["lanes"]) {
    const uint32_t bit = 1u << lane.value("lane", 0);
    active |= lane["state"] == "active" ? bit : 0;
    waiting |= lane["state"] != "active" && lane["state"] != "exited" ? bit : 0;
    width = std::max(width, lane.value("value", "").size());
  }
  std::string line = "lane  0       8       16      24\n      ";
  for (int lane = 0; lane < 32; ++lane) {
    line += (active >> lane & 1) != 0    ? style_.good("#")
            : (waiting >> lane & 1) != 0 ? style_.warn("-")
                                         : style_.faint(".");
  }
  out(line + "  # active  - waits  . finished");
  if (rest.empty()) {
    return;
  }
  constexpr size_t kLine = 96;
  const size_t cell = std::min<size_t>(width, 40) + 6;
  const size_t wanted = std::max<size_t>(kLine / cell, 1);
  const size_t columns = wanted >= 8 ? 8 : wanted >= 4 ? 4 : wanted >= 2 ? 2 : 1;
  const size_t rows = 32 / columns;
  for (size_t row = 0; row < rows; ++row) {
    std::string text;
    for (size_t column = 0; column < columns; ++column) {
      const Json& lane = (*result)["lanes"][column * rows + row];
      const std::string value = lane["state"] == "exited" ? "-" : lane.value("value", "");
      const std::string shown = fmt::format("{:>3}: {:<{}} ", lane.value("lane", 0), value, cell - 6);
      text += lane["state"] == "active" ? shown : style_.faint(shown);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out(text);
  }
}

void Terminal::do_warps(const std::string& /*rest*/) {
  const auto result = ask(Op::warps);
  if (!result) {
    return;
  }
  out(fmt::format("warps of block {}", (*result)["block"].dump()));
  for (const Json& warp : (*result)["warps"]) {
    const std::string mark = warp["warp"] == (*result)["focus"] ? "*" : " ";
    if (warp["groups"].empty() || warp.value("live", 0u) == 0) {
      out(style_.faint(fmt::format("{}{:>3} {}  finished", mark, warp.value("warp", 0), strip(0))));
      continue;
    }
    bool first = true;
    for (const Json& group : warp["groups"]) {
      const Json& place = group["place"];
      const std::string file = place.value("file", ""), waits = group.value("waits", "");
      std::string state = waits == "ready"     ? ""
                          : waits == "barrier" ? fmt::format("  waits at barrier {}", group.value("barrier", 0))
                          : waits == "meeting" ? "  waits for the lanes that branched off"
                                               : "  waits for other lanes of its warp";
      out(fmt::format("{}{:>3} {}  {}:{}{}", first ? mark : " ", first ? std::to_string(warp.value("warp", 0)) : "",
                      style_.good(strip(group.value("lanes", 0u))), file.substr(file.rfind('/') + 1),
                      place.value("line", 0), style_.warn(state)));
      first = false;
    }
  }
}

void Terminal::do_blocks(const std::string& /*rest*/) {
  const auto result = ask(Op::blocks);
  for (const Json& block : result ? *result : Json::array()) {
    out(fmt::format("block {} {}: {} warps, {} finished", block.value("block", uint64_t{0}), block["blockIdx"].dump(),
                    block.value("warps", 0), block.value("finished", 0)));
  }
}

void Terminal::do_shared(const std::string& rest) {
  if (rest.empty()) {
    return complain("shared what? shared tile");
  }
  const auto result = ask(Op::shared, rest);
  if (!result) {
    return;
  }
  const size_t bytes = result->value("element_bytes", size_t{4}), first = result->value("first", size_t{0});
  std::set<size_t> touched;
  for (const Json& one : result->value("touched", Json::array())) {
    touched.insert(one["element"].get<size_t>());
  }
  const Json& values = (*result)["values"];
  size_t width = 1;
  for (const Json& value : values) {
    width = std::max(width, value.get<std::string>().size());
  }
  width = std::min<size_t>(width, kWidestCell);
  const size_t in_row = result->value("columns", size_t{1});
  const size_t columns = in_row <= kWidestRow ? in_row : kBanks;  // longer rows are folded at the banks
  const auto bank = [&](size_t i) { return static_cast<int>((first + i * bytes) / kBankBytes % kBanks); };
  out(bank_heading(std::min(columns, values.size()), width, bank) +
      (columns % kBanks != 0 ? style_.faint("  (of the first row)") : ""));
  const auto same_as_before = [&](size_t row) {
    for (size_t i = row; i < row + columns; ++i) {
      if (row == 0 || i >= values.size() || touched.contains(i) || values[i] != values[i - columns]) {
        return false;
      }
    }
    return true;
  };
  for (size_t row = 0; row < values.size(); row += columns) {
    if (same_as_before(row)) {
      if (!same_as_before(row + columns)) {
        out(style_.faint(fmt::format("     the same to {}", columns == in_row ? row / columns : row)));
      }
      continue;
    }
    std::string line = fmt::format("{:>4} ", columns == in_row ? row / columns : row);
    for (size_t i = row; i < std::min(row + columns, values.size()); ++i) {
      const std::string value = values[i].get<std::string>().substr(0, width);
      const char* cell = touched.contains(i) ? "[{:>{}}]" : " {:>{}} ";
      line += style_.bank(fmt::format(fmt::runtime(cell), value, width), bank(i));
    }
    out(line);
  }
  if (result->contains("place")) {
    const Json& place = (*result)["place"];
    out(fmt::format("[ ]: the warp's next access, line {}: {} passes, {} at least", place.value("line", 0),
                    result->value("passes", 0), result->value("least_passes", 0)));
  }
}

void Terminal::do_sectors(const std::string& /*rest*/) {
  const auto result = ask(Op::access);
  if (!result) {
    return;
  }
  const Json& place = (*result)["place"];
  std::string instruction = place.value("instruction", "");
  instruction.erase(0, instruction.find_first_not_of(" \t"));
  const bool shared = (*result)["space"] == "shared";
  out(fmt::format("next access to {} memory: line {}, {}", result->value("space", ""), place.value("line", 0),
                  instruction));
  out(shared ? fmt::format("{} passes through the banks, {} at least", result->value("passes", 0),
                           result->value("least_passes", 0))
             : fmt::format("{} sectors of 32 bytes", result->value("sectors", 0)));
  for (const Json& unit : result->value("units", Json::array())) {
    out(fmt::format("  {:#x}{}  {}", unit.value("address", uint64_t{0}),
                    shared ? fmt::format(" bank {:>2}", unit.value("bank", 0)) : "", strip(unit.value("lanes", 0u))));
  }
}

}  // namespace hpml::sim::debug_front
