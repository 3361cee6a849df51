#pragma once
// A clock that only the work under test moves.
#include "common/bench/clock.hpp"

namespace hpml::bench {

class ScriptedClock : public Clock {
 public:
  int64_t wall_ns() override { return wall_; }
  int64_t cpu_ns() override { return cpu_; }
  Withheld withheld() override { return withheld_; }
  void spend(int64_t cpu, int64_t waiting = 0) {
    cpu_ += cpu;
    wall_ += cpu + waiting;
  }
  void step_back(int64_t ns) { wall_ -= ns; }
  void withhold(const Withheld& sum) { withheld_ = sum; }

 private:
  Withheld withheld_;
  int64_t wall_ = 1000, cpu_ = 0;
};

}  // namespace hpml::bench
