// Searching a stretch of the history: run it, and remember the last state that matches.
#include <algorithm>
#include <bit>

#include "simulator/debug/explorer.hpp"
#include "simulator/debug/write_watch.hpp"

namespace hpml::sim::debug {

Json Explorer::scan(const Request& request) {
  checkpoints_ = false;
  keep_edits(request);
  apply_edits();
  const std::string& what = request.scan.what;
  paused_ = false;
  Json out = what == "stops" ? scan_stops(request) : what == "memory" ? scan_writes(request) : scan_thread(request);
  if (paused_) {
    out["paused"] = true;
  }
  return out;
}

// Breakpoints, and changes of what is watched: the state before the change.
Json Explorer::scan_stops(const Request& request) {
  prepare(request);
  Json out = {{"found", false}};
  while (stepper_->position() < request.scan.to) {
    const auto next = stepper_->next();
    if (!next) {
      break;
    }
    if (const auto hit = stops_.hit(*next, inspector_)) {
      out = stopped("breakpoint", {next->warp, hit->lane, 0},
                    {{"found", true}, {"breakpoint", hit->breakpoint->asked.id}});
    }
    if (stops_.watching() && writes_memory(*next->function, next->inst())) {
      Thread writer{next->warp, std::countr_zero(next->active != 0 ? next->active : next->lanes), 0};
      const auto addresses = write_addresses(*next);
      const ir::Inst& inst = next->inst();
      Json before = stopped("watchpoint", writer, {{"found", true}});
      exec::Effects effects;
      stepper_->step(effects);
      apply_edits();
      if (const auto change = stops_.changed(inspector_)) {
        before["focus"]["lane"] = writer_lane(inst, addresses, *change->breakpoint->asked.watch, writer.lane);
        before["breakpoint"] = change->breakpoint->asked.id;
        before["before"] = change->before;
        before["after"] = change->after;
        out = std::move(before);
      }
      continue;
    }
    if (!advance({.position = request.scan.to})) {
      break;
    }
  }
  return out;
}

// States in front of an instruction of the focused thread: all, those that start a line, those that write a register.
Json Explorer::scan_thread(const Request& request) {
  const Scan& wanted = request.scan;
  const Thread thread = inspector_.thread();
  const auto block = inspector_.own_block();
  const uint64_t block_id = request.focus.block.value_or(block ? block->id : 0);
  const exec::CodePlace entry = {launch_.code->kernels[0].function, 0};
  bool waits = false;  // for the block to start
  uint64_t count = 0;  // instructions of the warp
  stepper_->set_stops({});
  Json out = {{"found", false}};
  const auto stores = wanted.what == "argument" ? argument_stores(wanted.name) : std::set<std::pair<int, int>>{};
  SourcePlace last;
  int last_depth = -1;
  exec::Stepper::Until until{.position = wanted.to, .check_first = true};
  while (stepper_->position() < wanted.to) {
    // The block may start, and end, within the stretch.
    const auto view = inspector_.block(block_id);
    until.each = view ? std::optional(exec::WarpRef{view->handle, thread.warp.warp}) : std::nullopt;
    const auto next = stepper_->next();
    if (!next) {
      break;
    }
    count += until.each && next->warp == *until.each ? 1 : 0;
    const bool ours = until.each && next->warp == *until.each && (next->lanes >> thread.lane & 1) != 0;
    if (ours && (wanted.depth < 0 || next->depth <= wanted.depth)) {
      const SourcePlace line = inspector_.map().source(next->place);
      const ir::Pc pc = next->place.pc;
      const bool starts_run =
          pc == 0 || next->function->code[pc - 1].src_line != next->inst().src_line;  // as the code is laid out
      const bool new_line =
          next->inst().src_line > 0 &&
          (last_depth < 0 ? starts_run : line.line != last.line || line.file != last.file || next->depth != last_depth);
      const isa::Control control = next->inst().control;
      const bool barrier = control == isa::Control::bar_sync || control == isa::Control::bar_red ||
                           control == isa::Control::cluster_wait;
      bool match = wanted.what == "instructions" || (wanted.what == "barriers" && barrier) ||
                   (wanted.what == "lines" && new_line && next->inst().src_line > 0);
      if (wanted.what == "register") {
        const Thread here{next->warp, thread.lane, 0};
        inspector_.look_at(here);
        const ir::RegisterName* name = inspector_.register_named(wanted.name);
        const bool writes =
            name != nullptr && std::ranges::find(next->inst().dst, name->slot) != next->inst().dst.end();
        match = writes && next->depth == wanted.depth && (next->active >> thread.lane & 1) != 0;
      }
      if (wanted.what == "argument" && next->depth == wanted.depth && (next->active >> thread.lane & 1) != 0) {
        const int part = launch_.names->functions[static_cast<size_t>(next->place.function)].part;
        match = stores.contains({part, next->inst().ptx_line});
      }
      last = line;
      last_depth = next->depth;
      if (match) {
        out = {{"found", true}, {"position", stepper_->position()}};
      }
    }
    if (waits == until.each.has_value()) {
      waits = !waits;
      stepper_->set_stops(waits ? std::vector{entry} : std::vector<exec::CodePlace>{});
    }
    exec::Stepper::Until piece = until;
    piece.check_first = false;
    if (!advance(piece)) {
      break;
    }
  }
  out["count"] = count;
  return out;
}

// Instructions that store what a call passes or a return gives back, by part and line of the PTX.
std::set<std::pair<int, int>> Explorer::argument_stores(const std::string& name) const {
  std::set<std::pair<int, int>> out;
  std::set<int> parts;
  for (const ir::FunctionNames& function : launch_.names->functions) {
    parts.insert(function.part);
  }
  for (const int part : parts) {
    const std::string& text = launch_.program->part(part).text;
    int line = 1;
    for (size_t at = 0; at < text.size(); ++line) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view words(text.data() + at, end - at);
      const size_t open = words.find("st.param") != std::string_view::npos ? words.find('[') : std::string_view::npos;
      if (open != std::string_view::npos && words.substr(open + 1).starts_with(name) &&
          std::string_view("+]").find(words.substr(open + 1 + name.size(), 1)) != std::string_view::npos) {
        out.emplace(part, line);
      }
      at = end + 1;
    }
  }
  return out;
}

Json Explorer::scan_writes(const Request& request) {
  WriteWatch watch(request.scan.memory, [this](int handle) {
    for (const exec::BlockView& view : stepper_->blocks()) {
      if (view.handle == handle) {
        return view.id;
      }
    }
    return UINT64_MAX;
  });
  stepper_->set_stops(stops_.writers());
  stepper_->observe(&watch);
  Json out = {{"found", false}};
  while (stepper_->position() < request.scan.to) {
    const auto next = stepper_->next();
    if (!next) {
      break;
    }
    if (writes_memory(*next->function, next->inst())) {
      const uint64_t position = stepper_->position();
      watch.reset();
      exec::Effects effects;
      stepper_->step(effects);
      apply_edits();
      if (watch.lane() >= 0) {
        out = {{"found", true}, {"position", position}, {"focus", focus_json({next->warp, watch.lane(), 0})}};
      }
      continue;
    }
    if (!advance({.position = request.scan.to})) {
      break;
    }
  }
  stepper_->observe(nullptr);
  return out;
}

}  // namespace hpml::sim::debug
