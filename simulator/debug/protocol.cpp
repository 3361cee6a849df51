#include "simulator/debug/protocol.hpp"
#include "simulator/debug/wrong.hpp"

#include <fmt/format.h>

#include <limits>

namespace hpml::sim::debug {
namespace {

struct OpName {
  Op op;
  const char* name;
};
constexpr auto kOps = std::to_array<OpName>({
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

struct StepName {
  Step step;
  const char* name;
};
constexpr auto kSteps = std::to_array<StepName>({{Step::none, "none"},
                                                 {Step::go_on, "continue"},
                                                 {Step::line, "step"},
                                                 {Step::over, "next"},
                                                 {Step::out, "finish"},
                                                 {Step::instruction, "stepi"},
                                                 {Step::barrier, "barrier"}});

// Reads the fields of one object; remembers the first that is wrong, and those nobody asked for.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {}

  void take(const char* key, std::string& out) { one(key, &Json::is_string, "a string", out); }
  void take(const char* key, bool& out) { one(key, &Json::is_boolean, "true or false", out); }
  template <class Number>
  requires std::is_integral_v<Number>
  void take(const char* key, Number& out) {
    const Json* field = find(key);
    if (field == nullptr) {
      return;
    }
    if (field->is_number_unsigned() &&
        field->template get<uint64_t>() <= uint64_t{std::numeric_limits<Number>::max()}) {
      out = static_cast<Number>(field->template get<uint64_t>());
    } else if (std::is_signed_v<Number> && field->is_number_integer() && !field->is_number_unsigned() &&
               field->template get<int64_t>() >= int64_t{std::numeric_limits<Number>::min()}) {
      out = static_cast<Number>(field->template get<int64_t>());
    } else {
      fail(fmt::format("'{}' is no number in its range", key));
    }
  }
  template <class T>
  void take(const char* key, std::optional<T>& out) {
    if (find(key) != nullptr) {
      T value{};
      take(key, value);
      out = value;
    }
  }
  const Json* object(const char* key) {
    const Json* field = find(key);
    if (field != nullptr && !field->is_object()) {
      fail(fmt::format("'{}' is no object", key));
      return nullptr;
    }
    return field;
  }
  const Json* array(const char* key) {
    const Json* field = find(key);
    if (field != nullptr && !field->is_array()) {
      fail(fmt::format("'{}' is no array", key));
      return nullptr;
    }
    return field;
  }
  template <class Names, class Value>
  void choose(const char* key, const Names& names, Value& out) {
    std::string word;
    take(key, word);
    for (const auto& [value, text] : names) {
      if (word == text) {
        out = value;
        return;
      }
    }
    if (find(key) != nullptr) {
      fail(fmt::format("'{}' is no {}", word, key));
    }
  }
  void fail(const std::string& why) { why_ = why_.empty() ? why : why_; }
  Result<void> end() const {
    if (!why_.empty()) {
      return wrong(why_);
    }
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        return wrong(fmt::format("unknown field '{}'", key));
      }
    }
    return Ok{};
  }

 private:
  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = json_.find(key);
    return found != json_.end() ? &*found : nullptr;
  }
  template <class T>
  void one(const char* key, bool (Json::*is)() const, const char* what, T& out) {
    const Json* field = find(key);
    if (field != nullptr && !(field->*is)()) {
      fail(fmt::format("'{}' is not {}", key, what));
    } else if (field != nullptr) {
      out = field->template get<T>();
    }
  }

  const Json& json_;
  std::vector<std::string> known_;
  std::string why_;
};

Result<Breakpoint> parse_breakpoint(const Json& json) {
  if (!json.is_object()) {
    return wrong("a breakpoint is no object");
  }
  Breakpoint out;
  Fields fields(json);
  fields.take("id", out.id);
  fields.take("file", out.file);
  fields.take("line", out.line);
  fields.take("function", out.function);
  fields.take("ptx_line", out.ptx_line);
  fields.take("condition", out.condition);
  fields.take("temporary", out.temporary);
  if (const Json* watch = fields.object("watch")) {
    HPML_TRY(out.watch, parse_place(*watch));
  }
  HPML_TRY_VOID(fields.end());
  return out;
}

Result<Edit> parse_edit(const Json& json) {
  if (!json.is_object()) {
    return wrong("an edit is no object");
  }
  Edit out;
  Fields fields(json);
  fields.take("position", out.position);
  fields.take("frame", out.frame);
  if (const Json* place = fields.object("place")) {
    HPML_TRY(out.memory, parse_place(*place));
  }
  if (const Json* bytes = fields.array("bytes")) {
    for (const Json& byte : *bytes) {
      if (!byte.is_number_unsigned() || byte.get<uint64_t>() > 0xff) {
        return wrong("'bytes' holds something that is no byte");
      }
      out.bytes.push_back(byte.get<uint8_t>());
    }
  }
  HPML_TRY_VOID(fields.end());
  return out;
}

Result<Focus> parse_focus(const Json& json) {
  Focus out;
  Fields fields(json);
  fields.take("block", out.block);
  fields.take("warp", out.warp);
  fields.take("lane", out.lane);
  fields.take("frame", out.frame);
  HPML_TRY_VOID(fields.end());
  return out;
}

Result<Scan> parse_scan(const Json& json) {
  Scan out;
  Fields fields(json);
  fields.take("what", out.what);
  fields.take("to", out.to);
  fields.take("name", out.name);
  fields.take("depth", out.depth);
  if (const Json* place = fields.object("memory")) {
    HPML_TRY(out.memory, parse_place(*place));
  }
  HPML_TRY_VOID(fields.end());
  return out;
}

Json to_json(const Breakpoint& b) {
  Json out = {{"id", b.id}};
  if (!b.function.empty()) {
    out["function"] = b.function;
  } else if (b.ptx_line) {
    out["ptx_line"] = *b.ptx_line;
  } else if (b.watch) {
    out["watch"] = to_json(*b.watch);
  } else {
    out["file"] = b.file;
    out["line"] = b.line;
  }
  if (!b.condition.empty()) {
    out["condition"] = b.condition;
  }
  if (b.temporary) {
    out["temporary"] = true;
  }
  return out;
}

Json to_json(const Focus& focus) {
  Json out = {{"frame", focus.frame}};
  if (focus.block) {
    out["block"] = *focus.block;
  }
  if (focus.warp) {
    out["warp"] = *focus.warp;
  }
  if (focus.lane) {
    out["lane"] = *focus.lane;
  }
  return out;
}

Result<void> parse_lists(Fields& fields, Request& out) {
  if (const Json* list = fields.array("breakpoints")) {
    for (const Json& one : *list) {
      HPML_TRY(Breakpoint breakpoint, parse_breakpoint(one));
      out.breakpoints.push_back(std::move(breakpoint));
    }
  }
  if (const Json* list = fields.array("edits")) {
    for (const Json& one : *list) {
      HPML_TRY(Edit edit, parse_edit(one));
      out.edits.push_back(std::move(edit));
    }
  }
  if (const Json* focus = fields.object("focus")) {
    HPML_TRY(out.focus, parse_focus(*focus));
  }
  if (const Json* scan = fields.object("scan")) {
    HPML_TRY(out.scan, parse_scan(*scan));
  }
  return Ok{};
}

}  // namespace

const char* name(Op op) {
  for (const OpName& known : kOps) {
    if (known.op == op) {
      return known.name;
    }
  }
  return "?";
}

Json to_json(const WatchPlace& place) {
  return {{"space", place.space}, {"block", place.block},     {"warp", place.warp},
          {"lane", place.lane},   {"address", place.address}, {"bytes", place.bytes}};
}

Result<WatchPlace> parse_place(const Json& json) {
  WatchPlace out;
  Fields fields(json);
  fields.take("space", out.space);
  fields.take("block", out.block);
  fields.take("warp", out.warp);
  fields.take("lane", out.lane);
  fields.take("address", out.address);
  fields.take("bytes", out.bytes);
  HPML_TRY_VOID(fields.end());
  if (out.lane < 0 || out.lane >= 32 || out.warp < 0) {
    return wrong("a place names a lane or warp that cannot be");
  }
  return out;
}

Json to_json(const Edit& edit) {
  return {{"position", edit.position}, {"frame", edit.frame}, {"place", to_json(edit.memory)}, {"bytes", edit.bytes}};
}

Result<Request> parse_request(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) {
    return wrong("not a JSON object");
  }
  Request out;
  Fields fields(json);
  fields.take("id", out.id);
  if (!json.contains("op")) {
    return wrong("'op' is missing");
  }
  fields.choose("op", kOps, out.op);
  fields.choose("step", kSteps, out.step);
  fields.take("reverse", out.reverse);
  fields.take("count", out.count);
  fields.take("size", out.size);
  fields.take("position", out.position);
  fields.take("lane", out.lane);
  fields.take("text", out.text);
  fields.take("value", out.value);
  fields.take("stop_at_launch", out.stop_at_launch);
  fields.take("verify", out.verify);
  HPML_TRY_VOID(parse_lists(fields, out));
  HPML_TRY_VOID(fields.end());
  if (out.lane && (*out.lane < 0 || *out.lane >= 32)) {
    return wrong("there are lanes 0 to 31");
  }
  return out;
}

std::string to_line(const Request& request) {
  Json out = {{"id", request.id}, {"op", name(request.op)}, {"focus", to_json(request.focus)}};
  for (const StepName& known : kSteps) {
    if (known.step == request.step && request.step != Step::none) {
      out["step"] = known.name;
    }
  }
  const Request plain;
  const auto put = [&](const char* key, const auto& value, const auto& otherwise) {
    if (value != otherwise) {
      out[key] = value;
    }
  };
  put("reverse", request.reverse, plain.reverse);
  put("count", request.count, plain.count);
  put("size", request.size, plain.size);
  put("position", request.position, plain.position);
  put("text", request.text, plain.text);
  put("value", request.value, plain.value);
  put("stop_at_launch", request.stop_at_launch, plain.stop_at_launch);
  put("verify", request.verify, plain.verify);
  if (request.lane) {
    out["lane"] = *request.lane;
  }
  for (const Breakpoint& breakpoint : request.breakpoints) {
    out["breakpoints"].push_back(to_json(breakpoint));
  }
  for (const Edit& edit : request.edits) {
    out["edits"].push_back(to_json(edit));
  }
  if (!request.scan.what.empty()) {
    out["scan"] = {{"what", request.scan.what},
                   {"to", request.scan.to},
                   {"memory", to_json(request.scan.memory)},
                   {"name", request.scan.name},
                   {"depth", request.scan.depth}};
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json answer(int64_t id, Json result) { return {{"id", id}, {"ok", true}, {"result", std::move(result)}}; }
Json refusal(int64_t id, const std::string& why) { return {{"id", id}, {"ok", false}, {"error", why}}; }

}  // namespace hpml::sim::debug
