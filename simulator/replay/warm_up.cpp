#include "simulator/replay/warm_up.hpp"

namespace hpml::sim::replay {
namespace {

std::pair<uint64_t, uint32_t> key_of(const memory::Allocation& one) { return {one.base, one.serial}; }

}  // namespace

void WarmUp::before(Step step, const std::vector<const memory::Allocation*>& live) {
  if (is_watched(step)) {
    keep(live);
  }
}

void WarmUp::after(Step step, const std::vector<const memory::Allocation*>& live) {
  if (is_watched(step)) {
    compare(live);
  }
  if (step == Step::launch && ++launches_ == passes_.timed) {
    take_away(live);
  }
}

void WarmUp::keep(const std::vector<const memory::Allocation*>& live) {
  before_.clear();
  for (const memory::Allocation* one : live) {
    before_[key_of(*one)].assign(reinterpret_cast<const char*>(one->view), one->size);
  }
}

void WarmUp::compare(const std::vector<const memory::Allocation*>& live) {
  for (const memory::Allocation* one : live) {
    const auto found = before_.find(key_of(*one));  // none: the kernel itself has allocated it
    std::vector<bool>& changed = changed_[key_of(*one)];
    changed.resize(one->size);
    for (uint64_t at = 0; at < one->size; ++at) {
      const bool same = found != before_.end() && found->second[at] == static_cast<char>(one->view[at]);
      changed[at] = changed[at] || !same;
    }
  }
  before_.clear();
}

void WarmUp::take_away(const std::vector<const memory::Allocation*>& live) const {
  for (const memory::Allocation* one : live) {
    const auto found = changed_.find(key_of(*one));
    for (uint64_t at = 0; found != changed_.end() && at < one->size; ++at) {
      one->view[at] = found->second[at] ? std::byte{0xFF} : one->view[at];
    }
  }
}

}  // namespace hpml::sim::replay
