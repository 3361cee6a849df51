// The access that the focused warp makes next, with its sectors and banks; and the last writer of a place.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "common/base/diag.hpp"
#include "simulator/debug/explorer.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

constexpr uint64_t kFar = 1'000'000;  // warp instructions in which the next access is looked for
constexpr uint64_t kSector = 32, kLine = 128, kBanks = 32, kBankBytes = 4, kRow = kBanks * kBankBytes;

// Local memory as Effects has it: the element of one lane beside that of the next. Here it is an offset in the memory
// of the thread.
uint64_t of_thread(uint64_t address, int lane, uint64_t bytes) {
  return (address - static_cast<uint64_t>(lane) * bytes) / isa::kWarpSize;
}

}  // namespace

// Moves to the warp's next access of global or shared memory, and makes it: only a copy may do that. Nothing: it makes
// none any more.
std::optional<exec::Effects> Explorer::make_access(bool only_shared, Json& place) {
  checkpoints_ = false;
  const exec::WarpRef warp = inspector_.thread().warp;
  const uint64_t end = stepper_->position() + kFar;
  stepper_->set_stops({});
  exec::Stepper::Until until{.position = end, .each = warp, .check_first = true};
  while (stepper_->position() < end) {
    const auto next = stepper_->next();
    if (!next) {
      break;
    }
    if (next->warp == warp && next->inst().shape == isa::Shape::mem && next->active != 0) {
      place = place_json(exec::Activation{next->place, next->function, nullptr, 0});
      place["instruction"] = std::string(
          line_of(launch_.program->part(launch_.names->functions[static_cast<size_t>(next->place.function)].part).text,
                  next->inst().ptx_line));
      place["position"] = stepper_->position();
      exec::Effects effects;
      stepper_->step(effects);
      const isa::Space space = effects.access.space;
      if (effects.has_access && (space == isa::Space::shared || (space == isa::Space::global && !only_shared))) {
        return effects;
      }
      continue;
    }
    until.check_first = false;
    if (!advance(until)) {
      break;
    }
  }
  return std::nullopt;
}

Result<Json> Explorer::access() {
  Json place;
  const auto made = make_access(false, place);
  if (!made) {
    return wrong("the warp makes no further access to global or shared memory soon");
  }
  const exec::Access& access = made->access;
  Json out = {{"space", isa::name(access.space)}, {"place", place},
              {"active", access.active},          {"bytes", access.bytes},
              {"store", access.is_store},         {"load", access.is_load},
              {"atomic", access.is_atomic},       {"sectors", access.sector_count},
              {"passes", access.wavefronts},      {"least_passes", access.ideal_wavefronts}};
  std::map<uint64_t, isa::LaneMask> units;  // sectors, or words in shared memory: the lanes that touch them
  const uint64_t unit = access.space == isa::Space::shared ? kBankBytes : kSector;
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    for (uint64_t at = access.address[lane] / unit; at <= (access.address[lane] + access.bytes - 1) / unit; ++at) {
      units[at] |= 1u << lane;
    }
    out["addresses"].push_back({{"lane", lane}, {"address", access.address[lane]}});
  }
  for (const auto& [at, lanes] : units) {
    Json one = {{"address", at * unit}, {"lanes", lanes}};
    if (unit == kSector) {
      one["line"] = at * unit / kLine;
    } else {
      one["bank"] = at % kBanks;
    }
    out["units"].push_back(std::move(one));
  }
  return out;
}

// A variable in shared memory as rows of numbers, and the lanes that touch each at the warp's next access.
Result<Json> Explorer::shared(const std::string& expression) {
  HPML_TRY(const Value value, evaluate(expression, inspector_.types(), inspector_));
  HPML_TRY(const WatchPlace place, inspector_.place_of(value));
  if (place.space != "shared") {
    return wrong(fmt::format("'{}' lies in {} memory, not in shared memory", expression, place.space));
  }
  const Type type = inspector_.types().resolved(value.type);
  const std::vector<uint64_t> extents = type.kind == TypeKind::array ? type.extents : std::vector<uint64_t>{1};
  const TypeId element = type.kind == TypeKind::array ? type.target : value.type;
  const uint64_t bytes = std::max<uint64_t>(inspector_.types().bytes(element), 1);
  uint64_t count = 1;
  for (const uint64_t extent : extents) {
    count *= extent;
  }
  constexpr uint64_t kMost = 16384;
  if (count == 0 || count > kMost) {
    return wrong(fmt::format("'{}' has {} elements; up to {} can be shown", expression, count, kMost));
  }
  const uint64_t columns = extents.back();
  Json values = Json::array();
  for (uint64_t i = 0; i < count; ++i) {
    Value one = value;
    one.type = element;
    one.address += i * bytes;
    values.push_back(to_text(inspector_.types(), one, inspector_));
  }
  Json out = {{"text", expression},     {"rows", count / columns}, {"columns", columns},
              {"element_bytes", bytes}, {"first", place.address},  {"values", values}};
  Json where;
  if (const auto made = make_access(true, where)) {
    const exec::Access& access = made->access;
    out["place"] = where;
    out["passes"] = access.wavefronts;
    out["least_passes"] = access.ideal_wavefronts;
    for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      const uint64_t at = access.address[lane];
      if (at >= place.address && at < place.address + count * bytes) {
        out["touched"].push_back({{"lane", lane}, {"element", (at - place.address) / bytes}});
      }
    }
  }
  return out;
}

// The instruction that executes next as the writer of something: its text, and its operands with their values.
Json Explorer::writer() {
  Json out;
  const exec::Activation* call = inspector_.call();
  if (call == nullptr) {
    return {{"text", "the thread has exited"}};
  }
  const ir::Inst& inst = inspector_.map().inst(call->place);
  out = place_json(*call);
  out["called_at"] = own_caller();
  out["focus"] = focus_json(inspector_.thread());
  out["position"] = stepper_->position();
  out["instruction"] = std::string(line_of(launch_.program->part(inspector_.names().part).text, inst.ptx_line));
  std::vector<isa::Slot> slots(inst.src.begin(), inst.src.end());
  slots.push_back(inst.addr);
  Json operands = Json::array();
  for (const isa::Slot slot : slots) {
    const ir::RegisterName* name = slot != isa::kNoSlot ? inspector_.register_at(slot) : nullptr;
    const auto same = [&](const Json& known) { return name != nullptr && known["name"] == name->name; };
    if (name == nullptr || std::ranges::any_of(operands, same)) {
      continue;
    }
    const auto value = inspector_.register_value(*name);
    operands.push_back({{"name", name->name},
                        {"value", value.ok() ? to_text(inspector_.types(), *value, inspector_) : value.error().message},
                        {"address", slot == inst.addr}});
  }
  const auto& standing = inspector_.standing();
  out["depth"] = static_cast<int>(standing->group.calls.size()) - 1 - inspector_.thread().frame;
  out["operands"] = operands;
  if (standing->group.lanes >> inspector_.thread().lane & 1 && inst.shape == isa::Shape::mem) {
    note_read(inst, out["operands"]);
  }
  return out;
}

// Of an instruction that reads what a call has passed or given back: which store to look for, and in which frame. Null:
// it is another one.
Json Explorer::argument_read(const ir::Inst& inst, int depth) {
  const std::string_view text = line_of(launch_.program->part(inspector_.names().part).text, inst.ptx_line);
  const size_t open = text.find("ld.param") != std::string_view::npos ? text.find('[') : std::string_view::npos;
  if (open == std::string_view::npos) {
    return {};
  }
  const std::string name(text.substr(open + 1, text.find_first_of("+]", open) - open - 1));
  if (name.starts_with("retval")) {
    return {{"name", "what the function returned"},
            {"value", ""},
            {"address", false},
            {"argument", "func_" + name},
            {"depth", depth + 1}};
  }
  const size_t number = name.rfind("_param_");
  if (depth == 0 || number == std::string::npos) {
    return {{"name", "parameter " + name}, {"value", ""}, {"address", false}, {"parameter", true}};
  }
  return {{"name", "what the caller passed"},
          {"value", ""},
          {"address", false},
          {"argument", "param" + name.substr(number + 7)},
          {"depth", depth - 1}};
}

// The bytes that the thread's next instruction reads from memory, as an operand. Executes it: only a copy may ask.
void Explorer::note_read(const ir::Inst& inst, Json& operands) {
  const bool loads = inst.mem == isa::Mem::ld, updates = inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red;
  const Thread thread = inspector_.thread();
  const auto next = stepper_->next();
  const auto block = inspector_.own_block();
  if ((!loads && !updates) || !next || next->warp != thread.warp || !block || (next->active >> thread.lane & 1) == 0) {
    return;
  }
  const Json argument = loads ? argument_read(inst, next->depth) : Json();
  if (!argument.is_null()) {
    operands.push_back(argument);
    return;
  }
  exec::Effects effects;
  stepper_->step(effects);
  const exec::Access& access = effects.access;
  const bool known =
      access.space == isa::Space::global || access.space == isa::Space::shared || access.space == isa::Space::local;
  if (!effects.has_access || !known || (access.remote >> thread.lane & 1) != 0) {
    return;
  }
  const uint64_t address = access.address[static_cast<size_t>(thread.lane)];
  const bool local = access.space == isa::Space::local;
  const WatchPlace place = {.space = std::string(isa::name(access.space)),
                            .block = block->id,
                            .warp = thread.warp.warp,
                            .lane = thread.lane,
                            .address = local ? of_thread(address, thread.lane, access.bytes) : address,
                            .bytes = access.bytes};
  inspector_.look_at(thread);
  Json operand = {{"name", inspector_.name_of(place)}, {"value", ""}, {"address", false}, {"place", to_json(place)}};
  const auto bytes = loads ? inspector_.bytes_at(place) : Result<std::span<std::byte>>(wrong("it is changed by now"));
  if (bytes.ok() && inst.mods.vec <= 1) {
    Value value;
    value.type = isa::is_float(inst.type) ? inspector_.types().floating(inst.elem_bytes)
                                          : inspector_.types().integer(inst.elem_bytes, isa::is_signed(inst.type));
    value.bytes.assign(bytes->begin(), bytes->end());
    operand["value"] = to_text(inspector_.types(), value, inspector_);
  }
  operands.push_back(std::move(operand));
}

}  // namespace hpml::sim::debug
