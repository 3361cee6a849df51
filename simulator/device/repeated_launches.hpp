#pragma once
// Launches that would do again exactly what they did before. Programs warm up and measure with the same launch several
// times; once is enough to know what it does, as long as it reads nothing that it writes and every byte of both is
// still what it was after the time before. That is looked up, not assumed: contents are compared by their hashes.
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/exec/counters.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/exec/touched.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::device {

struct LaunchOutcome {
  exec::Counters counters;
  std::vector<exec::LineAccess> lines;
  double cycles = 0;
  std::optional<timing::ModelCounters> modelled;  // none: functional mode
};

class RepeatedLaunches {
 public:
  struct Known {
    LaunchOutcome outcome;  // of the last time
    int times = 0;          // that it was executed on these contents
  };
  // What the launch would do again; null: nothing is known of it, or memory has changed. Valid until remember().
  const Known* find(const LaunchRequest& request, const memory::AddressSpace& memory);
  // The launch has just been executed without a trap. `known`: what find() said of it.
  void remember(const LaunchRequest& request, const exec::Touched& touched, const Known* known, LaunchOutcome outcome);

 private:
  struct Content {
    uint64_t base = 0, size = 0;
    std::array<uint64_t, 2> hash{};
  };
  struct Entry {
    std::vector<Content> contents;
    Known known;
  };
  static bool unchanged(const Entry& entry, const memory::AddressSpace& memory);
  bool hopeless(KernelId kernel) const;

  std::map<std::string, Entry> entries_;
  std::map<KernelId, int> in_vain_;  // contents hashed since one was found again
};

}  // namespace hpml::sim::device
