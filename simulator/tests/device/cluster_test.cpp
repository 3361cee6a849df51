// Do clusters run together wherever a launch runs, at the places and for the time the GPU file gives them?
#include <gtest/gtest.h>

#include <cstring>

#include "simulator/tests/device/devices.hpp"
#include "simulator/tests/device/t4.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {
namespace {

// %o: the place of this thread's four words; %peer: the next rank; %m, %there: `data` here and in that block.
std::string kernel(const std::string& body) {
  return R"(
.visible .entry k(.param .u64 out, .param .u32 rounds) {
  .reg .b64 %o, %rd<4>; .reg .b32 %r<8>, %t, %k, %n, %m, %i, %peer, %there, %rounds; .reg .pred %p<3>;
  .shared .align 16 .b32 data[256];
  ld.param.u64 %o, [out]; ld.param.u32 %rounds, [rounds];
  mov.u32 %t, %tid.x; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mad.lo.u32 %r0, %r0, %r1, %t;
  mad.wide.u32 %o, %r0, 16, %o;
  mov.u32 %k, %cluster_ctarank; mov.u32 %n, %cluster_nctarank; add.u32 %peer, %k, 1; rem.u32 %peer, %peer, %n;
  mov.u32 %m, data; mapa.shared::cluster.u32 %there, %m, %peer;
)" + body +
         "ret;\n}\n";
}

constexpr const char* kSync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";

struct Outcome {
  std::vector<uint32_t> words;
  double cycles = 0;
  bool sampled = false;
  std::string record, trap;
};

struct Shape {
  uint32_t grid = 0, block = 0, cluster = 0, rounds = 0;
};

Outcome run(const std::string& body, const Shape& shape, Mode mode = Mode::cycle, int threads = 1) {
  const auto device = make(options(mode, "h100", threads));
  const size_t words = size_t{shape.grid} * shape.block * 4;
  struct {
    uint64_t out;
    uint32_t rounds;
  } arguments{device->memory().allocate(memory::Kind::device, words * 4), shape.rounds};
  std::byte* view = device->memory().find(arguments.out)->view;
  std::memset(view, 0, words * 4);
  LaunchRequest request;
  request.kernel = load(*device, kernel(body), "k", {}, "sm_90");
  request.grid = {.x = shape.grid};
  request.block = {.x = shape.block};
  request.cluster = Dim3{.x = shape.cluster};
  request.non_portable_cluster = true;
  request.params = std::as_bytes(std::span(&arguments, 1)).first(12);
  EXPECT_EQ(device->check_launch(request), LaunchError::none) << device->explain(request);
  const LaunchResult result = device->launch(request);
  Outcome out{.words = std::vector<uint32_t>(words),
              .cycles = static_cast<double>(result.record.cycles),
              .sampled = result.record.sampled,
              .record = to_text(result.record),
              .trap = ""};
  std::memcpy(out.words.data(), view, words * 4);
  out.trap = result.trap ? result.trap->message : "";
  return out;
}

const timing::GpuSpec& h100_spec() {
  static const timing::GpuSpec spec =
      timing::load_gpu(std::string(HPML_SOURCE_DIR) + "/simulator/gpus/h100.toml").value();
  return spec;
}
const timing::ClusterSpec& h100_clusters() { return h100_spec().cluster; }

// Cycles of one of 64 loads in a chain, each of which gives the address of the next.
double chain(const std::string& address, const std::string& load) {
  std::string body = "mapa.shared::cluster.u32 %there, %m, 1; st.shared.u32 [data], " + address + ";\n" + kSync +
                     "mov.u32 %r2, " + address + ";\n" + load + " %r2, [%r2]; mov.u32 %r3, %clock;\n";
  for (int i = 0; i < 64; ++i) {
    body += load + " %r2, [%r2];\n";
  }
  body += "add.u32 %r5, %r2, 0; mov.u32 %r4, %clock; sub.u32 %r4, %r4, %r3;\n" + std::string(kSync) +
          "st.global.v2.u32 [%o], {%r4, %r5};\n";
  const Outcome got = run(body, {.grid = 2, .block = 1, .cluster = 2});
  EXPECT_EQ(got.trap, "");
  return got.words[0] / 64.0;
}

TEST(Clusters, AnotherBlocksSharedMemoryIsAsFarAwayAsTheGpuFileSays) {
  EXPECT_NEAR(chain("%there", "ld.shared::cluster.u32"), h100_clusters().remote_latency_cycles, 4);
  EXPECT_NEAR(chain("%m", "ld.shared.u32"), h100_spec().of(isa::Lat::ld_shared).latency, 4);
}

TEST(Clusters, TheirBarrierCostsWhatTheGpuFileSays) {
  const Outcome got = run(std::string(kSync) + "mov.u32 %r2, %clock;\n" + kSync +
                              "mov.u32 %r3, %clock; sub.u32 %r3, %r3, %r2; st.global.u32 [%o], %r3;\n",
                          {.grid = 4, .block = 32, .cluster = 4});
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 4; ++block) {
    EXPECT_NEAR(got.words[size_t{block} * 128], h100_clusters().barrier_cycles, 40);
  }
}

TEST(Clusters, AWaitLongAfterTheLastArrivalCostsNextToNothing) {
  const Outcome got = run(std::string(kSync) +
                              "barrier.cluster.arrive; mov.u32 %i, 0;\n"
                              "loop: add.u32 %i, %i, 1; setp.lt.u32 %p0, %i, 1000; @%p0 bra loop;\n"
                              "mov.u32 %r2, %clock; barrier.cluster.wait; mov.u32 %r3, %clock;\n"
                              "sub.u32 %r3, %r3, %r2; st.global.u32 [%o], %r3;\n",
                          {.grid = 2, .block = 32, .cluster = 2});
  EXPECT_EQ(got.trap, "");
  EXPECT_LT(got.words[0], 100u);
}

TEST(Clusters, TheirBlocksAreOnDifferentSmsOfOneGpc) {
  for (const uint32_t size : {2u, 7u, 16u}) {
    // Blocks of different length, so that places become free one by one.
    const Shape shape{.grid = size * 40, .block = 1024, .cluster = size, .rounds = 3};
    const Outcome got =
        run("mov.u32 %r2, %smid; st.global.u32 [%o], %r2; mov.u32 %r0, %ctaid.x; rem.u32 %r1, %r0, 5;\n"
            "mad.lo.u32 %r1, %r1, %rounds, %rounds; mov.u32 %i, 0;\n"
            "loop: add.u32 %i, %i, 1; setp.lt.u32 %p0, %i, %r1; @%p0 bra loop;\n",
            shape);
    EXPECT_EQ(got.trap, "");
    for (uint32_t block = 0; block < shape.grid; ++block) {
      const auto sm = [&](uint32_t b) { return got.words[size_t{b} * shape.block * 4]; };
      const uint32_t first = block / size * size;
      ASSERT_EQ(h100_clusters().gpc_of(sm(block)), h100_clusters().gpc_of(sm(first))) << block;
      for (uint32_t other = first; other < block; ++other) {
        ASSERT_NE(sm(block), sm(other)) << block;
      }
    }
  }
}

// Each round every block passes a word on to the next of its cluster.
constexpr const char* kPass =
    "mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, 1; shl.b32 %r3, %t, 2; add.u32 %m, %m, %r3; add.u32 %there, %there, "
    "%r3;\n"
    "mov.u32 %i, 0;\n"
    "loop: st.shared.u32 [%m], %r2; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    "ld.shared::cluster.u32 %r4, [%there]; mad.lo.u32 %r2, %r4, 3, %r2; barrier.cluster.arrive.aligned;\n"
    "add.u32 %i, %i, 1; setp.lt.u32 %p0, %i, %rounds; barrier.cluster.wait.aligned; @%p0 bra loop;\n"
    "st.global.u32 [%o], %r2;\n";

TEST(Clusters, ComputeTheSameWithAndWithoutTimeAndWithAnyNumberOfThreads) {
  const Shape shape{.grid = 60, .block = 96, .cluster = 6, .rounds = 9};
  const Outcome functional = run(kPass, shape, Mode::functional);
  EXPECT_EQ(functional.trap, "");
  const Outcome alone = run(kPass, shape);
  EXPECT_EQ(alone.trap, "");
  EXPECT_EQ(alone.words, functional.words);
  for (const int threads : {2, 3, 8}) {
    const Outcome several = run(kPass, shape, Mode::cycle, threads);
    EXPECT_EQ(several.words, alone.words) << threads;
    EXPECT_EQ(several.record, alone.record) << threads;
  }
}

TEST(Clusters, KeepTogetherInTheGapsOfASampledLaunch) {
  const Shape shape{.grid = 6400, .block = 256, .cluster = 8, .rounds = 20};
  const Outcome sampled = run(kPass, shape, Mode::automatic);
  EXPECT_EQ(sampled.trap, "");
  EXPECT_TRUE(sampled.sampled);
  EXPECT_EQ(sampled.words, run(kPass, shape, Mode::functional).words);
}

// Lanes of each warp add to all blocks of the cluster; everybody races, integers do not mind.
TEST(Clusters, AtomicsOnOtherBlocksMemoryDoNotDependOnThreads) {
  const std::string body =
      "st.shared.u32 [data], 0;\n" + std::string(kSync) +
      "mov.u32 %i, 0; rem.u32 %r2, %t, %n; mapa.shared::cluster.u32 %r3, %m, %r2;\n"
      "loop: atom.shared::cluster.add.u32 %r4, [%r3], 1; add.u32 %i, %i, 1; setp.lt.u32 %p0, %i, %rounds;\n"
      "@%p0 bra loop; " +
      kSync + "ld.shared.u32 %r5, [data]; st.global.v2.u32 [%o], {%r5, %r4};\n";
  const Shape shape{.grid = 32, .block = 128, .cluster = 4, .rounds = 7};
  const Outcome alone = run(body, shape);
  EXPECT_EQ(alone.trap, "");
  EXPECT_EQ(alone.words[0], 128u * 7);
  const Outcome several = run(body, shape, Mode::cycle, 3);
  EXPECT_EQ(several.words, alone.words);
  EXPECT_EQ(several.record, alone.record);
}

}  // namespace
}  // namespace hpml::sim::device
