#pragma once
// Does again what a recording says was done, on devices of its own, without the program. What the program could have
// lied about is computed here: results, counters, durations. What is its own decision is taken from the recording: what
// it launched, copied and asked for. Nothing in the recording is believed to be sane.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/replay/checks.hpp"
#include "simulator/replay/library.hpp"
#include "simulator/replay/program_code.hpp"
#include "simulator/replay/reader.hpp"
#include "simulator/replay/transfers.hpp"
#include "simulator/replay/warm_up.hpp"

namespace hpml::sim::replay {

struct ReplayOptions {
  std::vector<device::Options> devices;  // by index
  std::string gpu_names, mode_name;      // for metrics.json
  const ProgramCode* code = nullptr;     // the only device code that may run; null: any
  Libraries libraries = {};              // what of them can be done again
  // What runs in the place of device code (PTX); empty: the code itself.
  std::function<Result<std::string>(std::string)> rewrite = {};
  std::optional<Passes> passes = {};  // take away what the launches of the warm-up leave (warm_up.hpp)
};

class Replayer {
 public:
  // Both must outlive it.
  Replayer(const ReplayOptions& options, Transfers& transfers)
      : options_(options), transfers_(transfers), warm_up_(options.passes.value_or(Passes())) {}

  // Error: the recording asks for something that no program could have done.
  Result<void> run(Reader& reader);
  bool complete() const { return complete_; }  // the program has come to its end
  bool too_large() const { return too_large_; }
  // The library call at which the replay stopped, because only its own process can make it; empty: none.
  const std::string& unrepeatable() const { return unrepeatable_; }
  // metrics.json of the run, schema gpusim/metrics/v1. Call times are the program's word, durations are not.
  metrics::Document metrics() const;
  // Of the check tools that the devices were given; once, after run().
  CheckResult findings() const;

 private:
  struct Gpu {
    std::unique_ptr<device::Device> device;
    std::vector<device::ModuleId> modules;
    std::vector<bool> unloaded;
  };
  struct Located {
    const memory::Allocation* allocation = nullptr;
    Gpu* owner = nullptr;
    std::byte* data = nullptr;
    uint64_t offset = 0;
  };

  Result<void> apply(DeviceMade& event);
  Result<void> apply(Allocated& event);
  Result<void> apply(Freed& event);
  Result<void> apply(PeerEnabled& event);
  Result<void> apply(ModuleLoaded& event);
  Result<void> apply(ModuleUnloaded& event);
  Result<void> apply(SharedRaised& event);
  Result<void> apply(LimitSet& event);
  Result<void> apply(Launched& event);
  Result<void> apply(LibraryCalled& event);
  Result<void> apply(Uploaded& event);
  Result<void> apply(Downloaded& event);
  Result<void> apply(Moved& event);
  Result<void> apply(Filled& event);
  Result<void> apply(HostWrote& event);
  Result<void> apply(HostTouched& event);
  Result<void> apply(Prefetched& event);
  Result<void> apply(Advised& event);
  Result<void> apply(Cost& event);
  Result<void> apply(Called& event);
  Result<void> apply(Ended& event);
  Result<void> apply(TooLarge& event);

  Result<Gpu*> gpu(uint8_t index);
  Result<device::KernelId> kernel(uint8_t index, uint32_t module, const std::string& name);
  // The allocation that [address, address + bytes) lies in, of any device.
  Result<Located> locate(uint64_t address, uint64_t bytes);
  Result<Located> locate(const Side& side, const Shape& shape);
  Result<void> map_host(uint64_t address, uint64_t bytes);
  std::vector<const memory::Allocation*> live() const;  // on all GPUs
  void keep_content(const memory::Allocation& allocation);
  void note_kernel(device::LaunchResult result, int64_t start, uint8_t device);
  void note_copy(const Gpu& gpu, uint8_t kind, bool pinned, const Shape& shape);
  Result<void> check_code(const ModuleLoaded& event) const;

  const ReplayOptions& options_;
  Transfers& transfers_;
  WarmUp warm_up_;
  std::map<int, Gpu> gpus_;
  std::set<uint64_t> mapped_;   // pages of host memory made for the program's
  metrics::Document document_;  // what of it has happened so far
  uint64_t launches_ = 0;
  uint64_t managed_ = 0;     // allocations of managed memory by the call going on
  int64_t cost_ = 0;         // of the call going on
  bool allocating_ = false;  // the call going on gives memory: it waits for nothing
  bool complete_ = false, too_large_ = false;
  std::string unrepeatable_;
};

}  // namespace hpml::sim::replay
