#include "simulator/tests/fuzz/ptx_parser_fuzz.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/check.hpp"
#include "simulator/ptx/parser.hpp"
#include "simulator/ptx/printer.hpp"

namespace hpml::sim::ptx {

void fuzz_one(std::string_view text) {
  const Result<Module> module = parse(std::string(text), "<fuzz>");
  if (!module.ok()) {
    HPML_CHECK(module.error().pos.line > 0 && module.error().pos.column > 0, "an error without a place");
    HPML_CHECK(!module.error().message.empty(), "an error without a message");
    return;
  }
  const std::string printed = print(*module);
  const Result<Module> again = parse(printed, "<printed>");
  HPML_CHECK(again.ok(), fmt::format("printed text does not parse: {}", again.error().to_string()));
  HPML_CHECK(print(*again) == printed, fmt::format("printing changed the module:\n{}", printed));
}

}  // namespace hpml::sim::ptx

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hpml::sim::ptx::fuzz_one(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
