// Why a warp waits: the launch is executed once more, with the model of time, in a process of its own. What the warp
// executes there as its n-th instruction is what it executes here as its n-th, unless its way depends on the order of
// warps.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "simulator/debug/debugger.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

using Reasons = std::map<std::string_view, uint64_t>;

constexpr const char* kBusy = "not_selected_or_throttle";  // it could go on, but for the scheduler, a pipe or a queue
constexpr size_t kMostLines = 8, kMostInFlight = 16;

struct Line {
  SourcePlace place;
  uint64_t cycles = 0, issues = 0;
  Reasons reasons;
};

// Waits of one instruction, one after the other.
Reasons split(const TimedIssue& issue, uint64_t since) {
  Reasons out;
  for (const TimedIssue::Wait& wait : {issue.held, issue.operands}) {
    const uint64_t until = std::min(wait.until, issue.at);
    if (until > since) {
      out[wait.reason] += until - since;
      since = until;
    }
  }
  if (issue.at > since) {
    out[kBusy] += issue.at - since;
  }
  return out;
}

Json to_json(const Reasons& reasons) {
  std::vector<std::pair<uint64_t, std::string_view>> sorted;
  for (const auto& [reason, cycles] : reasons) {
    sorted.emplace_back(cycles, reason);
  }
  std::ranges::sort(sorted, std::greater());
  Json out = Json::array();
  for (const auto& [cycles, reason] : sorted) {
    out.push_back({{"reason", reason}, {"cycles", cycles}});
  }
  return out;
}

// Listens to a run with time.
class Stalls {
 public:
  Stalls(const Launch& launch, uint64_t block, int warp, uint64_t nth, exec::CodePlace here)
      : launch_(launch), map_(launch), block_(block), warp_(warp), nth_(nth), here_(here) {
    for (size_t i = 0; i < launch.code->functions.size(); ++i) {
      const auto& code = launch.code->functions[i].code;
      functions_[code.data() + code.size()] = static_cast<int>(i);  // by its end
    }
  }

  void issued(const TimedIssue& issue) {
    const bool own = issue.block == block_ && issue.warp == warp_;
    if (issue.free) {
      if (own) {
        note_own(issue, {}, issue.at);
      }
      return;
    }
    const auto [last, first] = last_.try_emplace({issue.block, issue.warp}, issue.at);
    const uint64_t since = first ? issue.at : last->second + 1;
    last->second = issue.at;
    const Reasons reasons = split(issue, std::min(since, issue.at));
    note_line(*issue.inst, issue.at - std::min(since, issue.at), reasons);
    if (own) {
      note_own(issue, reasons, since);
    }
  }

  Json result(const TimedRun& run) {
    Json out = {{"cycles", run.cycles}, {"sampled", run.sampled}, {"nth", nth_ + 1}, {"own", own_}};
    std::vector<const Line*> lines;
    uint64_t all = 0;
    for (const auto& [key, line] : lines_) {
      lines.push_back(&line);
      all += line.cycles;
    }
    std::ranges::stable_sort(lines, std::greater(), &Line::cycles);
    const SourcePlace here = map_.source(here_);
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool current = lines[i]->place.line == here.line && lines[i]->place.file == here.file;
      if (i < kMostLines || current) {
        out["lines"].push_back(
            {{"file", lines[i]->place.file},
             {"line", lines[i]->place.line},
             {"cycles", lines[i]->cycles},
             {"share", all > 0 ? static_cast<double>(lines[i]->cycles) / static_cast<double>(all) : 0},
             {"issues", lines[i]->issues},
             {"here", current},
             {"reasons", to_json(lines[i]->reasons)}});
      }
    }
    return out;
  }

 private:
  exec::CodePlace place_of(const ir::Inst* inst) const {
    const int function = functions_.upper_bound(inst)->second;
    return {function, static_cast<ir::Pc>(inst - launch_.code->functions[static_cast<size_t>(function)].code.data())};
  }

  Json describe(const exec::CodePlace& place) const {
    const SourcePlace source = map_.source(place);
    const ir::Inst& inst = map_.inst(place);
    const int part = launch_.names->functions[static_cast<size_t>(place.function)].part;
    return {{"file", source.file},
            {"line", source.line},
            {"instruction", std::string(line_of(launch_.program->part(part).text, inst.ptx_line))}};
  }

  Line& line_of_source(const ir::Inst& inst) {
    Line*& known = line_of_[&inst];
    if (known == nullptr) {
      const SourcePlace source = map_.source(place_of(&inst));
      known = &lines_[{source.file, source.line}];
      known->place = source;
    }
    return *known;
  }

  void note_line(const ir::Inst& inst, uint64_t waited, const Reasons& reasons) {
    Line& line = line_of_source(inst);
    line.cycles += waited;
    ++line.issues;
    for (const auto& [reason, cycles] : reasons) {
      line.reasons[reason] += cycles;
    }
  }

  // Of the warp that is looked at.
  void note_own(const TimedIssue& issue, const Reasons& reasons, uint64_t since) {
    if (count_++ == nth_) {
      const exec::CodePlace place = place_of(issue.inst);
      own_ = describe(place);
      own_["same"] = place == here_;
      own_["free"] = issue.free;
      own_["at"] = issue.at;
      own_["since"] = since;
      own_["waits"] = to_json(reasons);
      note_producer(issue);
      for (const ir::Inst* load : issue.in_flight.first(std::min(issue.in_flight.size(), kMostInFlight))) {
        own_["in_flight"].push_back(describe(place_of(load)));
      }
    }
    const auto source = issue.free ? newest_load(*issue.inst) : std::pair(issue.at, issue.inst);
    ir::each_register_written(*issue.inst, [&](ir::RegId reg) {
      if (reg != ir::kNoReg) {
        writers_[reg] = source;
      }
    });
  }

  // The load that brought an operand, issued last of several. Null: none did.
  std::pair<uint64_t, const ir::Inst*> newest_load(const ir::Inst& inst) const {
    std::pair<uint64_t, const ir::Inst*> newest = {0, nullptr};
    ir::each_register_read(inst, [&](ir::RegId reg) {
      const auto found = reg != ir::kNoReg ? writers_.find(reg) : writers_.end();
      const bool load =
          found != writers_.end() && found->second.second != nullptr && found->second.second->shape == isa::Shape::mem;
      newest = load ? std::max(newest, found->second) : newest;
    });
    return newest;
  }

  void note_producer(const TimedIssue& issue) {
    const auto newest = newest_load(*issue.inst);
    if (newest.second != nullptr) {
      own_["waits_for"] = describe(place_of(newest.second));
      own_["waits_for"]["at"] = newest.first;
    }
  }

  const Launch& launch_;
  CodeMap map_;
  uint64_t block_;
  int warp_;
  uint64_t nth_, count_ = 0;
  exec::CodePlace here_;
  std::map<const ir::Inst*, int> functions_;
  std::map<std::pair<uint64_t, int>, uint64_t> last_;  // issue of each warp
  std::map<std::pair<std::string, int>, Line> lines_;
  std::unordered_map<const ir::Inst*, Line*> line_of_;  // asked for only
  std::map<ir::RegId, std::pair<uint64_t, const ir::Inst*>> writers_;
  Json own_;
};

}  // namespace

Result<Json> Debugger::stalls(History& now, const Launch& launch, const Request& request) {
  Request where = request;
  where.op = Op::stack;
  HPML_TRY(const Json stack, now.ask(where));
  where.op = Op::focus;
  HPML_TRY(const Json focus, now.ask(where));
  if (stack.empty()) {
    return wrong("the thread has finished: it waits for nothing");
  }
  const Focus thread = parse_focus(focus["focus"]);
  where.focus = thread;
  HPML_TRY(const uint64_t nth, now.count_before(now.position(), where));
  const exec::CodePlace here = {stack[0].value("function_number", 0), stack[0].value("pc", ir::Pc{0})};
  HPML_TRY(Channel channel, fork_off(launch, [&](Channel ours) {
             front_.close();
             Stalls stalls(launch, thread.block.value_or(0), thread.warp.value_or(0), nth, here);
             const auto run = launch.run_timed([&](const TimedIssue& issue) { stalls.issued(issue); });
             ours.send(run.ok() ? answer(0, stalls.result(*run)) : refusal(0, run.error().message));
           }));
  channel.send(Json::object());  // it may begin
  const auto line = channel.receive();
  const Json reply = line ? Json::parse(*line, nullptr, false) : Json();
  if (!reply.is_object() || !reply.value("ok", false)) {
    return wrong(reply.is_object() ? reply.value("error", "the run with time failed") : "the run with time failed");
  }
  Json out = reply["result"];
  out["changed"] = !now.edits().empty();
  return out;
}

}  // namespace hpml::sim::debug
