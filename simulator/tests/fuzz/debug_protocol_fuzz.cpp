#include "simulator/tests/fuzz/debug_protocol_fuzz.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "common/base/check.hpp"
#include "simulator/dap/message.hpp"
#include "simulator/debug/protocol.hpp"

namespace hpml::sim::debug {

void fuzz_debug_protocol(std::string_view bytes) {
  const auto request = parse_request(bytes);
  if (request.ok()) {
    const std::string line = to_line(*request);
    const auto again = parse_request(line);
    HPML_CHECK(again.ok(), fmt::format("a request that was written cannot be read: {}", line));
    HPML_CHECK(to_line(*again) == line, fmt::format("a request changes when it is written: {}", line));
  } else {
    HPML_CHECK(!request.error().message.empty(), "an error without a message");
  }
  dap::MessageReader reader;
  reader.feed(bytes);
  for (size_t i = 0; i <= bytes.size(); ++i) {
    if (!reader.next()) {
      return;
    }
  }
  HPML_CHECK(false, "more messages than bytes");
}

}  // namespace hpml::sim::debug

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hpml::sim::debug::fuzz_debug_protocol(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
