// Question: do matrix products take what the GPU file says for their type, and do waits for asynchronous copies last
// until the copies have arrived?
#include <gtest/gtest.h>

#include "simulator/isa/decode.hpp"
#include "simulator/tests/timing/fake_grid.hpp"
#include "simulator/tests/timing/gpus.hpp"
#include "simulator/timing/engine.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

double cycles(const std::string& gpu_key, FakeProgram program) {
  const GpuSpec spec = without_tlb(gpu_key);
  const auto engine = std::move(Engine::create(spec)).value();
  program.push_back(exit_op());
  FakeGrid grid(std::move(program), 1, 1);
  return engine->run(grid, BlockNeeds{32, 32, 0}, 256, {}).cycles;
}

// A product; destination and source register, for chains.
FakeOp product(const std::vector<std::string>& words, ir::RegId write, ir::RegId read = ir::kNoReg) {
  const auto decoded = isa::decode("mma", words, 4);
  EXPECT_TRUE(decoded.ok());
  FakeOp out = op(Lat::tensor, write, read);
  out.inst.variant = decoded->variant;
  return out;
}

struct Kind {
  std::vector<std::string> words;
  double multiply_adds;
};
const Kind kHalf{{"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"}, 16.0 * 8 * 16};
const Kind kBrain{{"sync", "aligned", "m16n8k16", "row", "col", "f32", "bf16", "bf16", "f32"}, 16.0 * 8 * 16};
const Kind kTf32{{"sync", "aligned", "m16n8k8", "row", "col", "f32", "tf32", "tf32", "f32"}, 16.0 * 8 * 8};
const Kind kDouble{{"sync", "aligned", "m8n8k4", "row", "col", "f64", "f64", "f64", "f64"}, 8.0 * 8 * 4};
const Kind kBytes{{"sync", "aligned", "m16n8k32", "row", "col", "s32", "s8", "s8", "s32"}, 16.0 * 8 * 32};

double per_product(const std::string& key, const Kind& kind, bool dependent) {
  const auto run = [&](int n) {
    FakeProgram out;
    for (int i = 0; i < n; ++i) {
      const auto reg = static_cast<ir::RegId>(dependent ? 1 : i);
      out.push_back(product(kind.words, reg, dependent ? reg : ir::kNoReg));
    }
    return cycles(key, std::move(out));
  };
  return (run(192) - run(64)) / 128;
}

TEST(Tensor, IndependentProductsTakeTheRateOfTheirType) {
  struct Row {
    const char* gpu;
    const Kind& kind;
    double rate;  // multiply-adds per clock and SM: data/gpu_params.yaml, TUNE_V and XLA
  };
  const Row rows[] = {{"v100", kHalf, 512},   {"t4", kHalf, 512},     {"t4", kBytes, 1024},  {"a100", kHalf, 1024},
                      {"a100", kBrain, 1024}, {"a100", kTf32, 512},   {"a100", kDouble, 64}, {"a100", kBytes, 2048},
                      {"h100", kHalf, 2048},  {"h100", kDouble, 128}, {"h200", kBytes, 4096}};
  for (const Row& row : rows) {
    EXPECT_DOUBLE_EQ(per_product(row.gpu, row.kind, false), row.kind.multiply_adds * 4 / row.rate)
        << row.gpu << " " << row.kind.words[6];
  }
}

TEST(Tensor, ADependentProductWaitsForTheLatencyOfTheClass) {
  for (const char* key : {"v100", "t4", "a100", "h100"}) {
    EXPECT_DOUBLE_EQ(per_product(key, kHalf, true), gpu(key).of(Lat::tensor).latency) << key;
  }
}

TEST(Tensor, ATypeTheChipLacksTakesTheClassInterval) {
  EXPECT_DOUBLE_EQ(per_product("t4", kBrain, false), gpu("t4").of(Lat::tensor).interval);
  EXPECT_GT(gpu("k80").tensor_cycles(*product(kHalf.words, 1).inst.variant->matrix), 0);
}

FakeOp copy(uint64_t line) {
  FakeOp out = load(ir::kNoReg, ir::kNoReg, [line](uint64_t, int) { return line; });
  out.copy = exec::CopyStep::copy;
  return out;
}
FakeOp group(uint8_t mode, uint32_t groups = 0) {
  FakeOp out = op(Lat::branch);
  out.inst.control = isa::Control::copy_group;
  out.inst.mods.mode = mode;
  out.inst.extra = groups;
  out.copy = mode == isa::kCommitGroup ? exec::CopyStep::commit : exec::CopyStep::none;
  return out;
}
FakeProgram joined(std::vector<FakeProgram> parts) {
  FakeProgram out;
  for (const FakeProgram& part : parts) {
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

const FakeProgram kWork(600, op(Lat::fp32, 1, 1));  // longer than a miss of both caches
const FakeProgram kCopyAndCommit = {copy(100), group(isa::kCommitGroup)};
const FakeProgram kWaitAllGroups = {group(isa::kWaitGroup, 0)};

TEST(AsyncCopy, AWaitLastsUntilTheDataIsThere) {
  const double latency = gpu("a100").dram.latency_cycles;
  const double work = cycles("a100", kWork);
  const double waited = cycles("a100", joined({kCopyAndCommit, kWaitAllGroups, kWork}));
  EXPECT_GT(waited - work, 0.9 * latency);
  EXPECT_LT(waited - work, 1.2 * latency);
  const double hidden = cycles("a100", joined({kCopyAndCommit, kWork, kWaitAllGroups}));
  EXPECT_LT(hidden - work, 60);
}

TEST(AsyncCopy, TheNewestGroupsMayBeUnderWay) {
  const double latency = gpu("a100").dram.latency_cycles;
  const double work = cycles("a100", kWork);
  const double one_allowed = cycles("a100", joined({kCopyAndCommit, {group(isa::kWaitGroup, 1)}, kWork}));
  EXPECT_LT(one_allowed - work, 60);
  const double older = cycles("a100", joined({kCopyAndCommit,
                                              {group(isa::kCommitGroup)},  // an empty group
                                              {group(isa::kWaitGroup, 1)},
                                              kWork}));
  EXPECT_GT(older - work, 0.9 * latency);
}

TEST(AsyncCopy, CopiesThatAreNotCommittedCountForWaitAllOnly) {
  const double latency = gpu("a100").dram.latency_cycles;
  const double work = cycles("a100", kWork);
  EXPECT_LT(cycles("a100", joined({{copy(100)}, kWaitAllGroups, kWork})) - work, 60);
  EXPECT_GT(cycles("a100", joined({{copy(100)}, {group(isa::kWaitAll)}, kWork})) - work, 0.9 * latency);
}

}  // namespace
}  // namespace hpml::sim::timing
