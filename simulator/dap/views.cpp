// Requests that show threads, calls and variables.
#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "simulator/dap/server.hpp"
#include "simulator/debug_front/stall_rows.hpp"
#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::dap {
namespace {

Diag not_there(const std::string& why) { return error_in("request", why); }

std::string dims(const Json& json) {
  return json.is_array() && json.size() == 3
             ? fmt::format("({},{},{})", json[0].get<int64_t>(), json[1].get<int64_t>(), json[2].get<int64_t>())
             : "";
}

}  // namespace

Result<Json> Server::ask(debug::Request request) {
  if (!stopped_) {
    return not_there("no kernel stands still");
  }
  return client_.call(std::move(request));
}

int64_t Server::thread_id(uint64_t block, int warp) {
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i] == std::pair(block, warp)) {
      return static_cast<int64_t>(i) + 1;
    }
  }
  threads_.emplace_back(block, warp);
  return static_cast<int64_t>(threads_.size());
}

// The lane of the focus if it is that warp's; else the first that runs.
Result<debug::Focus> Server::thread_focus(int64_t id) const {
  if (id < 1 || static_cast<size_t>(id) > threads_.size()) {
    return not_there(fmt::format("there is no thread {}", id));
  }
  const auto& [block, warp] = threads_[static_cast<size_t>(id) - 1];
  if (focus_.block == block && focus_.warp == warp) {
    return focus_;
  }
  debug::Focus out;
  out.block = block;
  out.warp = warp;
  return out;
}

Result<debug::Focus> Server::frame_focus(const Json& arguments) const {
  const auto id = arguments.value("frameId", int64_t{0});
  if (id == 0) {
    return focus_;
  }
  if (id < 1 || static_cast<size_t>(id) > frames_.size()) {
    return not_there(fmt::format("there is no frame {}", id));
  }
  return frames_[static_cast<size_t>(id) - 1];
}

Result<Json> Server::threads(const Json& /*arguments*/) {
  Json out = Json::array();
  if (!stopped_) {
    return Json{{"threads", out}};
  }
  debug::Request request;
  request.op = debug::Op::blocks;
  HPML_TRY(const Json blocks, ask(std::move(request)));
  constexpr size_t kMostBlocks = 16;  // that a list of threads can show
  for (size_t i = 0; i < std::min(blocks.size(), kMostBlocks); ++i) {
    const Json& block = blocks[i];
    const auto number = block["block"].get<uint64_t>();
    debug::Request warps;
    warps.op = debug::Op::warps;
    warps.focus.block = number;
    HPML_TRY(const Json of_block, ask(std::move(warps)));
    for (const Json& warp : of_block["warps"]) {
      const int index = warp.value("warp", 0);
      const auto live = warp.value("live", 0u);
      out.push_back({{"id", thread_id(number, index)},
                     {"name", fmt::format("block {} warp {} ({})", dims(block["blockIdx"]), index,
                                          live == 0 ? "finished" : fmt::format("{} lanes", std::popcount(live)))}});
    }
  }
  return Json{{"threads", out}};
}

Result<Json> Server::stack_trace(const Json& arguments) {
  HPML_TRY(debug::Focus focus, thread_focus(arguments.at("threadId").get<int64_t>()));
  debug::Request request;
  request.op = debug::Op::stack;
  request.focus = focus;
  HPML_TRY(const Json calls, ask(std::move(request)));
  Json out = Json::array();
  const auto first = static_cast<size_t>(std::max(arguments.value("startFrame", 0), 0));
  const auto levels = static_cast<size_t>(std::max(arguments.value("levels", 0), 0));
  for (size_t i = first; i < calls.size() && (levels == 0 || i < first + levels); ++i) {
    const Json& call = calls[i];
    focus.frame = static_cast<int>(i);
    frames_.push_back(focus);
    const std::string path = call.value("file", "");
    Json frame = {{"id", frames_.size()},
                  {"name", call.value("function", "")},
                  {"line", call.value("line", 0)},
                  {"column", 0},
                  {"instructionPointerReference", fmt::format("{:#x}", call.value("ptx_line", 0))}};
    if (!path.empty()) {
      frame["source"] = {{"path", path}, {"name", path.substr(path.rfind('/') + 1)}};
    }
    out.push_back(std::move(frame));
  }
  return Json{{"stackFrames", out}, {"totalFrames", calls.size()}};
}

int64_t Server::refer(Reference reference) {
  references_.push_back(std::move(reference));
  return static_cast<int64_t>(references_.size());
}

Result<Json> Server::scopes(const Json& arguments) {
  HPML_TRY(const debug::Focus focus, frame_focus(arguments));
  Json out = Json::array();
  const auto add = [&](const char* name, Reference::Kind kind, bool expensive, const char* hint) {
    out.push_back({{"name", name},
                   {"variablesReference", refer({kind, focus, ""})},
                   {"expensive", expensive},
                   {"presentationHint", hint}});
  };
  add("Locals", Reference::Kind::locals, false, "locals");
  add("Arguments", Reference::Kind::arguments, false, "arguments");
  add("All lanes", Reference::Kind::lanes, true, "locals");
  add("Stalls, from a run of the launch with time", Reference::Kind::stalls, true, "registers");
  add("PTX registers", Reference::Kind::registers, true, "registers");
  return Json{{"scopes", out}};
}

Json Server::variable(const std::string& name, const std::string& expression, const debug::Focus& focus) {
  debug::Request request;
  request.op = debug::Op::evaluate;
  request.text = expression;
  request.focus = focus;
  const auto value = ask(std::move(request));
  Json out = {{"name", name}, {"evaluateName", expression}, {"variablesReference", 0}};
  if (!value.ok()) {
    out["value"] = value.error().message;
    return out;
  }
  out["value"] = value->value("value", "");
  out["type"] = value->value("type", "");
  if (value->contains("parts")) {
    out["variablesReference"] = refer({Reference::Kind::parts, focus, expression});
  }
  return out;
}

Result<Json> Server::variables(const Json& arguments) {
  const auto id = arguments.at("variablesReference").get<int64_t>();
  if (id < 1 || static_cast<size_t>(id) > references_.size()) {
    return not_there("what this variable belonged to is no longer there");
  }
  const Reference reference = references_[static_cast<size_t>(id) - 1];
  Json out = Json::array();
  debug::Request request;
  request.focus = reference.focus;
  request.text = reference.expression;
  switch (reference.kind) {
    case Reference::Kind::locals:
    case Reference::Kind::arguments:
    case Reference::Kind::lanes: {
      request.op = debug::Op::variables;
      HPML_TRY(const Json list, ask(std::move(request)));
      const bool of_lanes = reference.kind == Reference::Kind::lanes;
      for (const Json& one : list["variables"]) {
        const std::string name = one.value("name", "");
        if (of_lanes) {
          out.push_back({{"name", name},
                         {"value", one.value("value", "") + " ..."},
                         {"variablesReference", refer({Reference::Kind::of_lanes, reference.focus, name})}});
        } else if (one.value("parameter", false) == (reference.kind == Reference::Kind::arguments)) {
          out.push_back(variable(name, name, reference.focus));
        }
      }
      if (const std::string why = list.value("text", ""); list["variables"].empty() && !why.empty()) {
        out.push_back({{"name", "no variables"}, {"value", why}, {"variablesReference", 0}});
      }
      break;
    }
    case Reference::Kind::of_lanes: {
      request.op = debug::Op::lanes;
      HPML_TRY(const Json list, ask(std::move(request)));
      for (const Json& lane : list["lanes"]) {
        const std::string state = lane.value("state", "");
        out.push_back({{"name", fmt::format("lane {}", lane.value("lane", 0))},
                       {"value", lane.value("value", "") + (state == "active" ? "" : " (" + state + ")")},
                       {"variablesReference", 0}});
      }
      break;
    }
    case Reference::Kind::registers: {
      request.op = debug::Op::registers;
      request.text = "all";
      HPML_TRY(const Json list, ask(std::move(request)));
      for (const Json& one : list) {
        out.push_back({{"name", one.value("name", "")},
                       {"value", fmt::format("{} ({})", one.value("value", ""), one.value("hex", ""))},
                       {"evaluateName", one.value("name", "")},
                       {"variablesReference", 0}});
      }
      break;
    }
    case Reference::Kind::stalls: {
      request.op = debug::Op::stalls;
      HPML_TRY(const Json found, ask(std::move(request)));
      for (const auto& [name, value] : debug_front::stall_rows(found)) {
        out.push_back({{"name", name}, {"value", value}, {"variablesReference", 0}});
      }
      break;
    }
    case Reference::Kind::parts: {
      request.op = debug::Op::evaluate;
      HPML_TRY(const Json whole, ask(std::move(request)));
      const Json parts = whole.value("parts", Json::array()), names = whole.value("names", Json::array());
      for (size_t i = 0; i < parts.size(); ++i) {
        out.push_back(variable(names[i].get<std::string>(), parts[i].get<std::string>(), reference.focus));
      }
      break;
    }
  }
  return Json{{"variables", out}};
}

Result<Json> Server::evaluate(const Json& arguments) {
  HPML_TRY(const debug::Focus focus, frame_focus(arguments));
  const std::string expression = arguments.at("expression").get<std::string>();
  debug::Request request;
  request.op = debug::Op::evaluate;
  request.focus = focus;
  request.text = expression;
  const auto evaluated = ask(std::move(request));
  if (!evaluated.ok() && stopped_ && arguments.value("context", "") == "repl") {
    if (const auto said = debug_front::Terminal::look(client_, focus, stop_, expression)) {
      return Json{{"result", *said}, {"variablesReference", 0}};
    }
  }
  HPML_TRY(const Json value, evaluated);
  Json out = {{"result", value.value("value", "")}, {"type", value.value("type", "")}, {"variablesReference", 0}};
  if (value.contains("parts")) {
    out["variablesReference"] = refer({Reference::Kind::parts, focus, expression});
  }
  return out;
}

Result<Json> Server::set_variable(const Json& arguments) {
  const auto id = arguments.at("variablesReference").get<int64_t>();
  const std::string name = arguments.at("name").get<std::string>();
  if (id < 1 || static_cast<size_t>(id) > references_.size()) {
    return not_there("what this variable belonged to is no longer there");
  }
  const Reference& reference = references_[static_cast<size_t>(id) - 1];
  debug::Request request;
  request.op = debug::Op::set;
  request.focus = reference.focus;
  request.text = name;
  request.value = arguments.at("value").get<std::string>();
  if (reference.kind == Reference::Kind::parts) {
    request.text = "(" + reference.expression + ")" + (name.starts_with("[") ? name : "." + name);
  } else if (reference.kind == Reference::Kind::of_lanes) {
    int lane = 0;
    std::from_chars(name.data() + std::min<size_t>(name.size(), 5), name.data() + name.size(), lane);
    request.focus.lane = lane;
    request.text = reference.expression;
  }
  HPML_TRY(const Json value, ask(std::move(request)));
  return Json{{"value", value.value("value", "")}, {"variablesReference", 0}};
}

// Instructions are lines of PTX, and their addresses the numbers of these lines.
Result<Json> Server::disassemble(const Json& arguments) {
  const std::string reference = arguments.at("memoryReference").get<std::string>();
  const auto count = std::clamp<int64_t>(arguments.value("instructionCount", int64_t{1}), 1, 4096);
  const int64_t offset = std::clamp<int64_t>(arguments.value("instructionOffset", int64_t{0}), -4096, 4096);
  int64_t line = 0;
  const char* first = reference.data() + (reference.starts_with("0x") ? 2 : 0);
  std::from_chars(first, reference.data() + reference.size(), line, 16);
  debug::Request request;
  request.op = debug::Op::code;
  request.count = 2 * (std::abs(offset) + count + 4096);
  request.focus = focus_;
  HPML_TRY(const Json list, ask(std::move(request)));
  std::map<int64_t, const Json*> by_line;
  for (const Json& one : list) {
    by_line[one["ptx_line"].get<int64_t>()] = &one;
  }
  Json out = Json::array();
  for (int64_t at = line + offset; at < line + offset + count; ++at) {
    const auto found = by_line.find(at);
    Json one = {{"address", fmt::format("{:#x}", std::max<int64_t>(at, 0))},
                {"instruction", found != by_line.end() ? found->second->value("text", "") : ""}};
    if (found != by_line.end() && found->second->contains("line")) {
      one["line"] = (*found->second)["line"];
      one["location"] = {{"path", found->second->value("file", "")}};
    }
    out.push_back(std::move(one));
  }
  return Json{{"instructions", out}};
}

}  // namespace hpml::sim::dap
