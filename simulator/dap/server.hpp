#pragma once
// The debugger for editors: the Debug Adapter Protocol on standard input and output. A thread of the protocol is a warp
// of a running block, since a warp has one call stack as far as its lanes stay together; a value in all lanes is a
// variable that can be opened.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/dap/message.hpp"
#include "simulator/debug_front/client.hpp"
#include "simulator/debug_front/told_breakpoints.hpp"

namespace hpml::sim::dap {

struct LaunchArguments {
  std::vector<std::string> command;  // the program and its arguments; empty: those of the command line
  std::string cwd, gpu;
  std::map<std::string, std::string> environment;
};

struct Prepared {
  std::function<int()> become;  // what the child does to become the program
  debug_front::LookUp look_up;
  std::string rerun;  // the command that runs the program without the debugger
};

struct ServerOptions {
  // Checks the arguments. Error: what is wrong with them.
  std::function<Result<Prepared>(const LaunchArguments&)> prepare;
  uint64_t history_bytes = uint64_t{1} << 30;
  int in = 0, out = 1;
};

class Server {
 public:
  explicit Server(ServerOptions options) : options_(std::move(options)) {}
  // Until the editor disconnects. Returns the exit status.
  int run();

 private:
  using Handler = Result<Json> (Server::*)(const Json& arguments);
  static const std::map<std::string, Handler>& handlers();

  void read_editor();
  void handle(const Json& message);
  void send(Json message);
  void say(const std::string& text);
  void event(const std::string& name, Json body = Json::object());

  // requests.cpp
  Result<Json> initialize(const Json& arguments);
  Result<Json> launch(const Json& arguments);
  Result<Json> attach(const Json& arguments);
  Result<Json> configuration_done(const Json& arguments);
  Result<Json> set_breakpoints(const Json& arguments);
  Result<Json> set_function_breakpoints(const Json& arguments);
  Result<Json> set_exception_breakpoints(const Json& arguments);
  Result<Json> data_breakpoint_info(const Json& arguments);
  Result<Json> set_data_breakpoints(const Json& arguments);
  Result<Json> go_on(const Json& arguments);
  Result<Json> next(const Json& arguments);
  Result<Json> step_in(const Json& arguments);
  Result<Json> step_out(const Json& arguments);
  Result<Json> step_back(const Json& arguments);
  Result<Json> reverse_continue(const Json& arguments);
  Result<Json> pause(const Json& arguments);
  Result<Json> disconnect(const Json& arguments);
  // views.cpp
  Result<Json> threads(const Json& arguments);
  Result<Json> stack_trace(const Json& arguments);
  Result<Json> scopes(const Json& arguments);
  Result<Json> variables(const Json& arguments);
  Result<Json> evaluate(const Json& arguments);
  Result<Json> set_variable(const Json& arguments);
  Result<Json> disassemble(const Json& arguments);

  struct Reference {
    enum class Kind : uint8_t { locals, arguments, registers, lanes, parts, of_lanes, stalls } kind = Kind::locals;
    debug::Focus focus;
    std::string expression;
  };
  struct Function {
    std::string name, condition;
  };

  Result<Json> resume(debug::Step step, bool reverse, const Json& arguments);
  Result<Json> ask(debug::Request request);
  Result<debug::Focus> thread_focus(int64_t id) const;
  Result<debug::Focus> frame_focus(const Json& arguments) const;
  int64_t thread_id(uint64_t block, int warp);
  int64_t refer(Reference reference);
  Json variable(const std::string& name, const std::string& expression, const debug::Focus& focus);
  std::vector<debug::Breakpoint> all_breakpoints() const;
  void send_breakpoints();
  void report_breakpoints(const Json& statuses);
  Json answer_with(const std::vector<debug::Breakpoint>& list);
  void take_program_event(const Json& told);
  void take_output(int& fd, const char* category);
  void program_ended();

  ServerOptions options_;
  MessageReader reader_;
  debug_front::Client client_;
  Prepared program_;  // empty before the launch request
  int64_t sequence_ = 1;
  bool done_ = false, stopped_ = false, ended_ = false, stop_on_entry_ = false, told_not_kept_ = false;
  int out_ = -1, err_ = -1;  // pipes from the program
  std::map<std::string, std::vector<debug::Breakpoint>> in_files_;
  std::vector<debug::Breakpoint> in_functions_, on_data_;
  int next_breakpoint_ = 1;
  debug_front::ToldBreakpoints told_;
  std::map<int, Json> shown_;  // breakpoints as the editor knows them
  debug::Focus focus_;         // of the last stop
  Json stop_;                  // the last one, as the program tells it
  std::vector<Reference> references_;
  std::vector<std::pair<uint64_t, int>> threads_;  // block, warp; id = index + 1
  std::vector<debug::Focus> frames_;               // id = index + 1
};

}  // namespace hpml::sim::dap
