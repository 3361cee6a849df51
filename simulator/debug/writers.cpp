// "Who wrote this value, and from what": backwards through the launch, the host's copies before it, and earlier
// launches.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/debug/debugger.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {

// A state in which to look back from, and how much may be spent on it.
struct Debugger::Moment {
  int launch = 0;  // of all; those before it are in the timeline
  History* history = nullptr;
  uint64_t position = 0;
};

namespace {

constexpr int kMostSearches = 32;  // for all operands of one question together

Scan search_for(const Json& target, const Result<WatchPlace>& place) {
  Scan out;
  if (place.ok()) {
    out.what = "memory";
    out.memory = *place;
  } else {
    out.what = target.contains("argument") ? "argument" : "register";
    out.name = target[out.what].get<std::string>();
    out.depth = target["depth"].get<int>();
  }
  return out;
}

// Whether the writer of an operand belongs to the same line of the source, as it is computed from top to bottom: all
// that a line does is one step for its reader.
bool one_step(const Json* after, const Json& writer) {
  const auto same = [&](const char* key) { return after->value(key, Json()) == writer.value(key, Json()); };
  return after != nullptr && same("launch") && same("file") && same("line") && same("depth") && same("focus") &&
         writer.value("ptx_line", 0) < after->value("ptx_line", 0);
}

}  // namespace

Result<Json> Debugger::who(History& now, int launch, const Request& asked, const Request& request) {
  Json target;
  if (!request.scan.memory.space.empty()) {
    target["place"] = to_json(request.scan.memory);
  } else {
    Request place = request;
    place.op = Op::watch_place;
    HPML_TRY(target, now.ask(place));
  }
  int searches = kMostSearches;
  const auto levels = static_cast<int>(std::clamp<int64_t>(asked.count, 1, 8));
  HPML_TRY(Json out, written_by({launch, &now, now.position()}, target, request, levels, searches, nullptr));
  out["of"] = asked.text;
  return out;
}

// `target`: as Op::watch_place tells it.
Result<Json> Debugger::written_by(const Moment& moment, const Json& target, const Request& request, int levels,
                                  int& searches, const Json* after) {
  const Result<WatchPlace> place =
      target.contains("place") ? parse_place(target["place"]) : Result<WatchPlace>(wrong("a register"));
  Request search = request;
  search.scan = search_for(target, place);
  --searches;
  HPML_TRY(const std::optional<Json> found, moment.history->find_last(moment.position, search));
  if (found) {
    return writer_at(moment, *found, request, levels, searches, after);
  }
  Json none = {{"found", false}, {"space", place.ok() ? place->space : "register"}};
  if (!place.ok() || place->space != "global") {
    return none;
  }
  auto& launches = timeline_.launches();
  for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
    Timeline::Launch& before = *launch;
    if (before.number >= moment.launch) {
      continue;
    }
    const auto write = std::find_if(before.after.rbegin(), before.after.rend(),
                                    [&](const HostWrite& one) { return one.touches(place->address, place->bytes); });
    if (write != before.after.rend()) {
      return Json{{"found", true}, {"host", write->what}, {"after_launch", before.number}};
    }
    if (before.history == nullptr) {
      continue;
    }
    HPML_TRY(const std::optional<Json> earlier, before.history->find_last(INT64_MAX, search));
    if (earlier) {
      return writer_at({before.number, before.history.get(), 0}, *earlier, request, levels, searches, after);
    }
  }
  none["complete"] = timeline_.complete();
  return none;
}

// The instruction that executes next in the state found, and the writers of its operands.
Result<Json> Debugger::writer_at(const Moment& moment, const Json& found, const Request& request, int levels,
                                 int& searches, const Json* after) {
  Request writer = request;
  writer.op = Op::who;
  writer.focus = found.contains("focus") ? parse_focus(found["focus"]) : request.focus;
  writer.focus.frame = 0;
  const uint64_t at = found["position"].get<uint64_t>();
  HPML_TRY(Json out, moment.history->ask_at(at, writer));
  out["found"] = true;
  out["launch"] = moment.launch;
  const int left = levels - (one_step(after, out) ? 0 : 1);
  if (left < 0) {
    out.erase("operands");
  }
  if (!out.contains("operands")) {
    return out;
  }
  for (Json& operand : out["operands"]) {
    if (operand.value("address", false) || operand.contains("parameter") || searches <= 0 ||
        (left == 0 && operand.contains("place"))) {
      continue;  // where it wrote is rarely the question; `who` of that register tells
    }
    const Json next = operand.contains("place")      ? Json{{"place", operand["place"]}}
                      : operand.contains("argument") ? operand
                                                     : Json{{"register", operand["name"]}, {"depth", out["depth"]}};
    auto from = written_by({moment.launch, moment.history, at}, next, writer, left, searches, &out);
    if (from.ok() && (from->value("found", false) || operand.contains("place"))) {
      operand["from"] = std::move(*from);
    }
  }
  return out;
}

}  // namespace hpml::sim::debug
