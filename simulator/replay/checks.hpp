#pragma once
// What a replay tells the check tools of its devices (simulator/sanitize) about the host. Without tools: nothing.
#include <string>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

void check_host_wrote(device::Device& device, const Side& side, const Shape& shape);
void check_host_reads(device::Device& device, const Side& side, const Shape& shape);
void check_call(device::Device& device, const Called& call, uint64_t number);

struct CheckResult {
  uint64_t errors = 0;
  std::vector<std::string> text;  // one entry per finding
};
// At the end, with what was never freed.
CheckResult take_findings(device::Device& device);

}  // namespace hpml::sim::replay
