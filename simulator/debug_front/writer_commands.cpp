// Who wrote a value, and from what: as a question, and as the place to begin.
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <vector>

#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

constexpr int kLevels = 3;  // of writers that `who` shows

std::string nobody(const Json& writer) {
  const std::string space = writer.value("space", "");
  if (space == "shared") {
    return "no thread of this block has written it: it is uninitialised shared memory";
  }
  if (space == "local") {
    return "the thread has not written it: it is uninitialised";
  }
  if (space == "global") {
    return writer.value("complete", true) ? "neither a kernel nor a copy has written it since the program started"
                                          : "not written in the launches that are kept; some earlier ones are not";
  }
  return "not written in this launch before this state";
}

// What a line of the source has used: memory, what calls pass, and registers from other lines. Registers that it has
// filled on its way are looked through.
void values_of(const Json& writer, std::vector<const Json*>& out) {
  const auto operands = writer.find("operands");
  if (operands == writer.end()) {
    return;
  }
  for (const Json& operand : *operands) {
    if (operand.value("address", false)) {
      continue;
    }
    const auto from = operand.find("from");
    const bool through = from != operand.end() && from->value("found", false) && !operand.contains("place") &&
                         from->value("file", "") == writer.value("file", "") &&
                         from->value("line", 0) == writer.value("line", 0) &&
                         from->value("ptx_line", 0) < writer.value("ptx_line", 0) && from->contains("operands") &&
                         !(*from)["operands"].empty();
    if (through) {
      values_of(*from, out);
    } else {
      out.push_back(&operand);
    }
  }
}

template <class Number>
bool parse(std::string text, Number& out) {
  const int base = text.starts_with("0x") ? 16 : 10;
  text.erase(0, base == 16 ? 2 : 0);
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return failed == std::errc() && end == text.data() + text.size();
}

}  // namespace

void Terminal::show_writer(const Json& writer, const std::string& indent, const std::string& of) {
  if (!writer.value("found", false)) {
    return out(indent + of + ": " + style_.warn(nobody(writer)));
  }
  if (writer.contains("host")) {
    const int after = writer.value("after_launch", 0);
    return out(fmt::format("{}{}: written by {}, {}", indent, style_.strong(of), writer.value("host", ""),
                           after == 0 ? "before the first launch" : fmt::format("after launch {}", after)));
  }
  const bool called = writer.contains("called_at") && writer["called_at"].is_object();  // from there, into a library
  const Json& place = called ? writer["called_at"] : writer;
  const std::string file = place.value("file", "");
  const Json& focus = writer["focus"];
  const int launch = writer.value("launch", 0);
  out(fmt::format("{}{}: {}{}:{}, block {} thread {}, state {}", indent, style_.strong(of),
                  launch != stop_.value("launch", launch) ? fmt::format("launch {}, ", launch) : "",
                  file.substr(file.rfind('/') + 1), place.value("line", 0), triple(focus.value("blockIdx", Json())),
                  triple(focus.value("threadIdx", Json())), writer.value("position", uint64_t{0})));
  if (const auto text = sources_.line(file, place.value("line", 0))) {
    out(fmt::format("{}  {}\t{}", indent, place.value("line", 0), *text));
  }
  if (indent.empty()) {
    std::string instruction = writer.value("instruction", "");
    instruction.erase(0, instruction.find_first_not_of(" \t"));
    out(style_.faint(fmt::format("  {}", instruction)));
  }
  std::vector<const Json*> sources;
  values_of(writer, sources);
  for (const Json* source : sources) {
    const std::string held = source->value("value", ""), name = source->value("name", "");
    const std::string text = held.empty() ? name : fmt::format("{} = {}", name, held);
    if (source->contains("from")) {
      show_writer((*source)["from"], indent + "  ", "from " + text);
    } else {
      out(fmt::format("{}  from {}", indent, text));
    }
  }
}

void Terminal::do_who(const std::string& rest) {
  Request request;
  request.op = Op::who;
  request.text = rest;
  request.count = kLevels;
  if (rest.starts_with("/")) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (!parse(rest.substr(1, end - 1), request.count) || request.count < 1 || request.count > 8) {
      return complain("who/N takes 1 to 8 levels of writers: who/4 C[37]");
    }
    request.text = rest.substr(std::min(rest.find_first_not_of(' ', end), rest.size()));
  }
  if (request.text.empty()) {
    return complain("who wrote what? who C[37], who sum, who %r4");
  }
  if (!need_kernel()) {
    return;
  }
  const std::string text = request.text;
  if (const auto result = ask(std::move(request))) {
    show_writer(*result, "", text);
  }
}

// Runs the program anew to the end of the launch, and asks there. Nothing: it does not come so far, as has been said.
std::optional<Json> Terminal::last_writer_at_end(int launch, const debug::WatchPlace& place) {
  catch_end_ = launch;
  start_program(false);
  catch_end_ = 0;
  if (!stopped_ || stop_.value("reason", "") != "end") {
    complain(stopped_ ? "the kernel does not come to its end" : fmt::format("the program makes no launch {}", launch));
    return std::nullopt;
  }
  Request request;
  request.op = Op::who;
  request.scan.memory = place;
  request.count = kLevels;
  return ask(std::move(request));
}

void Terminal::do_origin(const std::string& rest) {
  std::istringstream words(rest);
  std::string launch_text, address, bytes;
  words >> launch_text >> address >> bytes;
  int launch = 0;
  debug::WatchPlace place;
  place.space = "global";
  if (!parse(launch_text, launch) || launch < 1 || !parse(address, place.address) || !parse(bytes, place.bytes) ||
      place.bytes < 1 || place.bytes > 4096) {
    return complain(
        "origin takes the number of a launch, an address in GPU memory, and how many bytes: "
        "origin 2 0x1000000000040 4");
  }
  auto breakpoints = std::move(breakpoints_);
  breakpoints_.clear();
  auto writer = last_writer_at_end(launch, place);
  if (writer && writer->value("found", false) && writer->value("launch", launch) < launch) {
    writer = last_writer_at_end(writer->value("launch", 1), place);
  }
  breakpoints_ = std::move(breakpoints);
  if (!writer) {
    return;
  }
  send_breakpoints();
  show_writer(*writer, "", fmt::format("the {} bytes at {:#x}", place.bytes, place.address));
  Request jump;
  jump.op = Op::jump;
  if (writer->contains("focus")) {
    const Json& focus = (*writer)["focus"];
    jump.position = writer->value("position", uint64_t{0});
    jump.focus.block = focus["block"].get<uint64_t>();
    jump.focus.warp = focus["warp"].get<int>();
    jump.focus.lane = focus["lane"].get<int>();
  }
  if (client_.call(std::move(jump)).ok()) {
    wait_for_stop();
  }
}

}  // namespace hpml::sim::debug_front
