#include "simulator/debug_front/terminal.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace hpml::sim::debug_front {

const std::vector<Terminal::Command>& Terminal::commands() {
  static const std::vector<Command> kCommands = {
      {"run", "r", &Terminal::do_run, "Running", "run", "start the program; it stops at the first breakpoint"},
      {"start", "", &Terminal::do_start, "Running", "start", "start the program and stop in front of its first kernel"},
      {"continue", "c", &Terminal::do_continue, "Running", "continue", "go on to the next stop"},
      {"step", "s", &Terminal::do_step, "Running", "step [warp|block] [N]",
       "to the thread's next source line, into functions; with warp or block, until each of its threads has made the "
       "step"},
      {"next", "n", &Terminal::do_next, "Running", "next [warp|block] [N]",
       "to the thread's next source line, over functions"},
      {"stepi", "si", &Terminal::do_stepi, "Running", "stepi [warp|block] [N]", "to the thread's next PTX instruction"},
      {"finish", "fin", &Terminal::do_finish, "Running", "finish", "until the function returns"},
      {"barrier", "", &Terminal::do_barrier, "Running", "barrier [warp|block]",
       "until the thread is behind its next barrier"},
      {"reverse-continue", "rc", &Terminal::do_reverse_continue, "Backwards", "reverse-continue",
       "back to the last stop"},
      {"reverse-step", "rs", &Terminal::do_reverse_step, "Backwards", "reverse-step [N]", "back to the line before"},
      {"reverse-next", "rn", &Terminal::do_reverse_next, "Backwards", "reverse-next [N]", "the same, over functions"},
      {"reverse-stepi", "rsi", &Terminal::do_reverse_stepi, "Backwards", "reverse-stepi [N]",
       "back to the PTX instruction before"},
      {"reverse-finish", "", &Terminal::do_reverse_finish, "Backwards", "reverse-finish",
       "back to the call of the function"},
      {"reverse-barrier", "", &Terminal::do_reverse_barrier, "Backwards", "reverse-barrier",
       "back to the barrier before"},
      {"goto", "", &Terminal::do_goto, "Backwards", "goto POSITION",
       "to a state by its number; 0 is the start of the launch"},
      {"break", "b", &Terminal::do_break, "Stops", "break [FILE:]LINE | FUNCTION | *PTXLINE [if CONDITION]",
       "stop there; conditions know threadIdx, blockIdx, $lane and variables"},
      {"tbreak", "tb", &Terminal::do_tbreak, "Stops", "tbreak ...", "the same, once"},
      {"watch", "", &Terminal::do_watch, "Stops", "watch EXPRESSION", "stop when memory changes: watch C[37]"},
      {"catch", "", &Terminal::do_catch, "Stops", "catch launch|end|none",
       "stop in front of every kernel, or behind its last instruction, or no longer"},
      {"condition", "cond", &Terminal::do_condition, "Stops", "condition N [CONDITION]",
       "change when breakpoint N stops"},
      {"delete", "d", &Terminal::do_delete, "Stops", "delete [N...]", "forget breakpoints; all without numbers"},
      {"info", "i", &Terminal::do_info, "Looking", "info breakpoints|locals|args|registers|source|launch|history",
       "what there is"},
      {"print", "p", &Terminal::do_print, "Looking", "print[/x|d|u|f|t|c] EXPRESSION",
       "in the thread: p tile[0][1], p *in@8, p %r1"},
      {"whatis", "ptype", &Terminal::do_whatis, "Looking", "whatis EXPRESSION", "its type"},
      {"set", "", &Terminal::do_set, "Looking", "set var NAME = EXPRESSION",
       "change a variable or memory; what came after is forgotten"},
      {"x", "", &Terminal::do_x, "Looking", "x[/NFU] ADDRESS", "memory: N units of U (b, h, w, g) as F (x, d, u, f)"},
      {"backtrace", "bt", &Terminal::do_backtrace, "Looking", "backtrace", "the calls of the thread"},
      {"where", "", &Terminal::do_backtrace, "Looking", "where", "the same"},
      {"frame", "f", &Terminal::do_frame, "Looking", "frame [N]", "look at call N; 0 is the innermost"},
      {"up", "", &Terminal::do_up, "Looking", "up", "look at the caller"},
      {"down", "", &Terminal::do_down, "Looking", "down", "look at the called"},
      {"list", "l", &Terminal::do_list, "Looking", "list [LINE]", "source around the place"},
      {"code", "disassemble", &Terminal::do_code, "Looking", "code [LINES]", "PTX around the place"},
      {"cuda", "focus", &Terminal::do_focus, "Threads", "cuda [block X[,Y[,Z]]] [thread X[,Y[,Z]]] [warp N] [lane N]",
       "look at another thread; alone: where the focus is"},
      {"lanes", "", &Terminal::do_lanes, "Threads", "lanes [EXPRESSION]",
       "a value in all 32 lanes, and which are active"},
      {"warps", "", &Terminal::do_warps, "Threads", "warps", "the warps of the block, and what they wait for"},
      {"blocks", "", &Terminal::do_blocks, "Threads", "blocks", "the blocks that are running"},
      {"shared", "", &Terminal::do_shared, "Memory", "shared VARIABLE", "a matrix in shared memory, with banks"},
      {"sectors", "", &Terminal::do_sectors, "Memory", "sectors", "what the warp's next access touches"},
      {"stalls", "", &Terminal::do_stalls, "Memory", "stalls",
       "why the warp waits here, and which lines wait most: from one run of the launch with time"},
      {"who", "", &Terminal::do_who, "Memory", "who[/N] EXPRESSION",
       "who wrote a value last, and from what: N writers deep"},
      {"origin", "", &Terminal::do_origin, "Memory", "origin LAUNCH ADDRESS BYTES",
       "start again, and go to the last writer of these bytes before the end of that launch"},
      {"kill", "", &Terminal::do_kill, "Running", "kill", "end the program"},
      {"help", "h", &Terminal::do_help, "Other", "help [COMMAND]", "this list"},
      {"quit", "q", &Terminal::do_quit, "Other", "quit", "end the program and the debugger"},
  };
  return kCommands;
}

namespace {

// In the console of an editor, whose own views show the rest and which has a thread in focus of its own.
bool only_looks(std::string_view name, std::string_view group) {
  constexpr std::string_view kOfOthers[] = {"cuda", "origin"}, kMore[] = {"x", "code", "whatis"};
  const bool of_group = group == "Threads" || group == "Memory";
  return of_group ? std::ranges::find(kOfOthers, name) == std::end(kOfOthers)
                  : std::ranges::find(kMore, name) != std::end(kMore);
}

volatile sig_atomic_t interrupted = 0;
void note_interrupt(int) { interrupted = 1; }

}  // namespace

Terminal::Terminal(const TerminalOptions& options, Client* client)
    : options_(options),
      style_{options.color},
      own_client_(client == nullptr ? std::make_unique<Client>() : nullptr),
      client_(client == nullptr ? *own_client_ : *client) {}

Terminal::Terminal(const TerminalOptions& options) : Terminal(options, nullptr) {
  struct sigaction action {};
  action.sa_handler = note_interrupt;  // without SA_RESTART: waiting ends
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

std::optional<std::string> Terminal::look(Client& client, const debug::Focus& thread, const Json& stop,
                                          const std::string& line) {
  Terminal terminal({}, &client);
  const std::string word = line.substr(0, line.find_first_of(" /"));
  std::string known;
  for (const Command& command : commands()) {
    if (!only_looks(command.name, command.group)) {
      continue;
    }
    known += fmt::format("  {:<34} {}\n", command.usage, command.help);
    if (word == command.name || (word == command.aliases && !word.empty())) {
      terminal.thread_ = thread;
      terminal.stop_ = stop;
      terminal.stopped_ = true;
      terminal.captured_.emplace();
      terminal.execute(line);
      std::string said = std::move(*terminal.captured_);
      said.erase(said.find_last_not_of('\n') + 1);
      return said;
    }
  }
  return word == "help" ? std::optional("Expressions, and:\n" + known) : std::nullopt;
}

void Terminal::out(const std::string& text) {
  if (captured_) {
    *captured_ += text + "\n";
    return;
  }
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void Terminal::complain(const std::string& text) {
  failed_ = true;
  out(style_.bad(text));
}

std::optional<std::string> Terminal::read_line() {
  if (!options_.commands.empty()) {
    std::string line = options_.commands.front();
    options_.commands.erase(options_.commands.begin());
    out(style_.strong("(gpusim) ") + line);
    return line;
  }
  if (options_.batch) {
    return std::nullopt;
  }
  if (options_.interactive && !editor_) {
    editor_.emplace();
  }
  if (editor_ && editor_->there()) {
    auto line = editor_->read("(gpusim) ");
    while (!line && interrupted != 0) {
      interrupted = 0;
      out("");
      line = editor_->read("(gpusim) ");
    }
    if (!line) {
      out("");
    }
    return line;
  }
  std::fputs(style_.strong("(gpusim) ").c_str(), stdout);
  std::fflush(stdout);
  std::string line;
  while (!std::getline(std::cin, line)) {
    if (interrupted == 0) {
      out("");
      return std::nullopt;
    }
    interrupted = 0;
    std::cin.clear();
    clearerr(stdin);
    std::fputs(("\n" + style_.strong("(gpusim) ")).c_str(), stdout);
    std::fflush(stdout);
  }
  if (!options_.interactive && options_.echo) {
    out(line);
  }
  return line;
}

// The command of that name or alias; else the first whose name begins so.
const Terminal::Command* Terminal::find(const std::string& word) {
  for (const Command& command : commands()) {
    if (word == command.name || word == command.aliases) {
      return &command;
    }
  }
  for (const Command& command : commands()) {
    if (std::string_view(command.name).starts_with(word)) {
      return &command;
    }
  }
  return nullptr;
}

void Terminal::execute(const std::string& typed) {
  std::string line = typed;
  line.erase(0, line.find_first_not_of(" \t"));
  line.erase(line.find_last_not_of(" \t\r") + 1);
  if (line.starts_with("#")) {
    return;
  }
  if (line.empty()) {  // as in gdb: again
    line = last_command_;
  }
  if (line.empty()) {
    return;
  }
  size_t end = 0;
  while (end < line.size() && (std::isalpha(static_cast<unsigned char>(line[end])) != 0 || line[end] == '-')) {
    ++end;
  }
  const std::string word = line.substr(0, end);
  std::string rest = line.substr(end);
  rest.erase(0, rest.find_first_not_of(" \t"));
  const Command* command = word.empty() ? nullptr : find(word);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const Command& known : commands()) {
      names.emplace_back(known.name);
    }
    const std::string near = did_you_mean(word, names);
    complain(fmt::format("there is no command '{}'{} `help` lists them", word.empty() ? line : word,
                         near.empty() ? ";" : near));
    return;
  }
  const std::string_view group = command->group;
  last_command_ = group == "Running" || group == "Backwards" || std::string_view(command->name) == "list" ? line : "";
  (this->*command->handler)(rest);
}

int Terminal::run() {
  while (!quit_) {
    const auto line = read_line();
    if (!line) {
      break;
    }
    execute(*line);
  }
  if (client_.started()) {
    client_.end(true);
  }
  return options_.batch && failed_ ? 1 : status_;
}

std::optional<Json> Terminal::ask(Request request) {
  if (thread_) {
    request.focus = *thread_;
  } else {
    request.focus.frame = frame_;
  }
  auto result = client_.call(std::move(request));
  if (!result.ok()) {
    complain(result.error().message);
    return std::nullopt;
  }
  return std::move(*result);
}

std::optional<Json> Terminal::ask(Op op, const std::string& text) {
  if (!need_kernel()) {
    return std::nullopt;
  }
  Request request;
  request.op = op;
  request.text = text;
  return ask(std::move(request));
}

bool Terminal::need_kernel() {
  if (!stopped_) {
    complain(client_.started() ? "the program has ended: `run` starts it again"
                               : "the program is not running: `run`, or `start` to stop in front of its first kernel");
  }
  return stopped_;
}

void Terminal::do_help(const std::string& rest) {
  if (!rest.empty()) {
    const Command* command = find(rest);
    if (command == nullptr) {
      return complain(fmt::format("there is no command '{}'", rest));
    }
    return out(fmt::format("{}\n  {}", command->usage, command->help));
  }
  for (const char* group : {"Running", "Backwards", "Stops", "Looking", "Threads", "Memory", "Other"}) {
    out(style_.strong(group));
    for (const Command& command : commands()) {
      if (std::string_view(command.group) == group) {
        const std::string alias = *command.aliases != '\0' ? fmt::format(" ({})", command.aliases) : "";
        out(fmt::format("  {:<34} {}", command.usage + alias, command.help));
      }
    }
  }
}

void Terminal::do_quit(const std::string& /*rest*/) { quit_ = true; }

// Waits for the program to stop; Ctrl-C asks it to.
void Terminal::wait_for_stop() {
  stopped_ = false;
  int asked = 0;
  while (true) {
    if (interrupted != 0) {
      interrupted = 0;
      if (++asked > 1) {
        out("the program does not stop: it may be waiting in its own code. `kill` ends it; gdb can look into it");
        client_.end(true);
        return program_ended();
      }
      Request pause;
      pause.op = Op::pause;
      client_.tell(pause);
    }
    const auto event = client_.event(asked > 0 ? 1000 : -1);
    if (!event) {
      if (!client_.alive()) {
        return program_ended();
      }
      continue;
    }
    const std::string kind = event->value("event", "");
    if (kind == "stopped") {
      return show_stop(*event);
    }
    if (kind == "launch") {
      launch_ = *event;
    } else if (kind == "breakpoints") {
      for (const std::string& line : told_.news((*event)["breakpoints"], breakpoints_)) {
        out(style_.warn(line));
      }
    } else if (kind == "verified" && !event->value("same", false)) {
      complain(fmt::format("launch {}: what the program did is not what was explored", event->value("number", 0)));
    } else if (kind == "message") {
      out(style_.warn(event->value("text", "")));
    }
  }
}

}  // namespace hpml::sim::debug_front
