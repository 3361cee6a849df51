#pragma once
// The checks of one device: watches its launches, is told what the host does, keeps what was found.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/memory/address_space.hpp"
#include "simulator/sanitize/findings.hpp"
#include "simulator/sanitize/initcheck.hpp"
#include "simulator/sanitize/launch_view.hpp"
#include "simulator/sanitize/memcheck.hpp"
#include "simulator/sanitize/phases.hpp"
#include "simulator/sanitize/racecheck.hpp"
#include "simulator/sanitize/synccheck.hpp"

namespace hpml::sim::sanitize {

class Sanitizer final : public exec::Observer {
 public:
  // memory must outlive it. lockstep: Racecheck.
  Sanitizer(Tools tools, const memory::AddressSpace& memory, bool lockstep);

  Tools tools() const { return tools_; }
  // kernel: demangled. Before every launch.
  void begin_launch(std::string kernel, std::array<uint32_t, 3> block_size);

  // Ends the count of a launch. No value unless the tool `phases` is on.
  std::optional<Staged> take_staged();

  // The host side, all told by the runtime. `api`: the function called; `call`: which call of the program it is,
  // counted from 1.
  void host_allocated(const std::string& api, uint64_t call, uint64_t address);
  void host_wrote(uint64_t address, uint64_t bytes);
  void host_reads(const std::string& api, uint64_t address, uint64_t bytes);
  void host_free_failed(const std::string& api, uint64_t address);
  void api_failed(const std::string& api, uint64_t call, const std::string& error, const std::string& text);
  // At the end of the program: what it has not freed.
  void report_leaks();

  // Text of what was found since the last call, one entry per finding.
  std::vector<std::string> take_text();
  const Findings& findings() const { return findings_; }

  void block_started(const exec::ObservedBlock& block) override;
  isa::LaneMask access(const exec::ObservedAccess& access) override;
  void written(int block, isa::Space space, uint64_t address, uint64_t bytes) override;
  void barrier_arrived(const exec::ObservedGroup& group, uint32_t threads, bool counted, bool waits) override;
  void barrier_opens(int block, int barrier, std::span<const exec::ObservedGroup> waited, bool counted) override;
  void warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                   const std::array<isa::LaneMask, 32>& masks) override;
  void deadlocked(std::span<const exec::ObservedGroup> waiting) override;

 private:
  Tools tools_;
  const memory::AddressSpace& memory_;
  LaunchView launch_;
  Findings findings_;
  std::optional<Memcheck> memcheck_;
  std::optional<Initcheck> initcheck_;
  std::optional<Racecheck> racecheck_;
  std::optional<Synccheck> synccheck_;
  std::optional<Phases> phases_;
  std::map<uint32_t, std::string> origins_;  // by serial of the allocation
  bool hinted_ = false;                      // how to get source lines has been said
};

}  // namespace hpml::sim::sanitize
