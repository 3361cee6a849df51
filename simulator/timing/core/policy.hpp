#pragma once
// Warp issue policies, chosen by name in gpus/*.toml. To add one: a function in core/policies/<name>.cpp and its line
// in policy.cpp.
#include <cstdint>
#include <string_view>

#include "common/base/result.hpp"

namespace hpml::sim::timing {

struct Candidates {
  uint32_t eligible = 0;          // bit i: warp i of the sub-partition may issue this cycle; not 0
  int last = -1;                  // who issued last; -1 nobody
  const uint64_t* age = nullptr;  // per warp: larger is younger
};

// Returns one of the eligible warps. Depends on nothing but its argument.
using PickWarp = int (*)(const Candidates&);

Result<PickWarp> find_policy(std::string_view name);

int greedy_then_youngest(const Candidates& candidates);
int greedy_then_oldest(const Candidates& candidates);
int loose_round_robin(const Candidates& candidates);

}  // namespace hpml::sim::timing
