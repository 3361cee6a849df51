// What a compiler has kept of a function's variables, and how a user gets the others.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "simulator/debug/inspector.hpp"

namespace hpml::sim::debug {
namespace {

constexpr const char* kHowToKeep =
    "compile it with tools/cuda_compile.py -g (`make labN debug` does), nvcc -G -g, or clang -O0 -g";

}  // namespace

std::string Inspector::only_lines() {
  const bool lines = map_.source(call()->place).line > 0;
  return fmt::format("{} was compiled without device debug information, so {}; to see variables, {}",
                     map_.short_name(call()->place.function),
                     lines ? "only line numbers are known" : "neither lines nor variables are known", kHowToKeep);
}

bool Inspector::has_place(const debug_info::Variable& variable) const {
  return std::ranges::any_of(variable.places, [&](const debug_info::Place& place) {
    const bool in_register =
        place.kind == debug_info::PlaceKind::in_register || place.kind == debug_info::PlaceKind::at_register;
    const auto written = [&](const ir::RegisterName& known) { return known.name == place.name && known.written; };
    return place.kind != debug_info::PlaceKind::none &&
           (!in_register || std::ranges::any_of(names().registers, written));
  });
}

std::string Inspector::not_kept() {
  if (call() == nullptr) {
    return "";
  }
  const debug_info::Function* function = function_symbols();
  if (function == nullptr) {
    return only_lines();
  }
  size_t all = 0, kept = 0;
  const std::function<void(const debug_info::Scope&)> count = [&](const debug_info::Scope& scope) {
    all += scope.variables.size();
    kept +=
        static_cast<size_t>(std::ranges::count_if(scope.variables, [&](const auto& one) { return has_place(one); }));
    std::ranges::for_each(scope.scopes, count);
  };
  count(function->scope);
  if (kept == all) {
    return "";
  }
  return fmt::format("{} was compiled with optimisation, which has kept {} of its {} variables; to see all, {}",
                     map_.short_name(call()->place.function), kept, all, kHowToKeep);
}

}  // namespace hpml::sim::debug
