#include "simulator/tests/fuzz/fatbin_fuzz.hpp"

#include <cstdint>

#include "simulator/fatbin/cubin.hpp"
#include "simulator/fatbin/program_file.hpp"
#include "simulator/fatbin/select.hpp"
#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::fatbin {

void fuzz_one(std::span<const std::byte> input) {
  (void)read_program(input, "<fuzz>");
  const auto part = read_part(input, "<fuzz>");
  if (!part.ok()) {
    return;
  }
  for (const Entry& entry : part->entries) {
    const auto bytes = unpack(entry, "<fuzz>");
    if (bytes.ok() && entry.is_elf()) {
      const std::span<const char> elf(bytes->data(), bytes->size());
      (void)read_cubin(std::as_bytes(elf), entry.sm, "<fuzz>").ok();
    }
  }
  (void)choose_ptx(part->entries, 75, false, "<fuzz>").ok();
  (void)choose_cubin(part->entries, 75);
}

}  // namespace hpml::sim::fatbin

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hpml::sim::fatbin::fuzz_one(std::as_bytes(std::span(data, size)));
  return 0;
}
