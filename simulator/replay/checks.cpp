#include "simulator/replay/checks.hpp"

#include "simulator/sanitize/sanitizer.hpp"

namespace hpml::sim::replay {
namespace {

template <class F>
void for_rows(device::Device& device, const Side& side, const Shape& shape, F f) {
  sanitize::Sanitizer* const sanitizer = device.sanitizer();
  if (sanitizer == nullptr) {
    return;
  }
  for (uint64_t slice = 0; slice < shape.depth; ++slice) {
    for (uint64_t row = 0; row < shape.height; ++row) {
      f(*sanitizer, side.address + slice * side.slice + row * side.pitch);
    }
  }
}

}  // namespace

void check_host_wrote(device::Device& device, const Side& side, const Shape& shape) {
  for_rows(device, side, shape,
           [&](sanitize::Sanitizer& sanitizer, uint64_t address) { sanitizer.host_wrote(address, shape.width); });
}

void check_host_reads(device::Device& device, const Side& side, const Shape& shape) {
  for_rows(device, side, shape, [&](sanitize::Sanitizer& sanitizer, uint64_t address) {
    sanitizer.host_reads("a copy to the host", address, shape.width);
  });
}

void check_call(device::Device& device, const Called& call, uint64_t number) {
  sanitize::Sanitizer* const sanitizer = device.sanitizer();
  if (sanitizer != nullptr && call.result != "cudaSuccess" && call.result != "cudaErrorNotReady") {
    sanitizer->api_failed(call.name, number, call.result, call.detail);
  }
}

CheckResult take_findings(device::Device& device) {
  CheckResult result;
  if (sanitize::Sanitizer* const sanitizer = device.sanitizer(); sanitizer != nullptr) {
    sanitizer->report_leaks();
    result.errors = sanitizer->findings().count(sanitize::Severity::error);
    result.text = sanitizer->take_text();
  }
  return result;
}

}  // namespace hpml::sim::replay
