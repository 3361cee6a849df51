#include "simulator/dap/server.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace hpml::sim::dap {

const std::map<std::string, Server::Handler>& Server::handlers() {
  static const std::map<std::string, Handler> kHandlers = {
      {"initialize", &Server::initialize},
      {"launch", &Server::launch},
      {"attach", &Server::attach},
      {"configurationDone", &Server::configuration_done},
      {"setBreakpoints", &Server::set_breakpoints},
      {"setFunctionBreakpoints", &Server::set_function_breakpoints},
      {"setExceptionBreakpoints", &Server::set_exception_breakpoints},
      {"dataBreakpointInfo", &Server::data_breakpoint_info},
      {"setDataBreakpoints", &Server::set_data_breakpoints},
      {"continue", &Server::go_on},
      {"next", &Server::next},
      {"stepIn", &Server::step_in},
      {"stepOut", &Server::step_out},
      {"stepBack", &Server::step_back},
      {"reverseContinue", &Server::reverse_continue},
      {"pause", &Server::pause},
      {"disconnect", &Server::disconnect},
      {"terminate", &Server::disconnect},
      {"threads", &Server::threads},
      {"stackTrace", &Server::stack_trace},
      {"scopes", &Server::scopes},
      {"variables", &Server::variables},
      {"evaluate", &Server::evaluate},
      {"setVariable", &Server::set_variable},
      {"disassemble", &Server::disassemble},
  };
  return kHandlers;
}

int Server::run() {
  signal(SIGPIPE, SIG_IGN);
  while (!done_) {
    std::array<pollfd, 4> wanted = {{{options_.in, POLLIN, 0},
                                     {client_.alive() ? client_.fd() : -1, POLLIN, 0},
                                     {out_, POLLIN, 0},
                                     {err_, POLLIN, 0}}};
    if (poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) {
      break;
    }
    if (wanted[0].revents != 0) {
      read_editor();
    }
    if (out_ >= 0 && wanted[2].revents != 0) {
      take_output(out_, "stdout");
    }
    if (err_ >= 0 && wanted[3].revents != 0) {
      take_output(err_, "stderr");
    }
    while (client_.alive()) {
      const auto told = client_.event(0);
      if (!told) {
        break;
      }
      take_program_event(*told);
    }
    if (client_.started() && !client_.alive() && !ended_) {
      program_ended();
    }
  }
  if (client_.started()) {
    client_.end(true);
  }
  return 0;
}

void Server::read_editor() {
  std::array<char, 65536> bytes{};
  const ssize_t n = read(options_.in, bytes.data(), bytes.size());
  if (n <= 0) {
    done_ = n == 0 || errno != EINTR;
    return;
  }
  reader_.feed({bytes.data(), static_cast<size_t>(n)});
  while (auto message = reader_.next()) {
    if (message->ok()) {
      handle(**message);
    } else {
      send({{"type", "response"},
            {"request_seq", 0},
            {"success", false},
            {"command", ""},
            {"message", message->error().message}});
      done_ = done_ || reader_.lost();
    }
  }
}

void Server::handle(const Json& message) {
  const auto type = message.find("type");
  if (type != message.end() && type->is_string() && *type != "request") {
    return;  // answers to us: we ask for nothing
  }
  const auto command = message.find("command");
  const auto sequence = message.find("seq");
  const auto given = message.find("arguments");
  const std::string name = command != message.end() && command->is_string() ? command->get<std::string>() : "";
  Json reply = {{"type", "response"},
                {"request_seq", sequence != message.end() && sequence->is_number_integer() ? *sequence : Json(0)},
                {"command", name}};
  const auto handler = handlers().find(name);
  Result<Json> result = error_in("request", fmt::format("'{}' is not supported", name));
  if (handler != handlers().end()) {
    const Json arguments = given != message.end() && given->is_object() ? *given : Json::object();
    try {
      result = (this->*handler->second)(arguments);
    } catch (const Json::exception& wrong) {  // an argument of the wrong type
      result = error_in("request", fmt::format("'{}': {}", name, wrong.what()));
    }
  }
  reply["success"] = result.ok();
  if (result.ok()) {
    reply["body"] = std::move(*result);
  } else {
    reply["message"] = result.error().message;
    reply["body"] = {{"error", {{"id", 1}, {"format", result.error().message}, {"showUser", true}}}};
  }
  send(std::move(reply));
  if (name == "initialize" && result.ok()) {
    event("initialized");
  }
}

void Server::send(Json message) {
  message["seq"] = sequence_++;
  const std::string bytes = to_message(message);
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = write(options_.out, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno != EINTR) {
      done_ = true;
      return;
    }
    sent += n > 0 ? static_cast<size_t>(n) : 0;
  }
}

void Server::event(const std::string& name, Json body) {
  send({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

// A line of the debugger's own.
void Server::say(const std::string& text) { event("output", {{"category", "console"}, {"output", text + "\n"}}); }

// --- what the program says -----------------------------------------------------------------------------------------

void Server::take_output(int& fd, const char* category) {
  std::array<char, 65536> bytes{};
  const ssize_t n = read(fd, bytes.data(), bytes.size());
  if (n > 0) {
    event("output", {{"category", category}, {"output", std::string(bytes.data(), static_cast<size_t>(n))}});
  } else if (n == 0 || errno != EINTR) {
    ::close(fd);
    fd = -1;
  }
}

void Server::take_program_event(const Json& told) {
  const std::string kind = told.value("event", "");
  if (kind == "message") {
    say(told.value("text", ""));
  } else if (kind == "breakpoints") {
    report_breakpoints(told["breakpoints"]);
  }
  if (kind != "stopped") {
    return;
  }
  stopped_ = true;
  stop_ = told;
  references_.clear();
  frames_.clear();
  focus_ = {};
  if (told.contains("focus")) {
    const Json& focus = told["focus"];
    focus_.block = focus.value("block", uint64_t{0});
    focus_.warp = focus.value("warp", 0);
    focus_.lane = focus.value("lane", 0);
  }
  send_breakpoints();
  if (const std::string why = told.value("not_kept", ""); !why.empty() && !std::exchange(told_not_kept_, true)) {
    say(why);
  }
  const std::string reason = told.value("reason", ""), text = told.value("text", "");
  if (reason == "error") {
    say(text);
  }
  const std::string shown = reason == "watchpoint" ? "data breakpoint"
                            : reason == "fault"    ? "exception"
                            : reason == "launch"   ? "entry"
                            : reason == "position" || reason == "start" || reason == "exited" || reason == "error"
                                ? "step"
                                : reason;
  Json body = {{"reason", shown},
               {"threadId", thread_id(focus_.block.value_or(0), focus_.warp.value_or(0))},
               {"allThreadsStopped", true}};
  if (!text.empty()) {
    body["text"] = text;
    body["description"] = text;
  }
  if (told.contains("breakpoint")) {
    body["hitBreakpointIds"] = {told["breakpoint"]};
  }
  event("stopped", std::move(body));
}

void Server::program_ended() {
  ended_ = true;
  stopped_ = false;
  const int status = client_.end(false);
  while (out_ >= 0) {
    take_output(out_, "stdout");
  }
  while (err_ >= 0) {
    take_output(err_, "stderr");
  }
  for (const std::string& line : told_.never_there(all_breakpoints())) {
    say(line);
  }
  if (WIFSIGNALED(status)) {
    say(debug_front::end_text(status, program_.rerun));
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  event("exited", {{"exitCode", code}});
  event("terminated");
}

}  // namespace hpml::sim::dap
