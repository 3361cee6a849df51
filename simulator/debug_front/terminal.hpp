#pragma once
// The debugger in a terminal: gdb's commands, and those that 32 lanes need.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/debug_front/client.hpp"
#include "simulator/debug_front/line_editor.hpp"
#include "simulator/debug_front/source.hpp"
#include "simulator/debug_front/style.hpp"
#include "simulator/debug_front/told_breakpoints.hpp"

namespace hpml::sim::debug_front {

struct TerminalOptions {
  Start start;
  LookUp look_up;
  std::vector<std::string> commands;  // before the user's
  bool batch = false;                 // end after them
  bool interactive = false;           // stdin is a terminal
  bool echo = false;                  // show commands that nobody types
  bool color = false;
  bool verify = false;  // compare what was explored with what the program then does
};

class Terminal {
 public:
  explicit Terminal(const TerminalOptions& options);
  // For the console of an editor: what a command says that only looks at the stopped program, of the thread given.
  // Nothing: the line is no such command.
  static std::optional<std::string> look(Client& client, const debug::Focus& thread, const Json& stop,
                                         const std::string& line);
  // Until the user quits or input ends; returns the exit status for the shell.
  int run();

 private:
  Terminal(const TerminalOptions& options, Client* client);
  using Handler = void (Terminal::*)(const std::string& rest);
  struct Command {
    const char* name;
    const char* aliases;
    Handler handler;
    const char* group;
    const char* usage;
    const char* help;
  };
  static const std::vector<Command>& commands();
  const Command* find(const std::string& word);
  void execute(const std::string& line);
  std::optional<std::string> read_line();
  void out(const std::string& text);
  void complain(const std::string& text);

  // run_commands.cpp
  void do_run(const std::string& rest);
  void do_start(const std::string& rest);
  void do_continue(const std::string& rest);
  void do_step(const std::string& rest);
  void do_next(const std::string& rest);
  void do_stepi(const std::string& rest);
  void do_finish(const std::string& rest);
  void do_barrier(const std::string& rest);
  void do_reverse_continue(const std::string& rest);
  void do_reverse_step(const std::string& rest);
  void do_reverse_next(const std::string& rest);
  void do_reverse_stepi(const std::string& rest);
  void do_reverse_finish(const std::string& rest);
  void do_reverse_barrier(const std::string& rest);
  void do_goto(const std::string& rest);
  void do_kill(const std::string& rest);
  void do_quit(const std::string& rest);
  void do_help(const std::string& rest);
  void resume(debug::Step step, bool reverse, const std::string& rest);
  void start_program(bool stop_at_launch);
  void wait_for_stop();
  void show_stop(const Json& event);
  void program_ended();

  // break_commands.cpp
  void do_break(const std::string& rest);
  void do_tbreak(const std::string& rest);
  void do_watch(const std::string& rest);
  void do_catch(const std::string& rest);
  void do_condition(const std::string& rest);
  void do_delete(const std::string& rest);
  void do_info(const std::string& rest);
  void add_breakpoint(const std::string& rest, bool temporary);
  void list_breakpoints();
  Json before_run() const;
  std::optional<Json> send_breakpoints();
  void show_added(const debug::Breakpoint& breakpoint, const Json& status);
  std::string describe(const debug::Breakpoint& breakpoint) const;

  // look_commands.cpp
  void do_print(const std::string& rest);
  void do_whatis(const std::string& rest);
  void do_set(const std::string& rest);
  void do_x(const std::string& rest);
  void do_backtrace(const std::string& rest);
  void do_frame(const std::string& rest);
  void do_up(const std::string& rest);
  void do_down(const std::string& rest);
  void do_list(const std::string& rest);
  void do_focus(const std::string& rest);
  void do_code(const std::string& rest);
  void show_variables(bool parameters);
  void show_registers(bool all);
  void show_place(const Json& place);
  void set_frame(int frame);
  // lane_commands.cpp
  void do_lanes(const std::string& rest);
  void do_warps(const std::string& rest);
  void do_blocks(const std::string& rest);
  void do_shared(const std::string& rest);
  void do_sectors(const std::string& rest);
  void do_stalls(const std::string& rest);
  void do_who(const std::string& rest);
  void do_origin(const std::string& rest);
  std::optional<Json> last_writer_at_end(int launch, const debug::WatchPlace& place);
  void show_host_writer(const Json& writer, const std::string& indent, const std::string& of);
  void show_writer(const Json& writer, const std::string& indent, const std::string& of);

  std::optional<Json> ask(Op op, const std::string& text = "");
  std::optional<Json> ask(Request request);
  bool need_kernel();

  TerminalOptions options_;
  Style style_;
  std::optional<LineEditor> editor_;  // of an interactive session
  Sources sources_;
  std::unique_ptr<Client> own_client_;
  Client& client_;
  std::optional<debug::Focus> thread_;   // that is looked at; nothing: the one in focus
  std::optional<std::string> captured_;  // what is said, for look()
  std::vector<debug::Breakpoint> breakpoints_;
  ToldBreakpoints told_;
  std::map<int, std::string> watch_texts_, watch_types_;
  int next_breakpoint_ = 1, next_value_ = 1;
  bool stopped_ = false, quit_ = false, catch_launches_ = false, failed_ = false, told_not_kept_ = false;
  int catch_end_ = 0;  // number of a launch; -1: of every one
  int frame_ = 0, listed_line_ = 0;
  std::string listed_file_;
  Json stop_;    // the last one
  Json launch_;  // where it is
  int shown_launch_ = 0;
  std::string last_command_;
  int status_ = 0;
};

}  // namespace hpml::sim::debug_front
