#include "simulator/debug/protocol.hpp"

#include "simulator/debug/fields.hpp"

namespace hpml::sim::debug {
namespace {

constexpr auto kOps = std::to_array<std::pair<Op, const char*>>({
    {Op::breakpoints, "breakpoints"},
    {Op::resume, "resume"},
    {Op::pause, "pause"},
    {Op::jump, "jump"},
    {Op::focus, "focus"},
    {Op::evaluate, "evaluate"},
    {Op::lanes, "lanes"},
    {Op::variables, "variables"},
    {Op::registers, "registers"},
    {Op::stack, "stack"},
    {Op::warps, "warps"},
    {Op::blocks, "blocks"},
    {Op::shared, "shared"},
    {Op::access, "access"},
    {Op::stalls, "stalls"},
    {Op::who, "who"},
    {Op::set, "set"},
    {Op::memory, "memory"},
    {Op::code, "code"},
    {Op::lines, "lines"},
    {Op::info, "info"},
    {Op::watch_place, "watch_place"},
    {Op::clone, "clone"},
    {Op::scan, "scan"},
});

constexpr auto kSteps = std::to_array<std::pair<Step, const char*>>({{Step::none, "none"},
                                                                     {Step::go_on, "continue"},
                                                                     {Step::line, "step"},
                                                                     {Step::over, "next"},
                                                                     {Step::out, "finish"},
                                                                     {Step::instruction, "stepi"},
                                                                     {Step::barrier, "barrier"}});
constexpr auto kParties = std::to_array<std::pair<Party, const char*>>(
    {{Party::thread, "thread"}, {Party::warp, "warp"}, {Party::block, "block"}});

// T as a Reader gets it, or const T as a Writer does.
template <class V, class T>
concept Is = std::same_as<std::remove_const_t<V>, T>;

bool is_lane(int lane) { return lane >= 0 && lane < 32; }

}  // namespace

// In this namespace, so that fields.hpp finds them.
void describe(auto& io, Is<WatchPlace> auto& place) {
  io.field("space", place.space);
  io.field("block", place.block);
  io.field("warp", place.warp);
  io.field("lane", place.lane);
  io.field("address", place.address);
  io.field("bytes", place.bytes);
  io.expect(is_lane(place.lane) && place.warp >= 0, "a place names a lane or warp that cannot be");
}

void describe(auto& io, Is<Breakpoint> auto& breakpoint) {
  io.field("id", breakpoint.id);
  io.field("file", breakpoint.file);
  io.field("line", breakpoint.line);
  io.field("function", breakpoint.function);
  io.field("ptx_line", breakpoint.ptx_line);
  io.field("watch", breakpoint.watch);
  io.field("condition", breakpoint.condition);
  io.field("temporary", breakpoint.temporary);
}

void describe(auto& io, Is<Edit> auto& edit) {
  io.field("position", edit.position);
  io.field("frame", edit.frame);
  io.field("place", edit.memory);
  io.field("bytes", edit.bytes);
}

void describe(auto& io, Is<Focus> auto& focus) {
  io.field("block", focus.block);
  io.field("warp", focus.warp);
  io.field("lane", focus.lane);
  io.field("frame", focus.frame);
}

void describe(auto& io, Is<Scan> auto& scan) {
  io.field("what", scan.what);
  io.field("to", scan.to);
  io.field("memory", scan.memory);
  io.field("name", scan.name);
  io.field("depth", scan.depth);
}

void describe(auto& io, Is<Request> auto& request) {
  io.field("id", request.id);
  io.word("op", kOps, request.op);
  io.word("step", kSteps, request.step);
  io.word("party", kParties, request.party);
  io.field("reverse", request.reverse);
  io.field("count", request.count);
  io.field("size", request.size);
  io.field("position", request.position);
  io.field("focus", request.focus);
  io.field("lane", request.lane);
  io.field("text", request.text);
  io.field("value", request.value);
  io.field("stop_at_launch", request.stop_at_launch);
  io.field("stop_at_end", request.stop_at_end);
  io.field("verify", request.verify);
  io.field("here_too", request.here_too);
  io.field("breakpoints", request.breakpoints);
  io.field("edits", request.edits);
  io.field("scan", request.scan);
  io.expect(!request.lane || is_lane(*request.lane), "there are lanes 0 to 31");
}

const char* name(Op op) { return word_of(kOps, op); }

Json to_json(const WatchPlace& place) { return Writer::write(place); }
Result<WatchPlace> parse_place(const Json& json) { return Reader::read<WatchPlace>(json, "a place"); }

Json to_json(const Edit& edit) { return Writer::write(edit); }
Result<Edit> parse_edit(const Json& json) { return Reader::read<Edit>(json, "an edit"); }

Result<Request> parse_request(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) {
    return wrong("not a JSON object");
  }
  if (!json.contains("op")) {
    return wrong("'op' is missing");
  }
  return Reader::read<Request>(json, "a request");
}

std::string to_line(const Request& request) {
  return Writer::write(request).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json answer(int64_t id, Json result) { return {{"id", id}, {"ok", true}, {"result", std::move(result)}}; }
Json refusal(int64_t id, const std::string& why) { return {{"id", id}, {"ok", false}, {"error", why}}; }

}  // namespace hpml::sim::debug
