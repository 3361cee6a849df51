// mbarrier objects and asynchronous copies (PTX ISA 9.0, 9.7.13.15, 9.7.9.25).
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// One thread; its results go to out[0..].
std::string one_thread(const std::string& body) {
  return R"(
.shared .align 16 .b64 bar[2]; .shared .align 16 .b8 data[1024];
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b64 %out, %in, %s<8>; .reg .b32 %r<8>, %t; .reg .pred %p<4>;
  ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x;
)" + body +
         "ret;\n}\n";
}
// Stores a predicate as 0 or 1.
std::string note(const std::string& predicate, int at) {
  return "selp.u32 %r7, 1, 0, " + predicate + "; st.global.u32 [%out+" + std::to_string(at * 4) + "], %r7;\n";
}

std::vector<uint32_t> run_one(const std::string& body, size_t results, std::string* trap = nullptr) {
  PtxRig rig(one_thread(body));
  const uint64_t out = rig.upload(std::vector<uint32_t>(results));
  std::vector<uint32_t> in(256);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<uint32_t>(1000 + i);
  }
  const Grid& grid = rig.run("k", {1, 1, 1}, {1, 1, 1}, {out, rig.upload(in)});
  if (trap != nullptr) {
    *trap = grid.trap() ? grid.trap()->message : "";
  } else {
    EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  }
  return rig.download<uint32_t>(out, results);
}

TEST(Mbarrier, APhaseEndsWithItsLastArrivalAndTheNextExpectsAsMany) {
  EXPECT_EQ(run_one(R"(
  mbarrier.init.shared.b64 [bar], 3;
  mbarrier.arrive.shared.b64 %s0, [bar];
  mbarrier.pending_count.b64 %r0, %s0;           // before the arrival: 3
  st.global.u32 [%out], %r0;
  mbarrier.test_wait.shared.b64 %p0, [bar], %s0; // open
)" + note("%p0", 1) + R"(
  mbarrier.arrive.shared.b64 %s1, [bar], 2;
  mbarrier.test_wait.shared.b64 %p0, [bar], %s0; // closed, for both states of the phase
  mbarrier.test_wait.shared.b64 %p1, [bar], %s1;
)" + note("%p0", 2) + note("%p1", 3) +
                        R"(
  mbarrier.test_wait.parity.shared.b64 %p0, [bar], 0; // phase 0 is over, phase 1 is not
  mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;
)" + note("%p0", 4) + note("%p1", 5) +
                        R"(
  mbarrier.arrive.release.cta.shared::cta.b64 %s2, [bar];
  mbarrier.pending_count.b64 %r0, %s2;
  st.global.u32 [%out+24], %r0;
)",
                    7),
            (std::vector<uint32_t>{3, 0, 1, 1, 1, 0, 3}));
}

TEST(Mbarrier, DroppedArrivalsAreMissingFromLaterPhases) {
  EXPECT_EQ(run_one(R"(
  mbarrier.init.shared.b64 [bar], 2;
  mbarrier.arrive_drop.shared.b64 %s0, [bar];
  mbarrier.arrive.shared.b64 _, [bar];            // ends phase 0
  mbarrier.arrive.shared.b64 %s1, [bar];          // alone ends phase 1
  mbarrier.pending_count.b64 %r0, %s1;
  st.global.u32 [%out], %r0;
  mbarrier.test_wait.parity.shared.b64 %p0, [bar], 1;
)" + note("%p0", 1),
                    2),
            (std::vector<uint32_t>{1, 1}));
}

TEST(Mbarrier, BytesHoldAPhaseOpen) {
  EXPECT_EQ(run_one(R"(
  mov.u32 %r1, bar;
  mbarrier.init.shared.b64 [%r1], 1;
  mbarrier.arrive.expect_tx.shared.b64 %s0, [%r1], 48;
  mbarrier.try_wait.shared.b64 %p0, [%r1], %s0;
)" + note("%p0", 0) + R"(
  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 16;
  mbarrier.try_wait.shared.b64 %p0, [%r1], %s0;
)" + note("%p0", 1) + R"(
  mbarrier.complete_tx.shared.b64 [%r1], 32;
  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p0, [%r1], 0, 1000;
)" + note("%p0", 2),
                    3),
            (std::vector<uint32_t>{0, 0, 1}));
}

TEST(Mbarrier, BulkReductionsCombineWithWhatIsThere) {
  EXPECT_EQ(run_one(R"(
  st.global.v4.u32 [%out], {1, 2, 3, 4}; st.shared.v4.u32 [data], {10, 20, 30, 0xffffffff};
  mov.u32 %r1, data; mov.u32 %r2, bar;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r1], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  mbarrier.init.shared.b64 [bar], 1;
  mbarrier.arrive.expect_tx.shared.b64 %s0, [bar], 16;
  st.shared.v4.u32 [data+16], {100, 0, 31, 7};
  cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32 [%r1+16], [%r1], 16, [%r2];
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
  ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [data+16]; st.global.v4.u32 [%out+16], {%r3, %r4, %r5, %r6};
)" + note("%p0", 8),
                    9),
            (std::vector<uint32_t>{11, 22, 33, 3, 100, 20, 31, 7, 1}));
}

TEST(Mbarrier, BulkCopiesWithinSharedMemoryAndToAllBlocksOfACluster) {
  EXPECT_EQ(run_one(R"(
  mbarrier.init.shared.b64 [bar], 1;
  mbarrier.arrive.expect_tx.shared.b64 %s0, [bar], 32;
  mov.u32 %r1, data; mov.u32 %r2, bar;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%in], 16, [%r2], 1;
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
)" + note("%p0", 0) + R"(
  cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1+16], [%r1], 16, [%r2];
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
  ld.shared.u32 %r3, [data+20]; st.global.u32 [%out+8], %r3;
)" + note("%p0", 1),
                    3),
            (std::vector<uint32_t>{0, 1, 1001}));
}

TEST(Mbarrier, AsynchronousStoresAndReductionsAreCounted) {
  EXPECT_EQ(run_one(R"(
  mbarrier.init.shared.b64 [bar], 1;
  mbarrier.arrive.expect_tx.shared.b64 %s0, [bar], 12;
  mov.u32 %r1, data; mov.u32 %r2, bar; mov.u32 %r3, 40; mov.u32 %r4, 50;
  st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r1+8], {%r3, %r4}, [%r2];
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
)" + note("%p0", 0) + R"(
  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1+12], %r3, [%r2];
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
  ld.shared.v2.u32 {%r5, %r6}, [data+8]; st.global.v2.u32 [%out+8], {%r5, %r6};
)" + note("%p0", 1),
                    4),
            (std::vector<uint32_t>{0, 1, 40, 90}));
}

TEST(Mbarrier, BulkCopiesMoveARangeAndCountItsBytes) {
  EXPECT_EQ(run_one(R"(
  mbarrier.init.shared.b64 [bar], 1;
  mbarrier.arrive.expect_tx.shared.b64 %s0, [bar], 992;
  mov.u32 %r1, data; mov.u32 %r2, bar;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+16], [%in+16], 992, [%r2];
  mbarrier.try_wait.shared.b64 %p0, [bar], %s0;
)" + note("%p0", 0) + R"(
  ld.shared.u32 %r3, [data+16]; st.global.u32 [%out+4], %r3;
  ld.shared.u32 %r3, [data+1004]; st.global.u32 [%out+8], %r3;
  ld.shared.u32 %r3, [data+1008]; st.global.u32 [%out+12], %r3;
  cp.async.bulk.global.shared::cta.bulk_group [%out+16], [%r1+32], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
)",
                    8),
            (std::vector<uint32_t>{1, 1004, 1251, 0, 1008, 1009, 1010, 1011}));
}

TEST(Mbarrier, MisuseNamesItself) {
  std::string trap;
  run_one("mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.shared.b64 _, [bar], 2;\n", 1, &trap);
  EXPECT_NE(trap.find("arrives more often"), std::string::npos) << trap;
  run_one("mbarrier.arrive.shared.b64 _, [bar+8];\n", 1, &trap);
  EXPECT_NE(trap.find("is it initialised?"), std::string::npos) << trap;
  run_one("mbarrier.init.b64 [%out], 1;\n", 1, &trap);
  EXPECT_NE(trap.find("must be in shared memory"), std::string::npos) << trap;
  run_one("mov.u32 %r1, 0;\nmbarrier.init.shared.b64 [bar], %r1;\n", 1, &trap);
  EXPECT_NE(trap.find("outside 1 to 2^20 - 1"), std::string::npos) << trap;
}

// Warps that spin on a phase let the one that ends it run.
TEST(Mbarrier, WaitersGiveWayToTheWarpsTheyWaitFor) {
  PtxRig rig(one_thread(R"(
  setp.ne.u32 %p0, %t, 0;
  @%p0 bra MEET;
  mbarrier.init.shared.b64 [bar], 256;
MEET:
  bar.sync 0;
  mov.u32 %r0, 0;
LOOP:
  mbarrier.arrive.shared.b64 %s0, [bar];
WAIT:
  mbarrier.try_wait.shared.b64 %p1, [bar], %s0;
  @!%p1 bra WAIT;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p2, %r0, 100;
  @%p2 bra LOOP;
  mul.wide.u32 %s1, %t, 4; add.u64 %out, %out, %s1; st.global.u32 [%out], %r0;
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(256));
  const Grid& grid = rig.run("k", {1, 1, 1}, {256, 1, 1}, {out, out});
  EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  EXPECT_EQ(rig.download<uint32_t>(out, 256), std::vector<uint32_t>(256, 100));
  EXPECT_LT(grid.counters().warp_instructions, 100'000u);
}

TEST(AsyncCopy, RefusesSizesTheManualDoesNotHave) {
  for (const char* line :
       {"cp.async.ca.shared.global [data], [%in], 2;", "cp.async.cg.shared.global [data], [%in], 8;"}) {
    auto parsed = ptx::parse(".version 7.5\n.target sm_80\n.address_size 64\n" + one_thread(line), "test.ptx");
    ASSERT_TRUE(parsed.ok());
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(parsed).value());
    auto program = ir::Program::link(std::move(modules));
    ASSERT_TRUE(program.ok());
    EXPECT_FALSE(program->lower("k").ok()) << line;
  }
}

TEST(AsyncCopy, MisalignedAndOutOfBoundsCopiesTrap) {
  std::string trap;
  run_one("cp.async.ca.shared.global [data+4], [%in], 8;\n", 1, &trap);
  EXPECT_NE(trap.find("misaligned"), std::string::npos) << trap;
  run_one("cp.async.ca.shared.global [data], [%in+1024], 4;\n", 1, &trap);
  EXPECT_NE(trap.find("out of bounds"), std::string::npos) << trap;
  run_one("cp.async.cg.shared.global [data+1024], [%in], 16;\n", 1, &trap);
  EXPECT_NE(trap.find("shared memory"), std::string::npos) << trap;
  EXPECT_EQ(run_one("cp.async.ca.shared.global [data], [%in+1024], 4, 0;\n", 1)[0], 0u);  // reads nothing
}

}  // namespace
}  // namespace hpml::sim::exec
