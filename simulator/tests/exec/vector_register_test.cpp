// .reg .v4: vector registers (PTX ISA 9.0, 6.4.3).
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

TEST(VectorRegisters, AreLoadedAndStoredWholeAndUsedByElement) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 data) {
  .reg .b64 %d; .reg .v4 .u32 %v; .reg .v2 .u32 %w<2>;
  ld.param.u64 %d, [data];
  ld.global.v4.u32 %v, [%d];
  add.u32 %v.x, %v.x, %v.w;
  add.u32 %v.b, %v.b, 100;
  mov.u32 %w1.x, %v.y; mov.u32 %w1.y, %v.r;
  st.global.v4.u32 [%d], %v;
  st.global.v2.u32 [%d+16], %w1;
  ret;
}
)");
  const uint64_t data = rig.upload(std::vector<uint32_t>{1, 2, 3, 4, 0, 0});
  const Grid& grid = rig.run("k", {1}, {1}, {data});
  EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  EXPECT_EQ(rig.download<uint32_t>(data, 6), (std::vector<uint32_t>{5, 2, 103, 4, 2, 5}));
}

}  // namespace
}  // namespace hpml::sim::exec
