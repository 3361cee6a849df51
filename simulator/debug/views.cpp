// What an explorer shows, as JSON for a front to lay out.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/base/diag.hpp"
#include "simulator/debug/code_index.hpp"
#include "simulator/debug/explorer.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

const char* name(exec::Waits waits) {
  switch (waits) {
    case exec::Waits::no: return "ready";
    case exec::Waits::barrier: return "barrier";
    case exec::Waits::warp_sync: return "warp_sync";
    case exec::Waits::meeting: return "meeting";
  }
  return "?";
}

}  // namespace

Json Explorer::place_json(const exec::Activation& call) {
  const CodeMap& map = inspector_.map();
  const SourcePlace source = map.source(call.place);
  return {{"function", map.function_name(call.place.function)},
          {"file", source.file},
          {"line", source.line},
          {"ptx_line", map.inst(call.place).ptx_line},
          {"function_number", call.place.function},
          {"pc", call.place.pc}};
}

Json Explorer::stack() {
  Json out = Json::array();
  if (const auto& standing = inspector_.standing()) {
    for (const exec::Activation& call : standing->group.calls) {
      out.push_back(place_json(call));
    }
  }
  return out;
}

Json Explorer::own_caller() {
  const auto& standing = inspector_.standing();
  for (size_t frame = 0; standing && frame < standing->group.calls.size(); ++frame) {
    const SourcePlace source = inspector_.map().source(standing->group.calls[frame].place);
    if (source.line > 0 && is_own_source(source.file)) {
      return frame == 0 ? Json() : place_json(standing->group.calls[frame]);
    }
  }
  return {};
}

Json Explorer::variables() {
  Json out = Json::array();
  for (const debug_info::Variable* variable : inspector_.variables()) {
    const auto value = inspector_.show(variable->name);
    const Type& type = inspector_.types().resolved(variable->type);
    out.push_back({{"name", variable->name},
                   {"type", inspector_.types().name(variable->type)},
                   {"value", value.ok() ? *value : value.error().message},
                   {"ok", value.ok()},
                   {"parameter", variable->parameter},
                   {"parts", type.kind == TypeKind::structure || type.kind == TypeKind::array}});
  }
  return {{"variables", out}, {"text", inspector_.not_kept()}};
}

Json Explorer::registers(bool all) {
  Json out = Json::array();
  const exec::Activation* call = inspector_.call();
  if (call == nullptr) {
    return out;
  }
  const ir::Inst& inst = inspector_.map().inst(call->place);
  const auto used = [&](isa::Slot slot) {
    return std::ranges::find(inst.dst, slot) != inst.dst.end() || std::ranges::find(inst.src, slot) != inst.src.end() ||
           inst.addr == slot || inst.guard == slot;
  };
  for (const ir::RegisterName& known : inspector_.names().registers) {
    if (!known.written || (!all && !used(known.slot))) {
      continue;
    }
    const auto value = inspector_.register_value(known);
    if (value.ok()) {
      out.push_back({{"name", known.name},
                     {"value", to_text(inspector_.types(), *value, inspector_)},
                     {"hex", to_text(inspector_.types(), *value, inspector_, 'x')},
                     {"written", std::ranges::find(inst.dst, known.slot) != inst.dst.end()}});
    }
  }
  return out;
}

Result<Json> Explorer::evaluate_text(const Request& request) {
  Thread thread = inspector_.thread();
  thread.lane = request.lane.value_or(thread.lane);
  inspector_.look_at(thread);
  const char format = request.value.empty() ? '\0' : request.value[0];
  HPML_TRY(const Value value, evaluate(request.text, inspector_.types(), inspector_));
  HPML_TRY(const std::string text, inspector_.show(request.text, format));
  Json out = {{"value", text}, {"type", inspector_.types().name(value.type)}};
  const Type type = inspector_.types().resolved(value.type);
  for (const debug_info::Member& member :
       type.kind == TypeKind::structure ? type.members : std::vector<debug_info::Member>{}) {
    if (!member.name.empty()) {
      out["parts"].push_back(fmt::format("({}).{}", request.text, member.name));
      out["names"].push_back(member.name);
    }
  }
  constexpr uint64_t kMostParts = 1024;
  const uint64_t count = type.kind == TypeKind::array && !type.extents.empty() ? type.extents[0] : 0;
  for (uint64_t i = 0; i < std::min(count, kMostParts); ++i) {
    out["parts"].push_back(fmt::format("({})[{}]", request.text, i));
    out["names"].push_back(fmt::format("[{}]", i));
  }
  if (value.home == Home::memory) {
    out["address"] = value.address;
  }
  return out;
}

Json Explorer::lanes(const std::string& expression) {
  Json out = Json::array();
  const Thread thread = inspector_.thread();
  const auto next = stepper_->next();
  // Of a warp whose turn it is not: those with the thread in focus, unless they wait.
  const auto& own = inspector_.standing();
  const isa::LaneMask active = next && next->warp == thread.warp            ? next->lanes
                               : own && own->group.waits == exec::Waits::no ? own->group.lanes
                                                                            : isa::LaneMask{0};
  for (int lane = 0; lane < isa::kWarpSize; ++lane) {
    inspector_.look_at({thread.warp, lane, thread.frame});
    Json one = {{"lane", lane}, {"threadIdx", inspector_.thread_index(lane)}};
    if (!inspector_.standing()) {
      one["state"] = "exited";
    } else {
      const exec::LaneGroup& group = inspector_.standing()->group;
      const bool runs = (active >> lane & 1) != 0;
      one["state"] = runs ? "active" : name(group.waits);
      one["line"] = inspector_.map().source(group.calls.front().place).line;
      if (!expression.empty()) {
        const auto value = inspector_.show(expression);
        one["value"] = value.ok() ? *value : value.error().message;
        one["ok"] = value.ok();
      }
    }
    out.push_back(std::move(one));
  }
  inspector_.look_at(thread);
  return {{"text", expression}, {"lanes", out}};
}

Json Explorer::warps() {
  Json out = Json::array();
  const Thread thread = inspector_.thread();
  const auto block = inspector_.own_block();
  for (int warp = 0; block && warp < block->warps; ++warp) {
    const exec::WarpRef ref{block->handle, warp};
    Json groups = Json::array();
    for (const exec::LaneGroup& group : stepper_->groups(ref)) {
      Json one = {{"lanes", group.lanes}, {"waits", name(group.waits)}};
      one["place"] = place_json(group.calls.front());
      if (group.barrier >= 0) {
        one["barrier"] = group.barrier;
      }
      if (group.members != 0) {
        one["for"] = group.members;
      }
      groups.push_back(std::move(one));
    }
    out.push_back({{"warp", warp}, {"live", stepper_->live_lanes(ref)}, {"groups", groups}});
  }
  return {{"block", block ? Json(block->id) : Json()}, {"focus", thread.warp.warp}, {"warps", out}};
}

Json Explorer::blocks() {
  Json out = Json::array();
  for (const exec::BlockView& block : stepper_->blocks()) {
    int finished = 0;
    for (int warp = 0; warp < block.warps; ++warp) {
      finished += stepper_->live_lanes({block.handle, warp}) == 0 ? 1 : 0;
    }
    out.push_back({{"block", block.id}, {"blockIdx", block.ctaid}, {"warps", block.warps}, {"finished", finished}});
  }
  return out;
}

Json Explorer::code(int64_t lines) {
  Json out = Json::array();
  const exec::Activation* call = inspector_.call();
  if (call == nullptr) {
    return out;
  }
  const std::string& text = launch_.program->part(inspector_.names().part).text;
  const ir::Function& function = *call->function;
  const int here = inspector_.map().inst(call->place).ptx_line;
  const int64_t half = std::clamp<int64_t>(lines, 1, 100'000) / 2;
  for (int64_t line = std::max<int64_t>(here - half, 1); line <= here + half; ++line) {
    Json one = {{"ptx_line", line}, {"text", line_of(text, static_cast<int>(line))}, {"here", line == here}};
    const auto found = std::ranges::find_if(function.code, [&](const ir::Inst& inst) { return inst.ptx_line == line; });
    if (found != function.code.end()) {
      const auto pc = static_cast<ir::Pc>(found - function.code.begin());
      const SourcePlace source = inspector_.map().source({call->place.function, pc});
      one["file"] = source.file;
      one["line"] = source.line;
    }
    out.push_back(std::move(one));
  }
  return out;
}

Json Explorer::info() {
  const exec::Extent& g = launch_.grid;
  const exec::Extent& b = launch_.block;
  return {{"kernel", inspector_.map().function_name(launch_.code->kernels[0].function)},
          {"launch", launch_.number},
          {"grid", {g.x, g.y, g.z}},
          {"block", {b.x, b.y, b.z}},
          {"position", stepper_->position()},
          {"warp_instructions", stepper_->position()}};
}

Result<Json> Explorer::watch_place(const std::string& expression) {
  const ir::RegisterName* name = expression.starts_with("%") ? inspector_.register_named(expression) : nullptr;
  HPML_TRY(const Value value, evaluate(expression, inspector_.types(), inspector_));
  const auto& standing = inspector_.standing();
  const int depth = standing ? static_cast<int>(standing->group.calls.size()) - 1 - inspector_.thread().frame : 0;
  if (name != nullptr || value.home == Home::in_register) {
    const ir::RegisterName* found =
        name != nullptr ? name : inspector_.register_at(static_cast<isa::Slot>(value.address));
    if (found == nullptr) {
      return wrong("the register has no name");
    }
    return Json{{"register", found->name}, {"depth", depth}, {"focus", focus_json(inspector_.thread())}};
  }
  HPML_TRY(const WatchPlace place, inspector_.place_of(value));
  return Json{{"place", to_json(place)}, {"depth", depth}};
}

Result<Json> Explorer::set(const Request& request) {
  HPML_TRY(const Value target, evaluate(request.text, inspector_.types(), inspector_));
  HPML_TRY(const Value source, evaluate(request.value, inspector_.types(), inspector_));
  if (target.bit_size != 0) {
    return wrong("a bit field cannot be set");
  }
  HPML_TRY(const Number number, to_number(inspector_.types(), source, inspector_));
  Edit edit;
  edit.position = stepper_->position();
  HPML_TRY(edit.memory, inspector_.place_of(target));
  edit.frame = target.home == Home::in_register ? target.frame : 0;
  TypeId type = target.type;
  const Type& resolved = inspector_.types().resolved(type);
  if (target.home == Home::in_register && resolved.kind != TypeKind::floating && !target.predicate) {
    const bool is_signed = resolved.kind == TypeKind::signed_integer;
    type = inspector_.types().integer(static_cast<int>(edit.memory.bytes), is_signed);  // all of the register
  }
  HPML_TRY(const std::vector<std::byte> bytes, convert(inspector_.types(), type, number));
  for (const std::byte byte : bytes) {
    edit.bytes.push_back(static_cast<uint8_t>(byte));
  }
  edits_.resize(std::min(applied_, edits_.size()));
  edits_.push_back(edit);
  apply_edits();
  inspector_.look_at(inspector_.thread());
  HPML_TRY(const std::string text, inspector_.show(request.text));
  return Json{{"value", text}, {"edit", to_json(edit)}};
}

Result<Json> Explorer::memory(const Request& request) {
  HPML_TRY(const Value value, evaluate(request.text, inspector_.types(), inspector_));
  const Type& type = inspector_.types().resolved(value.type);
  uint64_t address = value.address;
  if (value.home != Home::memory || type.kind == TypeKind::pointer) {
    HPML_TRY(const Number number, to_number(inspector_.types(), value, inspector_));
    address = static_cast<uint64_t>(number.integer);
  }
  constexpr int64_t kMost = 65536;
  if (request.size < 1 || request.size > 8 || request.count < 1 || request.count > kMost) {
    return wrong("x shows 1 to 65536 units of 1, 2, 4 or 8 bytes");
  }
  const auto bytes = static_cast<uint64_t>(request.size) * static_cast<uint64_t>(request.count);
  HPML_TRY(const std::vector<std::byte> data, inspector_.read(Home::memory, address, bytes));
  return Json{{"address", address}, {"bytes", data}};
}

}  // namespace hpml::sim::debug
