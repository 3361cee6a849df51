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
    check_call(*first->second.device, event, document_.api.size() + 1);
  }
  constexpr int64_t kMostTime = int64_t{1} << 60;
  const int64_t start = std::clamp<int64_t>(event.start, 0, kMostTime);
  const int64_t claimed = std::clamp<int64_t>(event.end, start, kMostTime) - start;
  const int64_t duration = allocating_ ? cost_ : std::max(claimed, cost_);
  document_.api_errors += event.result != "cudaSuccess" && event.result != "cudaErrorNotReady" ? 1 : 0;
  document_.api.push_back({.name = event.name,
                           .start_us = metrics::microseconds(start),
                           .duration_us = metrics::microseconds(duration),
                           .result = event.result,
                           .bytes = event.bytes,
                           .detail = event.detail});
  cost_ = 0;
  allocating_ = false;
  return Ok{};
}

metrics::Document Replayer::metrics() const {
  metrics::Document document = document_;
  document.gpu = options_.gpu_names;
  document.mode = options_.mode_name;
  document.api_calls = document.api.size();
  if (const auto first = gpus_.find(0); first != gpus_.end()) {
    document.unified_memory = first->second.device->unified_memory_record();
  }
  for (const auto& [index, gpu] : gpus_) {
    metrics::add_leaks(gpu.device->memory(), index, document.leaks);
  }
  return document;
}

}  // namespace hpml::sim::replay
