#include "simulator/tests/fuzz/debug_info_fuzz.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "common/base/check.hpp"
#include "simulator/debug_info/reader.hpp"

namespace hpml::sim::debug_info {

void fuzz_debug_info(std::string_view text) {
  const auto symbols = read_symbols(text, "<fuzz>");
  if (!symbols.ok()) {
    HPML_CHECK(!symbols.error().message.empty(), "an error without a message");
    return;
  }
  const auto types = static_cast<TypeId>(symbols->types.size());
  const auto check = [&](TypeId id) { HPML_CHECK(id >= -1 && id < types, fmt::format("type {} of {}", id, types)); };
  for (const Type& type : symbols->types) {
    check(type.target);
    for (const Member& member : type.members) {
      check(member.type);
    }
  }
  for (const Function& function : symbols->functions) {
    HPML_CHECK(function.scope.first_line <= function.scope.end_line, "a function ends before it begins");
    for (const Variable& variable : function.scope.variables) {
      check(variable.type);
    }
  }
}

}  // namespace hpml::sim::debug_info

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hpml::sim::debug_info::fuzz_debug_info(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
