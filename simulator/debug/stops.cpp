#include "simulator/debug/stops.hpp"

#include <fmt/format.h>

#include <bit>

#include "simulator/isa/image_form.hpp"

namespace hpml::sim::debug {

std::vector<Located> locate(const Launch& launch, const std::vector<Breakpoint>& breakpoints) {
  const CodeMap map(launch);
  std::vector<Located> out;
  for (const Breakpoint& asked : breakpoints) {
    Located located;
    located.asked = asked;
    if (!asked.function.empty()) {
      located.places = map.at_function(asked.function);
    } else if (asked.ptx_line) {
      located.places = map.at_ptx_line(static_cast<int>(*asked.ptx_line));
    } else if (!asked.watch) {
      located.places = map.at_line(asked.file, asked.line);
    }
    if (located.places.empty() && asked.ptx_line) {
      located.error = fmt::format("line {} of this kernel's PTX holds no instruction", *asked.ptx_line);
    }
    if (!asked.condition.empty()) {
      const int function = located.places.empty() ? 0 : located.places.front().function;
      auto parsed = parse_expression(asked.condition, launch.symbols_of(function).types);
      if (parsed.ok()) {
        located.condition = std::move(*parsed);
      } else {
        located.error = parsed.error().message;
      }
    }
    out.push_back(std::move(located));
  }
  return out;
}

bool writes_memory(const ir::Function& function, const ir::Inst& inst) {
  switch (inst.mem) {
    case isa::Mem::st:
    case isa::Mem::atom:
    case isa::Mem::red:
    case isa::Mem::copy_async:
    case isa::Mem::copy_bulk: return true;
    case isa::Mem::none:
    case isa::Mem::ld:
    case isa::Mem::prefetch:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank:
    case isa::Mem::fence: break;
  }
  const bool calls_runtime = inst.control == isa::Control::call && function.calls[inst.extra].callee < 0;
  return calls_runtime || inst.control == isa::Control::mbarrier || inst.warp == isa::Warp::matrix ||
         isa::is_image(inst.shape, inst.warp);
}

void Stops::set(std::vector<Located> breakpoints) {
  breakpoints_ = std::move(breakpoints);
  at_.clear();
  watches_.clear();
  for (const Located& one : breakpoints_) {
    for (const exec::CodePlace place : one.places) {
      at_.emplace(place, &one);
    }
    if (one.asked.watch) {
      watches_.push_back({&one, {}});
    }
  }
}

std::vector<exec::CodePlace> Stops::writers() const {
  std::vector<exec::CodePlace> out;
  for (size_t f = 0; f < launch_.code->functions.size(); ++f) {
    const ir::Function& function = launch_.code->functions[f];
    for (ir::Pc pc = 0; pc < function.code.size(); ++pc) {
      if (writes_memory(function, function.code[pc])) {
        out.push_back({static_cast<int>(f), pc});
      }
    }
  }
  return out;
}

std::vector<exec::CodePlace> Stops::places() const {
  std::vector<exec::CodePlace> out = watching() ? writers() : std::vector<exec::CodePlace>{};
  for (const auto& [place, breakpoint] : at_) {
    out.push_back(place);
  }
  return out;
}

std::optional<Stops::Hit> Stops::hit(const exec::NextInst& next, Inspector& inspector) const {
  const auto [first, last] = at_.equal_range(next.place);
  for (auto it = first; it != last; ++it) {
    for (isa::LaneMask rest = next.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (it->second->condition == nullptr) {
        return Hit{it->second, lane, ""};
      }
      inspector.look_at({next.warp, lane, 0});
      const auto value = evaluate(*it->second->condition, inspector.types(), inspector);
      const auto number = value.ok() ? to_number(inspector.types(), *value, inspector) : Result<Number>(value.error());
      if (!number.ok()) {
        return Hit{it->second, lane, number.error().message};
      }
      if (number->truth()) {
        return Hit{it->second, lane, ""};
      }
    }
  }
  return std::nullopt;
}

namespace {

std::optional<std::vector<std::byte>> bytes_of(const Breakpoint& watch, Inspector& inspector) {
  const auto place = inspector.bytes_at(*watch.watch);
  return place.ok() ? std::optional(std::vector(place->begin(), place->end())) : std::nullopt;
}

}  // namespace

void Stops::look(Inspector& inspector) {
  for (Watched& watched : watches_) {
    watched.bytes = bytes_of(watched.breakpoint->asked, inspector);
  }
}

std::optional<Stops::Change> Stops::changed(Inspector& inspector) {
  std::optional<Change> out;
  for (Watched& watched : watches_) {
    auto now = bytes_of(watched.breakpoint->asked, inspector);
    if (!out && now && watched.bytes && *now != *watched.bytes) {
      out = Change{watched.breakpoint, *watched.bytes, *now};
    }
    watched.bytes = std::move(now);
  }
  return out;
}

}  // namespace hpml::sim::debug
