// cp.async.bulk.tensor: boxes of tensors to and from shared memory, with what lies outside the tensor, strides and
// swizzles; accesses of multicast memory and requests to take over a cluster.
#include <fmt/format.h>

#include "simulator/memory/tensor_map.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

using memory::TensorElement;
using memory::TensorMap;

// One thread. `statements` find the map in %map, the buffer in %p, the tile at shared offset 0 and the barrier behind
// it.
std::string copy_kernel(const std::string& statements) {
  return ".visible .entry k(.param .u64 map, .param .u64 p) {\n.shared .align 1024 .b8 tile[4096]; .shared .align 8 "
         ".b8 "
         "bar[8];\n.reg .b64 %map, %p, %s, %x; .reg .b32 %t, %b, %r<8>; .reg .pred %q;\nld.param.u64 %map, [map]; "
         "ld.param.u64 %p, [p]; mov.u32 %t, tile; mov.u32 %b, bar;\n" +
         statements + "ret;\n}\n";
}
std::string load_box(const std::string& op, const std::string& coordinates, int bytes) {
  return fmt::format(
      "mbarrier.init.shared.b64 [%b], 1; mbarrier.arrive.expect_tx.shared.b64 %s, [%b], {};\n{} [%t], [%map, {{{}}}], "
      "[%b];\nW: mbarrier.try_wait.shared.b64 %q, [%b], %s; @!%q bra W;\n",
      bytes, op, coordinates);
}
std::string copy_out(int words) {
  std::string out;
  for (int i = 0; i < words; ++i) {
    out += fmt::format("ld.shared.u32 %r0, [%t+{0}]; st.global.u32 [%p+{0}], %r0;\n", 4 * i);
  }
  return out;
}

// A tensor of 6 rows of 8 words, numbered; rows lie 48 bytes apart.
struct Tensor {
  std::vector<uint32_t> words = std::vector<uint32_t>(72, 0xffff);
  TensorMap map;
  Tensor() {
    for (uint32_t i = 0; i < 48; ++i) {
      words[i / 8 * 12 + i % 8] = i;
    }
    map.rank = 2;
    map.element = TensorElement::u32;
    map.size = {8, 6};
    map.stride = {4, 48};
    map.box = {4, 3};
    map.step = {1, 1};
  }
};

using Words = std::vector<uint32_t>;

constexpr std::string_view kLoad = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";

std::vector<uint32_t> loaded(Tensor tensor, const std::string& coordinates, int words) {
  PtxRig rig(copy_kernel(load_box(std::string(kLoad), coordinates, 4 * words) + copy_out(words)));
  tensor.map.address = rig.upload(tensor.words);
  const uint64_t out = rig.upload(std::vector<uint32_t>(static_cast<size_t>(words)));
  const Grid& grid = rig.run("k", {1}, {1}, {rig.upload(std::vector<TensorMap>{tensor.map}), out});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(grid.counters().bulk_read, static_cast<size_t>(words) * sizeof(uint32_t));
  EXPECT_EQ(grid.counters().bulk_written, 0u);
  return rig.download<uint32_t>(out, static_cast<size_t>(words));
}

TEST(TensorCopy, LoadsABoxRowByRow) {
  EXPECT_EQ(loaded({}, "3, 2", 12), (Words{19, 20, 21, 22, 27, 28, 29, 30, 35, 36, 37, 38}));
}

TEST(TensorCopy, WhatLiesOutsideIsReadAsZero) {
  EXPECT_EQ(loaded({}, "-1, 4", 12), (Words{0, 32, 33, 34, 0, 40, 41, 42, 0, 0, 0, 0}));
  Tensor floats;
  floats.map.element = TensorElement::f32;
  floats.map.nan_outside = true;
  EXPECT_EQ(loaded(floats, "6, 5", 12)[2], 0x7fff'ffffu);
}

TEST(TensorCopy, StepsOverElements) {
  Tensor tensor;
  tensor.map.step = {2, 3};
  tensor.map.box = {8, 6};
  EXPECT_EQ(loaded(tensor, "0, 0", 8), (Words{0, 2, 4, 6, 24, 26, 28, 30}));
}

// Rows of 32 bytes: with a swizzle of that width, units of 16 bytes change places in every other 128 bytes.
TEST(TensorCopy, SwizzlesUnitsByTheRow) {
  Tensor tensor;
  tensor.map.box = {8, 6};
  tensor.map.swizzle_units = 2;
  const Words words = loaded(tensor, "0, 0", 48);
  EXPECT_EQ(Words(words.begin() + 24, words.begin() + 40),
            (Words{24, 25, 26, 27, 28, 29, 30, 31, 36, 37, 38, 39, 32, 33, 34, 35}));
}

TEST(TensorCopy, StoresAndReducesWhatLiesInside) {
  for (const auto& [op, expected] : {std::pair{"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", 7u},
                                     {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group", 54u},
                                     {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group", 47u}}) {
    std::string fill;
    for (int i = 0; i < 12; ++i) {
      fill += fmt::format("st.shared.u32 [%t+{}], 7;\n", 4 * i);
    }
    PtxRig rig(copy_kernel(fill + fmt::format("{} [%map, {{7, 5}}], [%t];\ncp.async.bulk.commit_group; "
                                              "cp.async.bulk.wait_group 0;\n",
                                              op)));
    Tensor tensor;
    tensor.map.address = rig.upload(tensor.words);
    const Grid& grid = rig.run("k", {1}, {1}, {rig.upload(std::vector<TensorMap>{tensor.map}), 0});
    ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
    tensor.words[5 * 12 + 7] = expected;  // the only element of the box within the tensor
    EXPECT_EQ(rig.download<uint32_t>(tensor.map.address, 72), tensor.words) << op;
  }
}

TEST(TensorCopy, AnAddressThatIsNoMapTraps) {
  PtxRig rig(copy_kernel(load_box(std::string(kLoad), "0, 0", 48)));
  const Grid& grid = rig.run("k", {1}, {1}, {rig.upload(std::vector<uint64_t>(16)), 0});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_NE(grid.trap()->message.find("tensor map"), std::string::npos) << grid.trap()->message;
}

TEST(Multimem, ReachesTheOneGpuOfItsGroup) {
  PtxRig rig(copy_kernel(
      "multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [%p]; multimem.st.global.u32 [%p+4], %r0; "
      "multimem.red.global.add.u32 [%p], 5;\nmultimem.ld_reduce.global.add.acc::f32.v2.f16x2 {%r1, %r2}, [%p]; "
      "multimem.st.global.v2.f16x2 [%p+8], {%r2, %r1}; prefetch.tensormap [%map];\n"));
  const uint64_t p = rig.upload(Words{3, 0, 0, 0});
  const Grid& grid = rig.run("k", {1}, {1}, {p, p});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(p, 4), (Words{8, 3, 3, 8}));
}

TEST(AsyncGlobal, StoresAndReductionsReachMemory) {
  PtxRig rig(
      copy_kernel("st.async.release.gpu.global.u32 [%p], 9; red.async.mmio.release.sys.global.max.u32 [%p+4], 6; "
                  "st.async.mmio.release.sys.global.b32 [%p+8], 1;\n"));
  const uint64_t p = rig.upload(Words{3, 4, 5, 6});
  const Grid& grid = rig.run("k", {1}, {1}, {p, p});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(p, 4), (Words{9, 6, 1, 6}));
}

TEST(ClusterLaunchControl, EveryRequestIsAnsweredWithNo) {
  PtxRig rig(copy_kernel(
      ".reg .b128 %a; mbarrier.init.shared.b64 [%b], 1; mbarrier.arrive.expect_tx.shared.b64 %s, [%b], "
      "16;\nst.shared.u32 "
      "[%t], 1; clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%t], [%b];\nW: "
      "mbarrier.try_wait.shared.b64 %q, [%b], %s; @!%q bra W;\nld.shared.b128 %a, [%t]; "
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %a; selp.u32 %r0, 1, 0, %q; st.global.u32 [%p], "
      "%r0;\n"));
  const uint64_t p = rig.upload(Words{3});
  const Grid& grid = rig.run("k", {1}, {1}, {p, p});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(p, 1), (Words{0}));
}

}  // namespace
}  // namespace hpml::sim::exec
