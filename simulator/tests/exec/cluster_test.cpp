// Thread block clusters (PTX ISA 9.0: 2.2.2, chapter 10 "%clusterid" and its like, 9.7.9 mapa, getctarank, 9.7.13.4
// barrier.cluster, 9.7.13.15 mbarrier, 9.7.9.25.4 cp.async.bulk).
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// %t: thread, %k: rank in the cluster, %n: blocks of the cluster, %o: 64 words of `out` of this block, by its id.
std::string cluster_kernel(const std::string& body) {
  return R"(
.shared .align 16 .b8 data[1024]; .shared .align 8 .b64 bar;
.visible .entry k(.param .u64 out) {
  .reg .b64 %out, %o, %d<8>; .reg .b32 %r<8>, %t, %k, %n, %b, %peer; .reg .pred %p<4>; .reg .b16 %h;
  ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %k, %cluster_ctarank; mov.u32 %n, %cluster_nctarank;
  mov.u32 %b, %ctaid.x; mad.wide.u32 %o, %b, 256, %out;
  add.u32 %peer, %k, 1; rem.u32 %peer, %peer, %n;
)" + body +
         "ret;\n}\n";
}
constexpr const char* kSync = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n";

struct Outcome {
  std::vector<uint32_t> words;  // 64 of each block
  std::string trap;
  uint32_t at(size_t block, size_t word) const { return words[block * 64 + word]; }
};

Outcome run(const std::string& body, uint32_t blocks, std::optional<Extent> cluster, uint32_t threads = 1) {
  PtxRig rig(cluster_kernel(body));
  rig.cluster = cluster;
  const uint64_t out = rig.upload(std::vector<uint32_t>(size_t{blocks} * 64));
  const Grid& grid = rig.run("k", {blocks, 1, 1}, {threads, 1, 1}, {out});
  return {rig.download<uint32_t>(out, size_t{blocks} * 64), grid.trap() ? grid.trap()->message : ""};
}

TEST(Cluster, SpecialRegistersTellThePlacesInThreeDimensions) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 out) {
  .reg .b64 %o; .reg .b32 %r<12>, %x, %y, %z, %i; .reg .pred %p;
  ld.param.u64 %o, [out]; mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %z, %ctaid.z;
  mad.lo.u32 %i, %z, 4, %y; mad.lo.u32 %i, %i, 6, %x; mad.wide.u32 %o, %i, 64, %o;
  mov.u32 %r0, %clusterid.x; mov.u32 %r1, %clusterid.y; mov.u32 %r2, %clusterid.z; mov.u32 %r3, %nclusterid.x;
  st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};
  mov.u32 %r0, %nclusterid.y; mov.u32 %r1, %nclusterid.z; mov.u32 %r2, %cluster_ctaid.x; mov.u32 %r3, %cluster_ctaid.y;
  st.global.v4.u32 [%o+16], {%r0, %r1, %r2, %r3};
  mov.u32 %r0, %cluster_ctaid.z; mov.u32 %r1, %cluster_nctaid.x; mov.u32 %r2, %cluster_nctaid.y;
  mov.u32 %r3, %cluster_nctaid.z;
  st.global.v4.u32 [%o+32], {%r0, %r1, %r2, %r3};
  mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %cluster_nctarank; mov.pred %p, %is_explicit_cluster;
  selp.u32 %r2, 1, 0, %p; mov.u32 %r3, 7;
  st.global.v4.u32 [%o+48], {%r0, %r1, %r2, %r3};
  ret;
})");
  rig.cluster = Extent{3, 2, 2};
  const uint64_t out = rig.upload(std::vector<uint32_t>(6 * 4 * 2 * 16));
  const Grid& grid = rig.run("k", {6, 4, 2}, {1, 1, 1}, {out});
  ASSERT_FALSE(grid.trap()) << grid.trap()->message;
  const auto got = rig.download<uint32_t>(out, 6 * 4 * 2 * 16);
  for (uint32_t z = 0; z < 2; ++z) {
    for (uint32_t y = 0; y < 4; ++y) {
      for (uint32_t x = 0; x < 6; ++x) {
        const uint32_t cx = x % 3, cy = y % 2, cz = z % 2;
        const std::vector<uint32_t> expected = {x / 3, y / 2, 0, 2, 2, 1, cx, cy, cz, 3, 2, 2, cx + 3 * cy + 6 * cz,
                                                12,    1,     7};
        const size_t at = (size_t{z * 4 + y} * 6 + x) * 16;
        EXPECT_EQ(std::vector<uint32_t>(got.begin() + static_cast<long>(at), got.begin() + static_cast<long>(at) + 16),
                  expected)
            << x << " " << y << " " << z;
      }
    }
  }
}

TEST(Cluster, ALaunchWithoutThemHasClustersOfOneBlock) {
  const Outcome got =
      run("mov.u32 %r0, %clusterid.x; mov.u32 %r1, %nclusterid.x; mov.pred %p0, %is_explicit_cluster;"
          "selp.u32 %r2, 1, 0, %p0; st.global.v4.u32 [%o], {%r0, %r1, %n, %r2};",
          3, {});
  EXPECT_EQ(std::vector<uint32_t>(got.words.begin() + 64, got.words.begin() + 68), (std::vector<uint32_t>{1, 3, 1, 0}));
}

TEST(Cluster, ABlockReadsAndWritesTheSharedMemoryOfItsNeighbour) {
  const Outcome got = run("mad.lo.u32 %r0, %b, 10, 5; st.shared.u32 [data], %r0;\n" + std::string(kSync) +
                              "mov.u32 %r1, data; mapa.shared::cluster.u32 %r2, %r1, %peer;\n"
                              "ld.shared::cluster.u32 %r3, [%r2]; st.global.u32 [%o], %r3;\n"
                              "st.shared::cluster.u32 [%r2+4], %b;\n"
                              "getctarank.shared::cluster.u32 %r4, %r2; st.global.u32 [%o+4], %r4;\n"
                              "getctarank.shared::cluster.u32 %r4, %r1; st.global.u32 [%o+8], %r4;\n" +
                              std::string(kSync) + "ld.shared.u32 %r5, [data+4]; st.global.u32 [%o+12], %r5;\n",
                          6, Extent{3, 1, 1});
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 6; ++block) {
    const uint32_t first = block / 3 * 3, next = first + (block + 1) % 3, before = first + (block + 2) % 3;
    EXPECT_EQ(got.at(block, 0), next * 10 + 5);
    EXPECT_EQ(got.at(block, 1), next % 3);
    EXPECT_EQ(got.at(block, 2), block % 3);
    EXPECT_EQ(got.at(block, 3), before);
  }
}

TEST(Cluster, GenericAddressesReachOtherBlocksAndAreTheSameForAll) {
  // Each block leaves the generic address of its own word in global memory, where the others find it.
  const Outcome got = run("mov.u64 %d0, data; cvta.shared.u64 %d1, %d0; st.u32 [%d1], %b; st.global.u64 [%o], %d1;\n" +
                              std::string(kSync) +
                              "mapa.u64 %d2, %d1, %peer; ld.u32 %r0, [%d2]; st.global.u32 [%o+8], %r0;\n"
                              "mapa.u64 %d3, %d1, %k; setp.eq.u64 %p0, %d3, %d1;\n"
                              "isspacep.shared %p1, %d2; isspacep.shared::cluster %p2, %d2; isspacep.shared %p3, %d1;\n"
                              "selp.u32 %r1, 1, 0, %p0; selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 1, 0, %p2;"
                              "selp.u32 %r4, 1, 0, %p3; st.global.v2.u32 [%o+16], {%r1, %r2};"
                              "st.global.v2.u32 [%o+24], {%r3, %r4};\n"
                              "xor.b32 %r5, %b, 1; mad.wide.u32 %d4, %r5, 256, %out; ld.global.u64 %d5, [%d4];\n"
                              "atom.add.u32 %r6, [%d5], 100; st.global.u32 [%o+12], %r6;\n"
                              "cvta.to.shared.u64 %d6, %d1; sub.u64 %d6, %d6, %d0; st.global.u64 [%o+40], %d6;\n" +
                              std::string(kSync) + "ld.shared.u32 %r7, [data]; st.global.u32 [%o+32], %r7;\n",
                          2, Extent{2, 1, 1});
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 2; ++block) {
    EXPECT_EQ(got.at(block, 2), 1 - block);
    EXPECT_EQ(got.at(block, 3), 1 - block);
    EXPECT_EQ(got.at(block, 4), 1u) << "mapa of the own rank gives the address it was given";
    EXPECT_EQ(got.at(block, 5), 0u) << "another block's memory is not shared::cta";
    EXPECT_EQ(got.at(block, 6), 1u);
    EXPECT_EQ(got.at(block, 7), 1u);
    EXPECT_EQ(got.at(block, 8), 100 + block);
    EXPECT_EQ(got.at(block, 10), 0u) << "cvta.to.shared undoes cvta";
  }
}

TEST(Cluster, LanesOfOneInstructionGoToDifferentBlocks) {
  const Outcome got =
      run("shl.b32 %r0, %t, 2; mov.u32 %r1, data; add.u32 %r0, %r0, %r1; mov.u32 %r3, 0;"
          "st.shared.u32 [%r0], %r3;\n" +
              std::string(kSync) +
              "rem.u32 %r2, %t, %n; mapa.shared::cluster.u32 %r4, %r1, %r2;"
              "red.shared::cluster.add.u32 [%r4], 1;\n" +
              std::string(kSync) + "ld.shared.u32 %r5, [data]; st.global.u32 [%o], %r5;\n",
          4, Extent{4, 1, 1}, 64);
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 4; ++block) {
    EXPECT_EQ(got.at(block, 0), 64u) << "16 of each of four blocks";
  }
}

TEST(Cluster, TheBarrierWaitsForEveryThreadThatHasNotExited) {
  // Odd threads leave, block 1 arrives late; what it wrote before is seen by all that waited.
  const Outcome got =
      run("and.b32 %r0, %t, 1; setp.eq.u32 %p0, %r0, 1; @%p0 exit;\n"
          "setp.eq.u32 %p1, %k, 1; mov.u32 %r1, 0; @!%p1 bra go;\n"
          "loop: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 30000; @%p2 bra loop;\n"
          "st.global.u32 [%out+128], 77;\n"
          "go: barrier.cluster.arrive; mov.u32 %r2, 5; barrier.cluster.wait;\n"
          "ld.global.u32 %r3, [%out+128]; st.global.u32 [%o], %r3;\n",
          3, Extent{3, 1, 1}, 64);
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 3; ++block) {
    EXPECT_EQ(got.at(block, 0), 77u);
  }
}

TEST(Cluster, ABlockThatLeavesAltogetherCountsAsArrived) {
  const Outcome got =
      run("setp.eq.u32 %p0, %k, 2; @%p0 exit;\n" + std::string(kSync) + "st.global.u32 [%o], 3;\n", 3, Extent{3, 1, 1});
  EXPECT_EQ(got.trap, "");
  EXPECT_EQ(got.at(0, 0), 3u);
  EXPECT_EQ(got.at(1, 0), 3u);
}

TEST(Cluster, ManyPhasesAndDivergedArrivalsKeepInStep) {
  const Outcome got =
      run("mov.u32 %r0, 0; mov.u32 %r1, data; st.shared.u32 [data], 0;\n" + std::string(kSync) +
              "mapa.shared::cluster.u32 %r2, %r1, 0;\n"
              "loop: setp.lt.u32 %p0, %t, 7; @%p0 bra few; barrier.cluster.arrive; bra met;\n"
              "few: red.shared::cluster.add.u32 [%r2], 1; barrier.cluster.arrive;\n"
              "met: barrier.cluster.wait;\n"
              "ld.shared::cluster.u32 %r3, [%r2]; add.u32 %r0, %r0, 1; mul.lo.u32 %r4, %r0, 14;\n"
              "setp.ne.u32 %p1, %r3, %r4; @%p1 trap;\n" +
              std::string(kSync) + "setp.lt.u32 %p2, %r0, 20; @%p2 bra loop;\n st.global.u32 [%o], %r3;\n",
          2, Extent{2, 1, 1}, 40);
  EXPECT_EQ(got.trap, "");
  EXPECT_EQ(got.at(1, 0), 280u);
}

TEST(Cluster, AnMbarrierOfAnotherBlockCountsArrivalsAndBytes) {
  // Every block stores into its neighbour, which waits for 16 + 4 + 4 bytes and two arrivals.
  const Outcome got =
      run("mov.u32 %r0, bar; mov.u32 %r1, data; mbarrier.init.shared::cta.b64 [%r0], 2;\n"
          "fence.mbarrier_init.release.cluster;\n" +
              std::string("st.shared.u32 [data+64], %b; st.shared.u32 [data+76], 9; st.shared.u32 [data+12], 40;\n") +
              kSync +
              "mbarrier.arrive.expect_tx.shared::cta.b64 %d0, [%r0], 24;\n"
              "mapa.shared::cluster.u32 %r2, %r0, %peer; mapa.shared::cluster.u32 %r3, %r1, %peer;\n"
              "add.u32 %r4, %r1, 64; fence.proxy.async.shared::cta;\n"
              "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3+32], [%r4], 16, [%r2];\n"
              "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3+8], %b, [%r2];\n"
              "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r3+12], 2, [%r2];\n"
              "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];\n"
              "wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p0, [%r0], 0; @!%p0 bra wait;\n"
              "ld.shared.u32 %r5, [data+32]; st.global.u32 [%o], %r5; ld.shared.u32 %r5, [data+44];"
              "st.global.u32 [%o+4], %r5; ld.shared.u32 %r5, [data+8]; st.global.u32 [%o+8], %r5;"
              "ld.shared.u32 %r5, [data+12]; st.global.u32 [%o+12], %r5;\n" +
              kSync,
          4, Extent{2, 1, 1});
  EXPECT_EQ(got.trap, "");
  for (uint32_t block = 0; block < 4; ++block) {
    EXPECT_EQ(got.at(block, 0), block ^ 1);
    EXPECT_EQ(got.at(block, 1), 9u);
    EXPECT_EQ(got.at(block, 2), block ^ 1);
    EXPECT_EQ(got.at(block, 3), 42u);
  }
}

TEST(Cluster, AMulticastGoesToTheBlocksItNames) {
  const Outcome got =
      run("mov.u32 %r0, bar; mov.u32 %r1, data; mbarrier.init.shared::cta.b64 [%r0], 1; setp.eq.u32 %p1, %k, 0;\n"
          "st.global.u32 [%out+128], 4711; mov.u32 %r6, 1; st.shared.u32 [data+32], %r6;\n" +
              std::string(kSync) +
              "setp.eq.u32 %p2, %k, 1; @%p2 bra skip; mbarrier.arrive.expect_tx.shared::cta.b64 %d0, [%r0], 16;\n"
              "skip: @!%p1 bra wait; mov.b16 %h, 5; add.u64 %d1, %out, 128;\n"
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
              "[%r1+32], [%d1], 16, [%r0], %h;\n"
              "wait: @%p2 bra done; mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r0], 0; @!%p0 bra wait;\n"
              "done: ld.shared.u32 %r5, [data+32]; st.global.u32 [%o], %r5;\n" +
              kSync,
          3, Extent{3, 1, 1});
  EXPECT_EQ(got.trap, "");
  EXPECT_EQ(got.at(0, 0), 4711u);
  EXPECT_EQ(got.at(1, 0), 1u);
  EXPECT_EQ(got.at(2, 0), 4711u);
}

TEST(Cluster, RanksOutsideTheClusterTrap) {
  const Outcome got = run("mov.u32 %r0, data; mapa.shared::cluster.u32 %r1, %r0, 2; ld.shared::cluster.u32 %r2, [%r1];",
                          4, Extent{2, 1, 1});
  EXPECT_NE(got.trap.find("4-byte read of the shared memory of block rank 2: the cluster has 2 blocks"),
            std::string::npos)
      << got.trap;
}

TEST(Cluster, OffsetsBehindTheMemoryOfTheOtherBlockTrap) {
  const Outcome got = run("mov.u32 %r0, data; mapa.shared::cluster.u32 %r1, %r0, %peer;\n" + std::string(kSync) +
                              "st.shared::cluster.u32 [%r1+4096], %r0;\n" + kSync,
                          2, Extent{2, 1, 1});
  EXPECT_NE(got.trap.find("4-byte write at shared offset 4096: the block has 1024 bytes"), std::string::npos)
      << got.trap;
}

TEST(Cluster, ABlockThatHasEndedHasNoMemory) {
  const Outcome got =
      run("setp.eq.u32 %p0, %k, 1; @%p0 exit; mov.u32 %r0, 0;\n"
          "loop: add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 50000; @%p1 bra loop;\n"
          "mov.u32 %r0, data; mapa.shared::cluster.u32 %r1, %r0, 1; ld.shared::cluster.u32 %r2, [%r1];",
          2, Extent{2, 1, 1});
  EXPECT_NE(got.trap.find("block rank 1, which has ended"), std::string::npos) << got.trap;
}

TEST(Cluster, AnInstructionForTheOwnBlockTakesNoOthersAddress) {
  const Outcome got = run(
      "mov.u32 %r0, data; mapa.shared::cluster.u32 %r1, %r0, %peer; ld.shared.u32 %r2, [%r1];\n" + std::string(kSync),
      2, Extent{2, 1, 1});
  EXPECT_NE(got.trap.find(".shared, not .shared::cluster"), std::string::npos) << got.trap;
}

TEST(Cluster, ArrivingTwiceWithoutAWaitTraps) {
  const Outcome got = run("barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;", 2, Extent{2, 1, 1});
  EXPECT_NE(got.trap.find("arrives twice at barrier.cluster"), std::string::npos) << got.trap;
}

TEST(Cluster, ABlockThatNeverArrivesIsADeadlock) {
  const Outcome got =
      run("setp.eq.u32 %p0, %k, 1; @%p0 bra other; barrier.cluster.arrive; barrier.cluster.wait; ret;\n"
          "other: bar.sync 0; bar.sync 1, 64;",
          2, Extent{2, 1, 1}, 32);
  EXPECT_NE(got.trap.find("deadlock"), std::string::npos) << got.trap;
}

}  // namespace
}  // namespace hpml::sim::exec
