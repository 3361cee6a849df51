// What a place in memory is called in the code that a thread executes.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/debug/inspector.hpp"

namespace hpml::sim::debug {
namespace {

uint64_t generic_address(const WatchPlace& place) {
  return place.address + (place.space == "shared"  ? uint64_t{isa::kSharedWindow}
                          : place.space == "local" ? uint64_t{isa::kLocalWindow}
                                                   : 0);
}

}  // namespace

// Byte `offset` of a variable: "scale", "scale.offsets[1]".
std::string Inspector::element_name(const std::string& name, TypeId type, uint64_t offset) {
  std::string out = name;
  for (int depth = 0; depth < 8; ++depth) {
    const Type known = types().resolved(type);
    if (known.kind == TypeKind::array) {
      const TypeId element = types().element_of(type);
      const uint64_t bytes = std::max<uint64_t>(types().bytes(element), 1);
      out += fmt::format("[{}]", offset / bytes);
      offset %= bytes;
      type = element;
      continue;
    }
    const debug_info::Member* inside = nullptr;
    for (const debug_info::Member& member : known.members) {
      if (member.offset <= offset && offset < member.offset + types().bytes(member.type)) {
        inside = &member;
      }
    }
    if (inside == nullptr) {
      break;
    }
    out += "." + inside->name;
    offset -= inside->offset;
    type = inside->type;
  }
  return out;
}

std::string Inspector::name_of(const WatchPlace& place) {
  const uint64_t at = generic_address(place);
  const memory::Allocation* allocation = place.space == "global" ? launch_.memory->find(at) : nullptr;
  std::string best;
  uint64_t nearest = UINT64_MAX;
  for (const debug_info::Variable* variable : variables()) {
    const auto value = variable_value(*variable);
    if (!value.ok()) {
      continue;
    }
    if (value->home == Home::memory && value->address <= at && at - value->address < types().bytes(value->type)) {
      return element_name(variable->name, value->type, at - value->address);
    }
    const Type type = types().resolved(value->type);
    if (type.kind != TypeKind::pointer || place.space == "local") {
      continue;
    }
    const auto pointer = to_number(types(), *value, *this);
    const uint64_t bytes = std::max<uint64_t>(types().bytes(type.target), 1);
    const uint64_t base = pointer.ok() ? static_cast<uint64_t>(pointer->integer) : 0;
    const bool same = allocation != nullptr
                          ? base >= allocation->base && base < allocation->base + allocation->size
                          : base >= isa::kSharedWindow && base < isa::kSharedWindow + isa::kSharedWindowSize;
    if (base != 0 && same && base <= at && at - base < nearest && (at - base) % bytes + place.bytes <= bytes) {
      nearest = at - base;
      best = fmt::format("{}[{}]", variable->name, nearest / bytes);
    }
  }
  for (const ir::PlaceName& known : names().places) {
    if (best.empty() && place.space == "shared" && known.space == ptx::Space::shared && known.offset <= place.address &&
        place.address - known.offset < std::max<uint64_t>(known.size, 1)) {
      best = fmt::format("{}+{}", known.name, place.address - known.offset);
    }
  }
  return !best.empty() ? best : fmt::format("{} {:#x}", place.space, place.address);
}

}  // namespace hpml::sim::debug
