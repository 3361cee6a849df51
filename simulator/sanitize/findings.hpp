#pragma once
// The findings of one device: one per kind and place in the program, with a count of the repeats, and no more than
// kMostPerKind of a kind.
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "simulator/sanitize/finding.hpp"

namespace hpml::sim::sanitize {

class Findings {
 public:
  static constexpr uint64_t kMostPerKind = 100;

  // Counts one more of this kind at this place (`where`, `other`: addresses that stand for the instructions, or null).
  // True when it is new and is to be described with add(), which must then follow.
  bool is_new(Kind kind, const void* where, const void* other = nullptr);
  void add(Finding finding);
  // A finding that has no place in the program, such as a leak: never a repeat.
  void add_single(Finding finding);

  // Those not taken yet, for printing.
  std::vector<Finding*> take_new();
  const std::vector<std::unique_ptr<Finding>>& all() const { return all_; }
  uint64_t count(Severity severity) const;             // findings, without repeats
  uint64_t suppressed() const { return suppressed_; }  // further places beyond the limit of their kind

 private:
  using Key = std::tuple<Kind, const void*, const void*>;
  std::vector<std::unique_ptr<Finding>> all_;
  std::map<Key, Finding*> places_;  // null: beyond the limit
  std::map<Kind, uint64_t> per_kind_;
  Finding** waiting_ = nullptr;  // the place that add() fills
  size_t taken_ = 0;
  uint64_t suppressed_ = 0;
};

}  // namespace hpml::sim::sanitize
