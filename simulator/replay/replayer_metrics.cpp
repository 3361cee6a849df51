// What a replay leaves: metrics.json, with the calls as the program told them and the costs that they must have had.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/replay/replayer.hpp"
#include "simulator/replay/replayer_terms.hpp"

namespace hpml::sim::replay {
namespace {

constexpr auto kLastCost = static_cast<uint8_t>(device::ApiCost::query);

}  // namespace

Result<void> Replayer::apply(Cost& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  if (event.what > kLastCost) {
    return impossible("a cost that does not exist");
  }
  const auto what = static_cast<device::ApiCost>(event.what);
  constexpr uint64_t kMostBytes = uint64_t{1} << 48;
  if (what != device::ApiCost::launch_to_start) {  // passes on the device, not on the host
    cost_ += owner->device->api_cost(what, std::min(event.bytes, kMostBytes));
  }
  return Ok{};
}

// The names of calls are the program's word, but not what kind of memory they gave.
Result<void> Replayer::apply(Called& event) {
  const bool says_managed = event.name.find("Managed") != std::string::npos;
  if (says_managed ? event.result == "cudaSuccess" && managed_ == 0 && event.name == "cudaMallocManaged"
                   : managed_ > 0) {
    return impossible(fmt::format("'{}' did not allocate what it says", event.name.substr(0, 200)));
  }
  managed_ = 0;
  if (const auto first = gpus_.find(0); first != gpus_.end()) {
    check_call(*first->second.device, event, api_.size() + 1);
  }
  constexpr int64_t kMostTime = int64_t{1} << 60;
  const int64_t start = std::clamp<int64_t>(event.start, 0, kMostTime);
  const int64_t claimed = std::clamp<int64_t>(event.end, start, kMostTime) - start;
  const int64_t duration = allocating_ ? cost_ : std::max(claimed, cost_);
  nlohmann::ordered_json entry = {{"name", event.name},
                                  {"start_us", microseconds(start)},
                                  {"duration_us", microseconds(duration)},
                                  {"result", event.result}};
  if (event.bytes >= 0) {
    entry["bytes"] = event.bytes;
  }
  if (!event.detail.empty()) {
    entry["detail"] = event.detail;
  }
  api_errors_ += event.result != "cudaSuccess" && event.result != "cudaErrorNotReady" ? 1 : 0;
  api_.push_back(std::move(entry));
  cost_ = 0;
  allocating_ = false;
  return Ok{};
}

nlohmann::ordered_json Replayer::metrics() const {
  nlohmann::ordered_json leaks = nlohmann::ordered_json::array();
  for (const auto& [index, gpu] : gpus_) {
    for (const memory::Allocation* allocation : gpu.device->memory().live()) {
      if (allocation->label.empty() && allocation->kind != memory::Kind::registered) {
        leaks.push_back({{"kind", memory::name(allocation->kind)},
                         {"bytes", allocation->size},
                         {"allocation", allocation->serial},
                         {"device", index}});
      }
    }
  }
  const auto first = gpus_.find(0);
  nlohmann::ordered_json metrics;
  metrics["schema"] = "gpusim/metrics/v1";
  metrics["gpu"] = options_.gpu_names;
  metrics["mode"] = options_.mode_name;
  metrics["kernels"] = kernels_;
  metrics["memcpy"] = copies_;
  metrics["memset"] = fills_;
  metrics["prefetch"] = prefetches_;
  metrics["unified_memory"] =
      first != gpus_.end() ? first->second.device->unified_memory_record() : nlohmann::ordered_json::object();
  metrics["api"] = api_;
  metrics["api_calls"] = api_.size();
  metrics["api_errors"] = api_errors_;
  metrics["faults"] = faults_;
  metrics["leaks"] = std::move(leaks);
  metrics["end"] = end_.signal != 0 ? nlohmann::ordered_json{{"signal", end_.signal}}
                                    : nlohmann::ordered_json{{"status", end_.status}};
  metrics["simulator"] = nlohmann::ordered_json::object();
  return metrics;
}

}  // namespace hpml::sim::replay
