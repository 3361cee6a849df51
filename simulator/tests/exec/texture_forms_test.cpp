// Question: do the forms of texture and surface instructions beyond plain reads and writes do what the PTX ISA (9.7.10,
// 9.7.11) says: offsets, halves, residency, variables in place of handles, reductions, formatted stores and questions?
#include <bit>

#include "simulator/memory/image.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

using memory::AddressMode;
using memory::Image;
using memory::TexelKind;

constexpr const char* kVariables = ".global .texref tx; .global .surfref sx;\n";
// One thread; `statements` find the image in %t and a buffer of results in %p.
std::string image_kernel(const std::string& statements) {
  return std::string(kVariables) +
         ".visible .entry k(.param .u64 image, .param .u64 p) {\n"
         ".reg .b64 %t, %p, %q; .reg .f32 %f<16>; .reg .b32 %r<16>; .reg .b16 %h<8>; .reg .b64 %d<4>; .reg .pred %e;\n"
         "ld.param.u64 %t, [image]; ld.param.u64 %p, [p];\n" +
         statements + "ret;\n}\n";
}

template <class T>
Image image_of(PtxRig& rig, const std::vector<T>& texels, uint64_t width, uint64_t height = 1, uint64_t depth = 1) {
  Image image;
  image.address = rig.upload(texels);
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.pitch = width * sizeof(T);
  image.slice = image.pitch * height;
  image.channel_bytes = sizeof(T);
  image.kind = std::is_floating_point_v<T> ? TexelKind::floating
               : std::is_signed_v<T>       ? TexelKind::signed_integer
                                           : TexelKind::unsigned_integer;
  image.modes.fill(AddressMode::clamp);
  return image;
}
// Texel (x, y, z) is x + 10 y + 100 z.
Image floats(PtxRig& rig, uint64_t width, uint64_t height = 1, uint64_t depth = 1) {
  std::vector<float> texels;
  for (uint64_t i = 0; i < width * height * depth; ++i) {
    texels.push_back(static_cast<float>(i % width + 10 * (i / width % height) + 100 * (i / width / height)));
  }
  return image_of(rig, texels, width, height, depth);
}
template <class T>
std::vector<T> results(PtxRig& rig, const Image& image, size_t count) {
  const uint64_t out = rig.upload(std::vector<T>(count));
  const Grid& grid = rig.run("k", {1}, {1}, {memory::add_image(rig.memory(), image), out});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  return rig.download<T>(out, count);
}

TEST(TextureForms, OffsetsCountTexelsBeforeTheBoundaryIsLookedAt) {
  PtxRig rig(
      image_kernel("mov.b32 %r0, 2; mov.b32 %r1, -1; mov.b32 %r2, 0; mov.b32 %r3, 7; mov.f32 %f9, 0.0;\n"
                   "tex.2d.v4.f32.s32 {%f0, _, _, _}, [%t, {1, 1}], {%r0, %r1};\n"
                   "tex.2d.v4.f32.f32 {%f1, _, _, _}, [%t, {1.5, 1.5}], {%r3, %r2};\n"
                   "tex.level.2d.v4.f32.f32 {%f2, _, _, _}, [%t, {1.5, 1.5}], %f9, {%r1, %r0};\n"
                   "tld4.r.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%t, {1.0, 1.0}], {%r2, %r0};\n"
                   "st.global.v4.f32 [%p], {%f0, %f1, %f2, %f3}; st.global.v2.f32 [%p+16], {%f4, %f5};"));
  const Image image = floats(rig, 4, 4);
  EXPECT_EQ(results<float>(rig, image, 6), (std::vector<float>{3, 13, 30, 30, 31, 21}));
}

TEST(TextureForms, AnOffsetOfAMirroredTextureIsMirrored) {
  PtxRig rig(
      image_kernel("mov.b32 %r0, 3; tex.1d.v4.f32.f32 {%f0, _, _, _}, [%t, {0.7}], %r0; st.global.f32 [%p], %f0;"));
  Image image = floats(rig, 4);
  image.modes[0] = AddressMode::mirror;
  image.normalized_coordinates = true;
  EXPECT_EQ(results<float>(rig, image, 1)[0], 2) << "texel 2 and 3 further is 5, behind the mirror 2";
}

TEST(TextureForms, HalvesAreRoundedAndPacked) {
  PtxRig rig(image_kernel(
      "tex.2d.v4.f16.s32 {%h0, %h1, %h2, %h3}, [%t, {0, 0}]; tex.2d.v2.f16x2.s32 {%r0, %r1}, [%t, {1, 0}];\n"
      "tex.2d.v4.f16.s32 {%h4, _, _, _}, [%t, {2, 0}];\n"
      "tex.2d.v4.f16.s32 {%h5, _, _, _}, [%t, {3, 0}]; st.global.v4.b16 [%p], {%h0, %h1, %h4, %h5};\n"
      "st.global.v2.b32 [%p+8], {%r0, %r1};"));
  Image image =
      image_of<float>(rig, {1.0F + 3.0F / 2048, 2, 3, 4, -5, 6, 7, 8, 65520.0F, 0, 0, 0, 5.9604645e-8F, 0, 0, 0}, 4);
  image.channels = 4;
  image.pitch = 64;
  // 1.00146484375 lies halfway between two halves and goes to the even one; 65520 is the first that becomes infinite;
  // 2^-24 is the least of all.
  EXPECT_EQ(results<uint16_t>(rig, image, 8),
            (std::vector<uint16_t>{0x3c02, 0x4000, 0x7c00, 0x0001, 0xc500, 0x4600, 0x4700, 0x4800}));
}

TEST(TextureForms, TexelsAreInMemoryAndVariablesStandForHandles) {
  PtxRig rig(image_kernel(
      "mov.u64 %q, tx; st.global.u64 [%q], %t;\n"
      "tex.1d.v4.f32.s32 {%f0, _, _, _}|%e, [tx, {2}]; selp.f32 %f1, 1.0, 0.0, %e;\n"
      "tex.base.1d.v4.f32.s32 {%f2, _, _, _}, [%q, {3}]; txq.width.b32 %r0, [tx]; cvt.rn.f32.u32 %f3, %r0;\n"
      "st.global.v4.f32 [%p], {%f0, %f1, %f2, %f3};"));
  const Image image = floats(rig, 4);
  EXPECT_EQ(results<float>(rig, image, 4), (std::vector<float>{2, 1, 3, 4}));
}

TEST(TextureForms, AVariableThatNothingIsBoundToFaults) {
  PtxRig rig(image_kernel("tex.1d.v4.f32.s32 {%f0, _, _, _}, [tx, {2}];"));
  const Grid& grid = rig.run("k", {1}, {1}, {0, 0});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::illegal_address);
}

TEST(TextureForms, LayersAndFacesAreGathered) {
  PtxRig rig(
      image_kernel("mov.b32 %r0, 1; mov.f32 %f8, 1.0;\n"
                   "tld4.r.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%r0, %f8, %f8, %f8}];\n"
                   "st.global.v4.f32 [%p], {%f0, %f1, %f2, %f3};"));
  Image image = floats(rig, 2, 2, 2);
  image.layered = true;
  EXPECT_EQ(results<float>(rig, image, 4), (std::vector<float>{110, 111, 101, 100}));
}

TEST(TextureForms, AComparisonOfDepthsIsRefusedAtRunTime) {
  PtxRig rig(image_kernel("mov.f32 %f9, 0.5; tex.2d.v4.f32.f32 {%f0, _, _, _}, [%t, {1.0, 1.0}], %f9;"));
  const Image image = floats(rig, 2, 2);
  const Grid& grid = rig.run("k", {1}, {1}, {memory::add_image(rig.memory(), image), 0});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::illegal_instruction);
}

TEST(SurfaceForms, ReductionsCombineWithTheTexel) {
  PtxRig rig(
      image_kernel("mov.b32 %r0, 5; mov.b32 %r1, -3; mov.b32 %r2, 6;\n"
                   "sured.b.add.1d.s32.trap [%t, {0}], %r0; sured.b.min.1d.s32.trap [%t, {4}], %r1;\n"
                   "sured.b.min.1d.u32.trap [%t, {8}], %r1; sured.b.max.1d.s32.trap [%t, {12}], %r1;\n"
                   "sured.p.and.1d.b32.trap [%t, {4}], %r2; sured.b.or.1d.b32.zero [%t, {20}], %r2;\n"
                   "sured.p.max.1d.b32.clamp [%t, {6}], %r0; sured.b.add.1d.u32.zero [%t, {64}], %r0;"));
  const Image image = image_of<int32_t>(rig, {7, 7, 7, 7, 7, 8, -9}, 7);
  results<float>(rig, image, 1);
  EXPECT_EQ(rig.download<int32_t>(image.address, 7), (std::vector<int32_t>{12, -3, 7, 7, 6, 14, 5}));
}

TEST(SurfaceForms, ReductionsOfAllLanesAreAtomic) {
  PtxRig rig(image_kernel("mov.b32 %r0, 1; sured.b.add.1d.u32.trap [%t, {0}], %r0;"));
  const Image image = image_of<uint32_t>(rig, {100}, 1);
  const Grid& grid = rig.run("k", {4}, {64}, {memory::add_image(rig.memory(), image), 0});
  EXPECT_FALSE(grid.trap().has_value());
  EXPECT_EQ(rig.download<uint32_t>(image.address, 1)[0], 356u);
}

constexpr const char* kFormattedStore = "sust.p.1d.v2.b32.trap [%t, {1}], {%r0, %r1};";

TEST(SurfaceForms, FormattedStoresCountTexelsAndClampIntegers) {
  PtxRig bytes(image_kernel(std::string("mov.b32 %r0, 300; mov.b32 %r1, -300;") + kFormattedStore));
  Image image = image_of<int8_t>(bytes, {1, 2, 3, 4}, 2);
  image.channels = 2;
  image.pitch = 4;
  results<float>(bytes, image, 1);
  EXPECT_EQ(bytes.download<int8_t>(image.address, 4), (std::vector<int8_t>{1, 2, 127, -128}));
}

TEST(SurfaceForms, FormattedStoresRoundFloats) {
  PtxRig halves(image_kernel(std::string("mov.b32 %r0, 0f3fc00000; mov.b32 %r1, 0fc0000000;") + kFormattedStore));
  Image half = image_of<uint16_t>(halves, {1, 2, 3, 4}, 2);
  half.channels = 2;
  half.pitch = 8;
  half.kind = TexelKind::floating;
  results<float>(halves, half, 1);
  EXPECT_EQ(halves.download<uint16_t>(half.address, 4), (std::vector<uint16_t>{1, 2, 0x3e00, 0xc000}));
}

TEST(ImageQuestions, AnswersDescribeTheImage) {
  std::string ask;
  const std::vector<std::string> queries = {
      "width",       "height",      "depth",       "channel_data_type", "channel_order",    "array_size",
      "filter_mode", "addr_mode_0", "addr_mode_1", "normalized_coords", "num_mipmap_levels"};
  for (size_t i = 0; i < queries.size(); ++i) {
    ask += "txq." + queries[i] + ".b32 %r0, [%t]; st.global.b32 [%p+" + std::to_string(4 * i) + "], %r0;\n";
  }
  ask += "mov.b32 %r1, 1; txq.level.width.b32 %r0, [%t], %r1; st.global.b32 [%p+44], %r0;\n";
  ask += "istypep.texref %e, %t; selp.b32 %r0, 1, 0, %e; st.global.b32 [%p+48], %r0;\n";
  ask += "istypep.surfref %e, %p; selp.b32 %r0, 1, 0, %e; st.global.b32 [%p+52], %r0;\n";
  PtxRig rig(image_kernel(ask));
  Image image = floats(rig, 8, 4, 2);
  image.levels = 2;
  image.layered = true;
  image.linear = true;
  image.modes[0] = AddressMode::mirror;
  image.modes[1] = AddressMode::border;
  EXPECT_EQ(results<uint32_t>(rig, image, 14),
            (std::vector<uint32_t>{8, 4, 1, 0x10de, 0x10b0, 2, 1, 1, 4, 0, 2, 4, 1, 0}));
}

}  // namespace
}  // namespace hpml::sim::exec
