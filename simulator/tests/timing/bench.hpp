#pragma once
// An engine that runs lists of instructions.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "simulator/tests/timing/fake_grid.hpp"
#include "simulator/tests/timing/gpus.hpp"
#include "simulator/timing/engine.hpp"

namespace hpml::sim::timing {

struct Bench {
  explicit Bench(const std::string& key) : Bench(gpu(key)) {}
  explicit Bench(const GpuSpec& s) : spec(s), engine(std::move(Engine::create(spec)).value()) {}

  RunResult run(FakeProgram program, uint64_t blocks = 1, int warps = 1, RunOptions options = {}) {
    program.push_back(exit_op());
    FakeGrid grid(std::move(program), blocks, warps);
    RunResult result = engine->run(grid, BlockNeeds{static_cast<uint32_t>(warps) * 32, 32, 0}, 256, options);
    EXPECT_EQ(result.deadlock, "");
    return result;
  }
  // Cycles per repetition of `body`: fixed costs cancel, caches are as an earlier run leaves them.
  double per_repetition(const std::function<FakeProgram(int)>& body, int warps = 1) {
    run(body(192), 1, warps);
    const double once = run(body(64), 1, warps).cycles;
    return (run(body(192), 1, warps).cycles - once) / 128.0;
  }

  GpuSpec spec;
  std::unique_ptr<Engine> engine;
};

inline FakeProgram chain(isa::Lat lat, int n) { return FakeProgram(static_cast<size_t>(n), op(lat, 1, 1)); }

inline FakeProgram independent(isa::Lat lat, int n) {
  FakeProgram out;
  for (int i = 0; i < n; ++i) {
    out.push_back(op(lat, static_cast<ir::RegId>(i)));
  }
  return out;
}

// Loads, arithmetic, barriers and stores.
inline FakeProgram mixed() {
  FakeProgram out;
  for (uint64_t i = 0; i < 6; ++i) {
    out.push_back(load(
        1, 9, [=](uint64_t b, int w) { return (b * 977 + uint64_t(w) * 31 + i * 7) % 20000; }, 4));
    out.push_back(op(isa::Lat::fp32, 2, 1));
    out.push_back(barrier());
    out.push_back(store(2, [=](uint64_t b, int w) { return 30000 + b * 8 + uint64_t(w); }));
  }
  return out;
}

}  // namespace hpml::sim::timing
