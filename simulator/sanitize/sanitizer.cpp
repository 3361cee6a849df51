#include "simulator/sanitize/sanitizer.hpp"

#include <fmt/format.h>

#include <utility>

#include "simulator/sanitize/report.hpp"

namespace hpml::sim::sanitize {

Sanitizer::Sanitizer(Tools tools, const memory::AddressSpace& memory, bool lockstep) : tools_(tools), memory_(memory) {
  if (tools.has(Tool::memcheck)) {
    memcheck_.emplace(memory, launch_, findings_);
  }
  if (tools.has(Tool::initcheck)) {
    initcheck_.emplace(memory, launch_, findings_);
  }
  if (tools.has(Tool::racecheck)) {
    racecheck_.emplace(launch_, findings_, lockstep);
  }
  if (tools.has(Tool::synccheck)) {
    synccheck_.emplace(launch_, findings_);
  }
  if (tools.has(Tool::phases)) {
    phases_.emplace();
  }
}

void Sanitizer::begin_launch(std::string kernel, std::array<uint32_t, 3> block_size) {
  launch_.begin(std::move(kernel), block_size);
  if (racecheck_) {
    racecheck_->begin_launch();
  }
  if (synccheck_) {
    synccheck_->begin_launch();
  }
  if (phases_) {
    phases_->begin_launch();
  }
}

std::optional<Staged> Sanitizer::take_staged() { return phases_ ? std::optional(phases_->take()) : std::nullopt; }

void Sanitizer::host_allocated(const std::string& api, uint64_t call, uint64_t address) {
  if (const memory::Allocation* allocation = memory_.find(address)) {
    origins_[allocation->serial] = fmt::format("{}, API call {}", api, call);
  }
}

void Sanitizer::host_wrote(uint64_t address, uint64_t bytes) {
  if (initcheck_) {
    initcheck_->written(0, isa::Space::global, address, bytes);
  }
}

void Sanitizer::host_reads(const std::string& api, uint64_t address, uint64_t bytes) {
  if (initcheck_) {
    initcheck_->host_reads(api, address, bytes);
  }
}

void Sanitizer::host_free_failed(const std::string& api, uint64_t address) {
  if (!memcheck_) {
    return;
  }
  Finding finding;
  finding.api = api;
  finding.space = "global";
  finding.address = address;
  finding.allocation = place_of(memory_, address, 1);
  const bool freed = finding.allocation && finding.allocation->relation == AllocationPlace::Relation::freed;
  const bool again = freed && finding.allocation->base == address;
  const bool inside = finding.allocation && finding.allocation->relation == AllocationPlace::Relation::inside;
  finding.kind = again ? Kind::double_free : Kind::invalid_free;
  finding.message = again ? fmt::format("{} of memory that was freed before", api)
                          : fmt::format("{} of an address that no allocation of its kind begins at", api);
  if (!freed && !inside) {
    finding.allocation.reset();
  }
  findings_.add_single(std::move(finding));
}

void Sanitizer::api_failed(const std::string& api, uint64_t call, const std::string& error, const std::string& text) {
  if (!memcheck_) {
    return;
  }
  Finding finding;
  finding.kind = Kind::api_error;
  finding.severity = Severity::warning;  // the program may have expected it
  finding.api = api;
  finding.message = fmt::format("{} (API call {}) returned {}: {}", api, call, error, text);
  findings_.add_single(std::move(finding));
}

void Sanitizer::report_leaks() {
  if (!memcheck_) {
    return;
  }
  for (const memory::Allocation* allocation : memory_.live()) {
    const bool host = allocation->kind == memory::Kind::registered;
    if (host || (allocation->kind == memory::Kind::module) || !allocation->label.empty()) {
      continue;
    }
    Finding finding;
    finding.kind = Kind::leak;
    finding.severity = Severity::warning;  // it ends with the program
    finding.message = fmt::format("{} bytes were never freed", allocation->size);
    finding.allocation = place_of(memory_, allocation->base, 1);
    findings_.add_single(std::move(finding));
  }
}

std::vector<std::string> Sanitizer::take_text() {
  std::vector<std::string> texts;
  for (Finding* finding : findings_.take_new()) {
    if (finding->allocation) {
      if (const auto origin = origins_.find(finding->allocation->serial); origin != origins_.end()) {
        finding->allocation->origin = origin->second;
      }
    }
    texts.push_back(to_text(*finding));
    if (!hinted_ && lacks_source_line(*finding)) {
      hinted_ = true;
      texts.back() += "\n    compile with -lineinfo (clang: -gline-tables-only) to see the source line";
    }
  }
  return texts;
}

void Sanitizer::block_started(const exec::ObservedBlock& block) {
  launch_.block_started(block);
  if (initcheck_) {
    initcheck_->block_started(block);
  }
  if (racecheck_) {
    racecheck_->block_started(block);
  }
  if (synccheck_) {
    synccheck_->block_started(block);
  }
  if (phases_) {
    phases_->block_started(block);
  }
}

isa::LaneMask Sanitizer::access(const exec::ObservedAccess& access) {
  exec::ObservedAccess legal = access;
  if (memcheck_) {
    legal.active = memcheck_->access(access);
  }
  if (legal.active == 0) {
    return 0;
  }
  if (initcheck_) {
    initcheck_->access(legal);
  }
  if (racecheck_) {
    racecheck_->access(legal);
  }
  if (synccheck_) {
    synccheck_->access(legal);
  }
  if (phases_) {
    phases_->access(legal);
  }
  return legal.active;
}

void Sanitizer::written(int block, isa::Space space, uint64_t address, uint64_t bytes) {
  if (initcheck_) {
    initcheck_->written(block, space, address, bytes);
  }
}

void Sanitizer::barrier_arrived(const exec::ObservedGroup& group, uint32_t threads, bool counted, bool waits) {
  if (racecheck_) {
    racecheck_->barrier_arrived(group, waits);
  }
  if (synccheck_) {
    synccheck_->barrier_arrived(group, threads, counted);
  }
}

void Sanitizer::barrier_opens(int block, int barrier, std::span<const exec::ObservedGroup> waited, bool counted) {
  if (racecheck_) {
    racecheck_->barrier_opens(block, barrier, waited, counted);
  }
  if (synccheck_) {
    synccheck_->barrier_opens(block, waited, counted);
  }
  if (phases_) {
    phases_->barrier_opens(block);
  }
}

void Sanitizer::warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                            const std::array<isa::LaneMask, 32>& masks) {
  if (racecheck_) {
    racecheck_->warp_synced(groups, together, masks);
  }
  if (synccheck_) {
    synccheck_->warp_synced(groups, together, masks);
  }
}

void Sanitizer::deadlocked(std::span<const exec::ObservedGroup> waiting) {
  if (synccheck_) {
    synccheck_->deadlocked(waiting);
  }
}

}  // namespace hpml::sim::sanitize
