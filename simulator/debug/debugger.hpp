#pragma once
// The debugger's side in the program that is debugged: stands still in front of a launch, lets the user explore it, and
// then executes it.
#include <memory>
#include <set>
#include <string>

#include "simulator/debug/channel.hpp"
#include "simulator/debug/code_index.hpp"
#include "simulator/debug/history.hpp"
#include "simulator/debug/launch.hpp"
#include "simulator/debug/timeline.hpp"

namespace hpml::sim::debug {

class CodeMap;
struct Located;

class Debugger {
 public:
  // `fd`: a socket to the front; it gets what the program says of itself.
  Debugger(int fd, History::Limits limits, ReadSymbols read_symbols);
  ~Debugger();

  // Modules of the program: what breakpoints can name.
  void loaded(const ir::Program& program);
  void unloaded(const ir::Program& program);
  // Returns when the launch is to be executed.
  void explore(Launch& launch);
  // The host has written memory of the GPU, by a copy or a fill.
  void host_wrote(HostWrite write) { timeline_.wrote(std::move(write)); }
  // Executes it, in the order that was explored, with the changes that the user made. `grid` has not been started.
  void execute(const Launch& launch, exec::Grid& grid);

 private:
  struct Session;
  void find_symbols(Launch& launch);
  bool stops_in(const Launch& launch);
  void take_requests();
  void run(const Launch& launch, exec::Grid& grid);
  bool handle(Session& session, const Request& request);
  bool report(Session& session, const Result<Json>& stop);
  bool resume(Session& session, const Request& request);
  Result<Json> run_back(Session& session, const Request& request);
  std::unique_ptr<History> look_into(const Launch& launch, std::unique_ptr<History> history, bool executed);
  void look_at_fault(const Launch& launch);
  bool stops_at_end_of(const Launch& launch) const;
  // breakpoints.cpp
  void set_breakpoints(const Request& request);
  void answer_breakpoints(const Request& request, const Launch& launch);
  void tell_breakpoints(const Launch& launch);
  Json statuses(const Launch& launch);
  Json status_of(const Located& located, const CodeMap& map) const;
  // stalls.cpp
  Result<Json> stalls(History& now, const Launch& launch, const Request& request);
  // writers.cpp: `levels` steps of the source, `searches` in all; `after`: the writer that has used the value
  struct Moment;
  Result<Json> who(History& now, int launch, const Request& asked, const Request& request);
  Result<Json> written_by(const Moment& moment, const Json& target, const Request& request, int levels, int& searches,
                          const Json* after);
  Result<Json> writer_at(const Moment& moment, const Json& found, const Request& request, int levels, int& searches,
                         const Json* after);
  Request with_state(const Session& session, Request request) const;

  Channel front_;
  int owner_;  // process: the program's own children are not debugged
  History::Limits limits_;
  ReadSymbols read_symbols_;
  std::map<const ptx::Module*, std::pair<size_t, std::shared_ptr<PartSymbols>>> symbols_;
  CodeIndex index_;
  std::vector<Breakpoint> breakpoints_;
  std::set<int> launched_;          // ids of those that had a place in the code of a launch
  bool changed_ = false;            // what the front knows of them
  std::vector<Edit> edits_;         // of the launch in hand
  std::optional<uint64_t> digest_;  // of its end
  Timeline timeline_;               // before the launch in hand
  int stop_at_end_ = 0;             // number of a launch; -1: of every one
  bool stop_at_launch_ = false, pause_ = false, verify_ = false;
  bool fault_seen_ = false;  // by the user, of the launch in hand
};

}  // namespace hpml::sim::debug
