// Requests that start, stop and move the program.
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "simulator/dap/server.hpp"

namespace hpml::sim::dap {
namespace {

Diag refused(const std::string& why) { return error_in("request", why); }

}  // namespace

Result<Json> Server::initialize(const Json& /*arguments*/) {
  return Json{{"supportsConfigurationDoneRequest", true},
              {"supportsFunctionBreakpoints", true},
              {"supportsConditionalBreakpoints", true},
              {"supportsDataBreakpoints", true},
              {"supportsEvaluateForHovers", true},
              {"supportsSetVariable", true},
              {"supportsStepBack", true},
              {"supportsSteppingGranularity", true},
              {"supportsDisassembleRequest", true},
              {"supportsTerminateRequest", true},
              {"supportTerminateDebuggee", true}};
}

Result<Json> Server::attach(const Json& /*arguments*/) {
  return refused("a running program cannot be attached to: use a launch configuration");
}

Result<Json> Server::launch(const Json& arguments) {
  if (client_.started()) {
    return refused("a program has been launched already");
  }
  LaunchArguments wanted;
  if (arguments.contains("program")) {
    wanted.command.push_back(arguments["program"].get<std::string>());
    for (const Json& word : arguments.value("args", Json::array())) {
      wanted.command.push_back(word.get<std::string>());
    }
  }
  wanted.cwd = arguments.value("cwd", "");
  wanted.gpu = arguments.value("gpu", "");
  const Json environment = arguments.value("env", Json::object());
  for (const auto& [key, value] : environment.items()) {
    wanted.environment[key] = value.get<std::string>();
  }
  HPML_TRY(program_, options_.prepare(wanted));
  stop_on_entry_ = arguments.value("stopOnEntry", false);
  send_breakpoints();  // those that were set before
  return Json::object();
}

Result<Json> Server::configuration_done(const Json& /*arguments*/) {
  if (program_.become == nullptr) {
    return refused("nothing has been launched");
  }
  if (client_.started()) {
    return refused("the program has been started already");
  }
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    return refused("the operating system gives no pipes for the program's output");
  }
  debug_front::Start start;
  start.become = program_.become;
  start.history_bytes = options_.history_bytes;
  start.in = null;
  start.out = out[1];
  start.err = err[1];
  HPML_TRY_VOID(client_.start(start));
  for (const int fd : {null, out[1], err[1]}) {
    ::close(fd);
  }
  out_ = out[0];
  err_ = err[0];
  debug::Request request;
  request.op = debug::Op::breakpoints;
  request.breakpoints = all_breakpoints();
  request.stop_at_launch = stop_on_entry_;
  client_.tell(std::move(request));
  event("process", {{"name", "program"}, {"systemProcessId", client_.pid()}, {"startMethod", "launch"}});
  return Json::object();
}

// --- breakpoints ---------------------------------------------------------------------------------------------------

std::vector<debug::Breakpoint> Server::all_breakpoints() const {
  std::vector<debug::Breakpoint> out = in_functions_;
  out.insert(out.end(), on_data_.begin(), on_data_.end());
  for (const auto& [file, list] : in_files_) {
    out.insert(out.end(), list.begin(), list.end());
  }
  return out;
}

// Tells the program of all. What it says of them goes to the editor with the answer, if they are new, else as events.
void Server::send_breakpoints() {
  if (!client_.started() && program_.look_up) {
    const Json statuses = program_.look_up(all_breakpoints());
    report_breakpoints(statuses);
    told_.start(statuses);
  }
  if (!client_.started() || !client_.alive()) {
    return;
  }
  debug::Request request;
  request.op = debug::Op::breakpoints;
  request.breakpoints = all_breakpoints();
  if (!stopped_) {
    client_.tell(std::move(request));
    return;
  }
  const auto answer = client_.call(std::move(request));
  if (answer.ok()) {
    report_breakpoints((*answer)["breakpoints"]);
  }
}

void Server::report_breakpoints(const Json& statuses) {
  told_.note(statuses);
  for (const Json& one : statuses) {
    const int id = one.value("id", 0);
    const std::string why = debug_front::why_nowhere(one);
    Json shown = {{"id", id}, {"verified", why.empty()}};
    if (why.empty() && one.value("line", 0) > 0) {
      shown["line"] = one["line"];
      shown["source"] = {{"path", one.value("file", "")}};
    } else if (!why.empty()) {
      shown["message"] = why;
    }
    const auto known = shown_.find(id);
    if (known != shown_.end() && known->second != shown) {
      known->second = shown;
      event("breakpoint", {{"reason", "changed"}, {"breakpoint", shown}});
    } else if (known == shown_.end()) {
      shown_[id] = std::move(shown);
    }
  }
}

// The body of an answer that lists these breakpoints, which the editor has just set.
Json Server::answer_with(const std::vector<debug::Breakpoint>& list) {
  send_breakpoints();
  Json out = Json::array();
  for (const debug::Breakpoint& b : list) {
    const auto [known, added] = shown_.try_emplace(b.id, Json());
    if (added) {
      known->second = {{"id", b.id}, {"verified", false}, {"message", "it is looked for when the program is launched"}};
    }
    out.push_back(known->second);
    if (b.line > 0 && !out.back().contains("line")) {
      out.back()["line"] = b.line;
    }
  }
  return {{"breakpoints", out}};
}

Result<Json> Server::set_breakpoints(const Json& arguments) {
  const Json source = arguments.value("source", Json::object());
  const std::string path = source.value("path", source.value("name", ""));
  if (path.empty()) {
    return refused("setBreakpoints names no source");
  }
  std::vector<debug::Breakpoint> list;
  for (const Json& one : arguments.value("breakpoints", Json::array())) {
    debug::Breakpoint b;
    b.id = next_breakpoint_++;
    b.file = path;
    b.line = one.at("line").get<int>();
    b.condition = one.value("condition", "");
    list.push_back(std::move(b));
  }
  in_files_[path] = list;
  return answer_with(list);
}

Result<Json> Server::set_function_breakpoints(const Json& arguments) {
  std::vector<debug::Breakpoint> list;
  for (const Json& one : arguments.value("breakpoints", Json::array())) {
    debug::Breakpoint b;
    b.id = next_breakpoint_++;
    b.function = one.at("name").get<std::string>();
    b.condition = one.value("condition", "");
    list.push_back(std::move(b));
  }
  in_functions_ = list;
  return answer_with(list);
}

Result<Json> Server::set_exception_breakpoints(const Json& /*arguments*/) {
  return Json::object();  // a fault always stops
}

// The identifier of a data breakpoint is the place that it watches.
Result<Json> Server::data_breakpoint_info(const Json& arguments) {
  const std::string name = arguments.at("name").get<std::string>();
  debug::Request request;
  request.op = debug::Op::watch_place;
  request.text = name;
  const auto reference = arguments.value("variablesReference", int64_t{0});
  if (reference > 0 && static_cast<size_t>(reference) <= references_.size()) {
    const Reference& parent = references_[static_cast<size_t>(reference) - 1];
    request.focus = parent.focus;
    if (parent.kind == Reference::Kind::parts) {
      request.text = "(" + parent.expression + ")" + (name.starts_with("[") ? name : "." + name);
    }
  }
  const std::string text = request.text;
  const auto place = ask(std::move(request));
  if (!place.ok() || !place->contains("place")) {
    return Json{
        {"dataId", nullptr},
        {"description", place.ok() ? "it is kept in a register, which cannot be watched" : place.error().message}};
  }
  return Json{
      {"dataId", (*place)["place"].dump()}, {"description", text}, {"accessTypes", {"write"}}, {"canPersist", false}};
}

Result<Json> Server::set_data_breakpoints(const Json& arguments) {
  std::vector<debug::Breakpoint> list;
  Json told = Json::array();
  for (const Json& one : arguments.value("breakpoints", Json::array())) {
    const Json id = Json::parse(one.at("dataId").get<std::string>(), nullptr, false);
    auto place = id.is_object() ? debug::parse_place(id) : Result<debug::WatchPlace>(refused("no place"));
    debug::Breakpoint b;
    b.id = next_breakpoint_++;
    told.push_back({{"id", b.id}, {"verified", place.ok()}});
    if (!place.ok()) {
      told.back()["message"] = "its dataId is none of ours";
      continue;
    }
    b.watch = std::move(*place);
    list.push_back(std::move(b));
  }
  on_data_ = std::move(list);
  send_breakpoints();
  return Json{{"breakpoints", told}};
}

// --- moving --------------------------------------------------------------------------------------------------------

Result<Json> Server::resume(debug::Step step, bool reverse, const Json& arguments) {
  if (!stopped_) {
    return refused("no kernel stands still");
  }
  debug::Request request;
  request.op = debug::Op::resume;
  request.step =
      arguments.value("granularity", "") == "instruction" && (step == debug::Step::line || step == debug::Step::over)
          ? debug::Step::instruction
          : step;
  request.reverse = reverse;
  HPML_TRY(request.focus, thread_focus(arguments.value("threadId", int64_t{0})));
  HPML_TRY_VOID(client_.call(std::move(request)));
  stopped_ = false;
  return Json{{"allThreadsContinued", true}};
}

Result<Json> Server::go_on(const Json& arguments) { return resume(debug::Step::go_on, false, arguments); }
Result<Json> Server::next(const Json& arguments) { return resume(debug::Step::over, false, arguments); }
Result<Json> Server::step_in(const Json& arguments) { return resume(debug::Step::line, false, arguments); }
Result<Json> Server::step_out(const Json& arguments) { return resume(debug::Step::out, false, arguments); }
Result<Json> Server::step_back(const Json& arguments) { return resume(debug::Step::over, true, arguments); }
Result<Json> Server::reverse_continue(const Json& arguments) { return resume(debug::Step::go_on, true, arguments); }

Result<Json> Server::pause(const Json& /*arguments*/) {
  if (!client_.started() || !client_.alive()) {
    return refused("the program is not running");
  }
  debug::Request request;
  request.op = debug::Op::pause;
  client_.tell(std::move(request));
  return Json::object();
}

Result<Json> Server::disconnect(const Json& /*arguments*/) {
  if (client_.started() && !ended_) {
    client_.end(true);
    program_ended();
  }
  done_ = true;
  return Json::object();
}

}  // namespace hpml::sim::dap
