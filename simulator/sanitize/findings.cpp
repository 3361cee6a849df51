#include "simulator/sanitize/findings.hpp"

#include <algorithm>
#include <utility>

#include "common/base/check.hpp"

namespace hpml::sim::sanitize {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::invalid_global_read: return "invalid_global_read";
    case Kind::invalid_global_write: return "invalid_global_write";
    case Kind::invalid_global_atomic: return "invalid_global_atomic";
    case Kind::invalid_shared_read: return "invalid_shared_read";
    case Kind::invalid_shared_write: return "invalid_shared_write";
    case Kind::invalid_shared_atomic: return "invalid_shared_atomic";
    case Kind::invalid_local_read: return "invalid_local_read";
    case Kind::invalid_local_write: return "invalid_local_write";
    case Kind::misaligned_read: return "misaligned_read";
    case Kind::misaligned_write: return "misaligned_write";
    case Kind::misaligned_atomic: return "misaligned_atomic";
    case Kind::use_after_free: return "use_after_free";
    case Kind::double_free: return "double_free";
    case Kind::invalid_free: return "invalid_free";
    case Kind::leak: return "leak";
    case Kind::api_error: return "api_error";
    case Kind::uninitialized_global_read: return "uninitialized_global_read";
    case Kind::uninitialized_shared_read: return "uninitialized_shared_read";
    case Kind::uninitialized_copy: return "uninitialized_copy";
    case Kind::read_after_write: return "read_after_write";
    case Kind::write_after_read: return "write_after_read";
    case Kind::write_after_write: return "write_after_write";
    case Kind::divergent_barrier_in_warp: return "divergent_barrier_in_warp";
    case Kind::divergent_barrier_in_block: return "divergent_barrier_in_block";
    case Kind::barrier_thread_count: return "barrier_thread_count";
    case Kind::mask_without_caller: return "mask_without_caller";
    case Kind::mask_lane_missing: return "mask_lane_missing";
  }
  return "?";
}

Tool tool_of(Kind kind) {
  if (kind <= Kind::api_error) {
    return Tool::memcheck;
  }
  if (kind <= Kind::uninitialized_copy) {
    return Tool::initcheck;
  }
  return kind <= Kind::write_after_write ? Tool::racecheck : Tool::synccheck;
}

bool Findings::is_new(Kind kind, const void* where, const void* other) {
  const auto [it, fresh] = places_.try_emplace({kind, where, other}, nullptr);
  if (!fresh) {
    if (it->second != nullptr) {
      ++it->second->count;
    }
    return false;
  }
  if (++per_kind_[kind] > kMostPerKind) {
    ++suppressed_;
    return false;
  }
  waiting_ = &it->second;
  return true;
}

void Findings::add(Finding finding) {
  HPML_CHECK(waiting_ != nullptr, "a finding that is not new");
  all_.push_back(std::make_unique<Finding>(std::move(finding)));
  *std::exchange(waiting_, nullptr) = all_.back().get();
}

void Findings::add_single(Finding finding) {
  if (++per_kind_[finding.kind] > kMostPerKind) {
    ++suppressed_;
    return;
  }
  all_.push_back(std::make_unique<Finding>(std::move(finding)));
}

std::vector<Finding*> Findings::take_new() {
  std::vector<Finding*> fresh;
  for (; taken_ < all_.size(); ++taken_) {
    fresh.push_back(all_[taken_].get());
  }
  return fresh;
}

uint64_t Findings::count(Severity severity) const {
  return static_cast<uint64_t>(
      std::count_if(all_.begin(), all_.end(), [&](const auto& finding) { return finding->severity == severity; }));
}

}  // namespace hpml::sim::sanitize
