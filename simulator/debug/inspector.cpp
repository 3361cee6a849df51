#include "simulator/debug/inspector.hpp"
#include "simulator/debug/wrong.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "common/base/demangle.hpp"

namespace hpml::sim::debug {
void Inspector::look_at(const Thread& thread) {
  thread_ = thread;
  standing_.reset();
  for (exec::LaneGroup& group : stepper_.groups(thread.warp)) {
    if ((group.lanes >> thread.lane & 1) != 0) {
      standing_.emplace(Standing{std::move(group), nullptr});
      const auto& calls = standing_->group.calls;
      const auto frame = static_cast<size_t>(std::clamp(thread.frame, 0, static_cast<int>(calls.size()) - 1));
      thread_.frame = static_cast<int>(frame);
      standing_->call = &calls[frame];
      return;
    }
  }
}

Types& Inspector::types() { return launch_.symbols_of(call() != nullptr ? call()->place.function : 0).types; }

const ir::FunctionNames& Inspector::names() const {
  return launch_.names->functions[static_cast<size_t>(call() != nullptr ? call()->place.function : 0)];
}

// --- names ---------------------------------------------------------------------------------------------------------

const ir::RegisterName* Inspector::register_named(const std::string& name) const {
  const ir::RegisterName* out = nullptr;
  const int here = call() != nullptr ? map_.inst(call()->place).ptx_line : 0;
  for (const ir::RegisterName& known : names().registers) {
    if (known.name == name && (out == nullptr || known.ptx_line <= here)) {
      out = &known;
    }
  }
  return out;
}

const ir::RegisterName* Inspector::register_at(isa::Slot slot) const {
  const auto found = std::ranges::find_if(names().registers, [&](const auto& known) { return known.slot == slot; });
  return found != names().registers.end() ? &*found : nullptr;
}

Result<Value> Inspector::register_value(const ir::RegisterName& name) {
  if (call() == nullptr) {
    return wrong("the thread has exited");
  }
  if (!name.written) {
    return wrong("<optimized out>");
  }
  Value out;
  out.home = Home::in_register;
  out.address = name.slot;
  out.frame = thread_.frame;
  out.predicate = name.predicate;
  const std::byte* slot = call()->registers + name.slot;
  if (name.predicate) {
    isa::LaneMask mask = 0;
    std::memcpy(&mask, slot, sizeof mask);
    out.type = types().boolean();
    out.bytes = {static_cast<std::byte>(mask >> thread_.lane & 1)};
    return out;
  }
  const bool real = name.name.starts_with("%f") && name.bytes >= 4;
  out.type = real ? types().floating(name.bytes) : types().integer(name.bytes, name.bytes < 8);
  slot += static_cast<size_t>(thread_.lane) * name.bytes;
  out.bytes.assign(slot, slot + name.bytes);
  return out;
}

std::array<uint32_t, 3> Inspector::thread_index(int lane) const {
  const uint32_t n = static_cast<uint32_t>(thread_.warp.warp) * 32 + static_cast<uint32_t>(lane);
  return {n % launch_.block.x, n / launch_.block.x % launch_.block.y, n / launch_.block.x / launch_.block.y};
}

Result<Value> Inspector::builtin(const std::string& name) {
  const auto triple = [&](const std::array<uint32_t, 3>& xyz) {
    Value out;
    out.type = types().dimensions();
    out.bytes.resize(sizeof xyz);
    std::memcpy(out.bytes.data(), xyz.data(), sizeof xyz);
    return out;
  };
  const auto plain = [&](uint64_t value, int bytes) {
    return from_number(types(), {.bytes = bytes, .integer = static_cast<int64_t>(value)});
  };
  if (name == "threadIdx") {
    return triple(thread_index(thread_.lane));
  }
  if (name == "blockIdx") {
    const auto block = own_block();
    return block ? Result<Value>(triple(block->ctaid)) : wrong("the block has finished");
  }
  if (name == "blockDim") {
    return triple({launch_.block.x, launch_.block.y, launch_.block.z});
  }
  if (name == "gridDim") {
    return triple({launch_.grid.x, launch_.grid.y, launch_.grid.z});
  }
  if (name == "warpSize") {
    return plain(32, 4);
  }
  if (name == "$lane") {
    return plain(static_cast<uint64_t>(thread_.lane), 4);
  }
  if (name == "$warp") {
    return plain(static_cast<uint64_t>(thread_.warp.warp), 4);
  }
  if (name == "$position") {
    return plain(stepper_.position(), 8);
  }
  return wrong(fmt::format("there is no '{}'; known are $lane, $warp, $position", name));
}

// --- variables -----------------------------------------------------------------------------------------------------

const debug_info::Function* Inspector::function_symbols() {
  if (call() == nullptr) {
    return nullptr;
  }
  const std::string& name = call()->function->name;
  for (const debug_info::Function& function : launch_.symbols_of(call()->place.function).symbols.functions) {
    if (function.linkage_name == name) {
      return &function;
    }
  }
  return nullptr;
}

std::vector<const debug_info::Variable*> Inspector::variables() {
  std::vector<const debug_info::Variable*> out;
  const debug_info::Function* function = function_symbols();
  if (function == nullptr) {
    return out;
  }
  const int here = map_.inst(call()->place).ptx_line;
  const std::function<void(const debug_info::Scope&)> collect = [&](const debug_info::Scope& scope) {
    for (const debug_info::Scope& inner : scope.scopes) {
      if (inner.first_line <= here && here < inner.end_line) {
        collect(inner);
      }
    }
    for (const debug_info::Variable& variable : scope.variables) {
      const auto same = [&](const debug_info::Variable* known) { return known->name == variable.name; };
      if (!variable.name.empty() && std::ranges::none_of(out, same)) {
        out.push_back(&variable);
      }
    }
  };
  collect(function->scope);
  return out;
}

Result<Value> Inspector::find(const std::string& name) {
  if (name.starts_with("%")) {
    const ir::RegisterName* known = register_named(name);
    return known != nullptr ? register_value(*known) : wrong(fmt::format("no register {} in this function", name));
  }
  for (const debug_info::Variable* variable : variables()) {
    if (variable->name == name) {
      return variable_value(*variable);
    }
  }
  constexpr std::array<const char*, 5> kBuiltins = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  if (name.starts_with("$") || std::ranges::find(kBuiltins, name) != kBuiltins.end()) {
    return builtin(name);
  }
  const PartSymbols& part = launch_.symbols_of(call() != nullptr ? call()->place.function : 0);
  for (const debug_info::Variable& variable : part.symbols.globals) {
    if (variable.name == name) {
      return variable_value(variable);
    }
  }
  if (call() != nullptr && function_symbols() == nullptr) {
    return wrong(fmt::format("no variable '{}' here: {}", name, only_lines()));
  }
  std::vector<std::string> near;
  for (const debug_info::Variable* variable : variables()) {
    near.push_back(variable->name);
  }
  return wrong(fmt::format("no variable '{}' is visible here{}", name, did_you_mean(name, near)));
}

Result<Value> Inspector::variable_value(const debug_info::Variable& variable) {
  const int here = call() != nullptr ? map_.inst(call()->place).ptx_line : 0;
  for (const debug_info::Place& place : variable.places) {
    if ((place.first_line == 0 && place.end_line == 0) || (place.first_line <= here && here < place.end_line)) {
      return at_place(place, variable.type);
    }
  }
  return wrong(has_place(variable) ? "<no value at this line: not set yet, or no longer kept>" : "<optimized out>");
}

Result<Value> Inspector::at_place(const debug_info::Place& place, TypeId type) {
  Value out;
  switch (place.kind) {
    case debug_info::PlaceKind::none: return wrong("<optimized out>");
    case debug_info::PlaceKind::unsupported: return wrong(fmt::format("<its place is given by a {}>", place.name));
    case debug_info::PlaceKind::constant:
      out.bytes.resize(std::min<uint64_t>(types().bytes(type), 8));
      std::memcpy(out.bytes.data(), &place.value, out.bytes.size());
      break;
    case debug_info::PlaceKind::in_register: {
      const ir::RegisterName* known = register_named(place.name);
      if (known == nullptr) {
        return wrong("<optimized out>");
      }
      HPML_TRY(out, register_value(*known));
      const uint64_t bytes = types().bytes(type);
      if (bytes > out.bytes.size()) {
        return wrong(fmt::format("<more bytes than register {} has>", place.name));
      }
      out.bytes.resize(bytes);
      break;
    }
    case debug_info::PlaceKind::at_register: {
      const ir::RegisterName* known = register_named(place.name);
      if (known == nullptr) {
        return wrong("<optimized out>");
      }
      HPML_TRY(const Value base, register_value(*known));
      HPML_TRY(const Number address, to_number(types(), base, *this));
      out.home = Home::memory;
      out.address = static_cast<uint64_t>(address.integer + place.offset);
      break;
    }
    case debug_info::PlaceKind::memory: {
      HPML_TRY(out.address, symbol_address(place.name, out.home));
      out.address += static_cast<uint64_t>(place.offset);
      break;
    }
  }
  out.type = type;
  return out;
}

Result<uint64_t> Inspector::symbol_address(const std::string& name, Home& home) {
  home = Home::memory;
  for (const ir::PlaceName& place : names().places) {
    if (place.name != name) {
      continue;
    }
    if (place.space == ptx::Space::local) {
      return isa::kLocalWindow + (call() != nullptr ? call()->local_base : 0) + place.offset;
    }
    if (place.space == ptx::Space::shared) {
      return isa::kSharedWindow + place.offset;
    }
    home = Home::parameter;
    return uint64_t{place.offset};
  }
  for (const ir::Variable& variable : launch_.program->variables()) {
    if (variable.name == name) {
      return variable.address;
    }
  }
  return wrong("<optimized out>");
}

Result<std::string> Inspector::show(const std::string& expression, char format) {
  HPML_TRY(const Value value, evaluate(expression, types(), *this));
  const uint64_t bytes = types().bytes(value.type);
  if (value.home == Home::memory && types().resolved(value.type).kind != TypeKind::array) {
    HPML_TRY_VOID(read(value.home, value.address, bytes));
  }
  return to_text(types(), value, *this, format);
}

// --- memory --------------------------------------------------------------------------------------------------------

std::optional<exec::BlockView> Inspector::block(uint64_t id) {
  for (const exec::BlockView& view : stepper_.blocks()) {
    if (view.id == id) {
      return view;
    }
  }
  return std::nullopt;
}

std::optional<exec::BlockView> Inspector::own_block() {
  for (const exec::BlockView& view : stepper_.blocks()) {
    if (view.handle == thread_.warp.block) {
      return view;
    }
  }
  return std::nullopt;
}

// The block of that rank in the cluster of our own.
std::optional<exec::BlockView> Inspector::of_cluster(uint64_t rank) {
  const auto own = own_block();
  const exec::Extent& c = launch_.cluster;
  if (!own || c.count() == 1) {
    return own;
  }
  for (const exec::BlockView& view : stepper_.blocks()) {
    const auto& at = view.ctaid;
    const bool same =
        at[0] / c.x == own->ctaid[0] / c.x && at[1] / c.y == own->ctaid[1] / c.y && at[2] / c.z == own->ctaid[2] / c.z;
    if (same && (uint64_t{at[2] % c.z} * c.y + at[1] % c.y) * c.x + at[0] % c.x == rank) {
      return view;
    }
  }
  return std::nullopt;
}

Result<std::span<std::byte>> Inspector::memory_at(uint64_t address, uint64_t bytes) {
  const auto part = [&](std::span<std::byte> whole, uint64_t offset, const char* what) -> Result<std::span<std::byte>> {
    if (offset > whole.size() || bytes > whole.size() - offset) {
      return wrong(
          fmt::format("cannot read {} bytes at {} of {} memory, which has {}", bytes, offset, what, whole.size()));
    }
    return whole.subspan(offset, bytes);
  };
  if (address >= isa::kSharedWindow && address - isa::kSharedWindow < isa::kSharedWindowSize) {
    const uint64_t offset = address - isa::kSharedWindow;
    const auto owner = launch_.cluster.count() == 1 ? own_block() : of_cluster(offset >> isa::kSharedRankShift);
    return owner ? part(owner->shared, offset & isa::kSharedOffsetMask, "shared") : wrong("the block has finished");
  }
  if (address >= isa::kLocalWindow && address - isa::kLocalWindow < isa::kLocalWindowSize) {
    return part(stepper_.local_memory(thread_.warp, thread_.lane), address - isa::kLocalWindow, "local");
  }
  const memory::Allocation* allocation = launch_.memory->find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) {
    return wrong(fmt::format("cannot access memory at address {:#x}", address));
  }
  return std::span(allocation->view + (address - allocation->base), bytes);
}

Result<std::vector<std::byte>> Inspector::read(Home home, uint64_t address, uint64_t bytes) {
  if (home == Home::parameter) {
    const auto all = stepper_.parameters();
    if (address > all.size() || bytes > all.size() - address) {
      return wrong("the parameter lies outside of the parameters");
    }
    return std::vector(all.begin() + static_cast<std::ptrdiff_t>(address),
                       all.begin() + static_cast<std::ptrdiff_t>(address + bytes));
  }
  HPML_TRY(const std::span<std::byte> place, memory_at(address, bytes));
  return std::vector(place.begin(), place.end());
}

Result<WatchPlace> Inspector::place_of(const Value& value) {
  WatchPlace out;
  const auto block = own_block();
  out.block = block ? block->id : 0;
  out.warp = thread_.warp.warp;
  out.lane = thread_.lane;
  out.address = value.address;
  out.bytes = types().bytes(value.type);
  if (value.home == Home::in_register) {
    const ir::RegisterName* name = register_at(static_cast<isa::Slot>(value.address));
    out.space = value.predicate ? "predicate" : "register";
    out.bytes = name != nullptr ? name->bytes : value.bytes.size();
    return out;
  }
  if (value.home != Home::memory) {
    return wrong(value.home == Home::parameter ? "parameters of a kernel cannot be changed or watched"
                                               : "it is no variable: it lies nowhere");
  }
  HPML_TRY_VOID(memory_at(value.address, out.bytes));
  if (value.address >= isa::kLocalWindow && value.address - isa::kLocalWindow < isa::kLocalWindowSize) {
    out.space = "local";
    out.address -= isa::kLocalWindow;
  } else if (value.address >= isa::kSharedWindow && value.address - isa::kSharedWindow < isa::kSharedWindowSize) {
    const uint64_t offset = value.address - isa::kSharedWindow;
    const auto owner = launch_.cluster.count() == 1 ? block : of_cluster(offset >> isa::kSharedRankShift);
    out.space = "shared";
    out.block = owner->id;
    out.address = offset & isa::kSharedOffsetMask;
  } else {
    out.space = "global";
  }
  return out;
}

Result<std::span<std::byte>> Inspector::bytes_at(const WatchPlace& place, int frame) {
  if (place.space == "global") {
    return memory_at(place.address, place.bytes);
  }
  const auto owner = block(place.block);
  if (!owner || place.warp >= owner->warps) {
    return wrong(fmt::format("block {} is not running", place.block));
  }
  const exec::WarpRef warp{owner->handle, place.warp};
  const auto part = [&](std::span<std::byte> whole) -> Result<std::span<std::byte>> {
    if (place.address > whole.size() || place.bytes > whole.size() - place.address) {
      return wrong("the place lies outside of its memory");
    }
    return whole.subspan(place.address, place.bytes);
  };
  if (place.space == "shared") {
    return part(owner->shared);
  }
  if (place.space == "local") {
    return part(stepper_.local_memory(warp, place.lane));
  }
  for (const exec::LaneGroup& group : stepper_.groups(warp)) {
    const auto index = static_cast<size_t>(frame);
    if ((group.lanes >> place.lane & 1) == 0 || index >= group.calls.size()) {
      continue;
    }
    const exec::Activation& call = group.calls[index];
    const bool predicate = place.space == "predicate";
    const uint64_t offset = place.address + (predicate ? 0 : static_cast<uint64_t>(place.lane) * place.bytes);
    const uint64_t bytes = predicate ? sizeof(isa::LaneMask) : place.bytes;
    if (offset + bytes <= call.function->frame_bytes) {
      return std::span(call.registers + offset, bytes);
    }
  }
  return wrong("the thread has exited");
}

void apply(const Edit& edit, Inspector& inspector) {
  const auto place = inspector.bytes_at(edit.memory, edit.frame);
  if (!place.ok()) {
    return;
  }
  if (edit.memory.space != "predicate") {
    std::memcpy(place->data(), edit.bytes.data(), std::min(place->size(), edit.bytes.size()));
    return;
  }
  isa::LaneMask mask = 0;
  std::memcpy(&mask, place->data(), sizeof mask);
  const isa::LaneMask bit = 1u << edit.memory.lane;
  mask = !edit.bytes.empty() && edit.bytes[0] != 0 ? mask | bit : mask & ~bit;
  std::memcpy(place->data(), &mask, sizeof mask);
}

}  // namespace hpml::sim::debug
