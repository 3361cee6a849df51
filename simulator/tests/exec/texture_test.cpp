// Question: do texture and surface instructions read the texels that the CUDA C++ Programming Guide ("Texture
// Fetching") and the PTX ISA (9.7.10, 9.7.11) say, with their boundary, filter and read modes?
#include <cmath>
#include <cstring>

#include "simulator/memory/image.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

using memory::AddressMode;
using memory::Image;
using memory::TexelKind;

// One thread; `statements` find the image in %t and a buffer of results in %p.
std::string kernel(const std::string& statements) {
  return ".visible .entry k(.param .u64 image, .param .u64 p) {\n"
         ".reg .b64 %t, %p; .reg .f32 %f<12>; .reg .b32 %r<12>; .reg .b16 %h<8>;\n"
         "ld.param.u64 %t, [image]; ld.param.u64 %p, [p];\n" +
         statements + "ret;\n}\n";
}

// A float image of `width` by `height` by `depth`: texel (x, y, z) is x + 10 y + 100 z.
struct Rig {
  explicit Rig(const std::string& statements) : rig(kernel(statements)) {}
  Image floats(uint64_t width, uint64_t height = 1, uint64_t depth = 1) {
    std::vector<float> texels;
    for (uint64_t i = 0; i < width * height * depth; ++i) {
      texels.push_back(static_cast<float>(i % width + 10 * (i / width % height) + 100 * (i / width / height)));
    }
    Image image;
    image.address = rig.upload(texels);
    image.width = width;
    image.height = height;
    image.depth = depth;
    image.pitch = width * sizeof(float);
    image.slice = image.pitch * height;
    image.modes.fill(AddressMode::clamp);
    return image;
  }
  template <class T = float>
  std::vector<T> run(const Image& image, size_t count = 1) {
    const uint64_t results = rig.upload(std::vector<T>(count));
    Grid& grid = rig.run("k", {1}, {1}, {memory::add_image(rig.memory(), image), results});
    EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
    return rig.download<T>(results, count);
  }
  PtxRig rig;
};

std::string sample_1d(const std::string& x) {
  return "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {" + x + "}]; st.global.f32 [%p], %f0;\n";
}
float at_1d(const std::string& x, AddressMode mode, bool linear, bool normalized = true) {
  Rig rig(sample_1d(x));
  Image image = rig.floats(4);
  image.modes[0] = mode;
  image.linear = linear;
  image.normalized_coordinates = normalized;
  image.border = {50, 0, 0, 0};
  return rig.run(image)[0];
}

TEST(Textures, WholeCoordinatesReadTexelsAndZeroBeyondPlainMemory) {
  Rig rig(
      "mov.b32 %r0, 3; tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%t, {%r0}];"
      "mov.b32 %r1, 4; tex.1d.v4.f32.s32 {%f4, _, _, _}, [%t, {%r1}];"
      "st.global.v4.f32 [%p], {%f0, %f1, %f3, %f4};");
  Image image = rig.floats(4);
  image.plain_memory = true;
  EXPECT_EQ(rig.run(image, 4), (std::vector<float>{3, 0, 0, 0}));
}

TEST(Textures, PointSamplingTakesTheTexelOfTheCoordinate) {
  EXPECT_EQ(at_1d("2.9", AddressMode::clamp, false, false), 2);
  EXPECT_EQ(at_1d("0.74", AddressMode::clamp, false), 2);
}

TEST(Textures, AddressModesSayWhatIsOutside) {
  EXPECT_EQ(at_1d("-0.1", AddressMode::clamp, false), 0);
  EXPECT_EQ(at_1d("1.1", AddressMode::clamp, false), 3);
  EXPECT_EQ(at_1d("-0.1", AddressMode::wrap, false), 3);
  EXPECT_EQ(at_1d("1.3", AddressMode::wrap, false), 1);
  EXPECT_EQ(at_1d("-0.3", AddressMode::mirror, false), 1);
  EXPECT_EQ(at_1d("1.1", AddressMode::mirror, false), 3);
  EXPECT_EQ(at_1d("1.1", AddressMode::border, false), 50);
  EXPECT_EQ(at_1d("9.0", AddressMode::wrap, false, false), 3) << "wrapping needs normalized coordinates";
}

TEST(Textures, LinearFilteringWeighsNeighboursWithEightBits) {
  EXPECT_EQ(at_1d("2.0", AddressMode::clamp, true, false), 1.5F);
  EXPECT_EQ(at_1d("1.75", AddressMode::clamp, true, false), 1.25F);
  EXPECT_EQ(at_1d("1.501", AddressMode::clamp, true, false), 1.0F) << "0.001 is less than half of 1/256";
  EXPECT_EQ(at_1d("0.25", AddressMode::clamp, true, false), 0);
  EXPECT_EQ(at_1d("0.0", AddressMode::wrap, true), 1.5F) << "half of texel 3 and half of texel 0";
  EXPECT_EQ(at_1d("4.0", AddressMode::border, true, false), 26.5F) << "half of texel 3 and half of the border";
}

TEST(Textures, PlanesFilterAlongBothAxes) {
  Rig rig("tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {2.0, 1.0}]; st.global.f32 [%p], %f0;");
  Image image = rig.floats(4, 3);
  image.linear = true;
  EXPECT_EQ(rig.run(image)[0], 6.5F);
}

TEST(Textures, VolumesFilterAlongEveryAxis) {
  Rig rig(
      "mov.f32 %f4, 1.0; tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%f4, %f4, %f4, %f4}];"
      "st.global.f32 [%p], %f0;");
  Image image = rig.floats(4, 3, 2);
  image.linear = true;
  EXPECT_EQ(rig.run(image)[0], 55.5F);
}

TEST(Textures, LayersAreClampedAndNeverMixed) {
  Rig rig(
      "mov.b32 %r0, 1; mov.f32 %f4, 0.5;"
      "tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%r0, 2.0, %f4, %f4}];"
      "mov.b32 %r0, 7; tex.a2d.v4.f32.f32 {%f5, %f1, %f2, %f3}, [%t, {%r0, 2.0, %f4, %f4}];"
      "st.global.v2.f32 [%p], {%f0, %f5};");
  Image image = rig.floats(4, 2, 3);
  image.linear = true;
  EXPECT_EQ(rig.run(image, 2), (std::vector<float>{101.5F, 201.5F}));
}

TEST(Textures, CubesFindTheFaceByTheLargestCoordinate) {
  // +x, -x, +y, -y, +z, -z are slices 0 to 5 of one texel each.
  const char* const kDirections[] = {"2.0, 1.0, 1.0",  "-2.0, 1.0, 1.0", "1.0, 2.0, 1.0",
                                     "1.0, -2.0, 1.0", "1.0, 1.0, 2.0",  "1.0, 1.0, -2.0"};
  for (int face = 0; face < 6; ++face) {
    Rig rig("tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {" + std::string(kDirections[face]) +
            ", 0.0}]; st.global.f32 [%p], %f0;");
    EXPECT_EQ(rig.run(rig.floats(1, 1, 6))[0], static_cast<float>(100 * face));
  }
}

// Levels of 4, 2 and 1 texels, each texel 0, 1, ... of its level plus 10 times the level.
Image pyramid(Rig& rig) {
  Image image = rig.floats(7);
  const std::vector<float> texels = {0, 1, 2, 3, 10, 11, 20};
  std::memcpy(rig.rig.memory().own(image.address)->view, texels.data(), texels.size() * sizeof(float));
  image.width = 4;
  image.pitch = image.slice = 4 * sizeof(float);
  image.levels = 3;
  image.greatest_level = 2;
  image.normalized_coordinates = true;
  return image;
}

float at_level(const std::string& level, bool mixes) {
  Rig rig("tex.level.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {0.9}], " + level + "; st.global.f32 [%p], %f0;");
  Image image = pyramid(rig);
  image.mixes_levels = mixes;
  return rig.run(image)[0];
}

// As on an H200; by OpenGL 4.6, 8.14.3, it would be level 0.
TEST(Textures, LevelsOfAPyramidAreChosenOrWeighed) {
  EXPECT_EQ(at_level("0.49", false), 3);
  EXPECT_EQ(at_level("0.5", false), 11);
  EXPECT_EQ(at_level("7.0", false), 20);
  EXPECT_EQ(at_level("-7.0", true), 3);
  EXPECT_EQ(at_level("0.25", true), 5);
  EXPECT_EQ(at_level("1.5", true), 15.5F);
}

// OpenGL 4.6, 8.14.1: the logarithm of the longer gradient in texels.
TEST(Textures, GradientsChooseTheLevel) {
  Rig rig(
      "tex.grad.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {0.9}], {0.5}, {0.1};"
      "tex.grad.1d.v4.f32.f32 {%f4, %f1, %f2, %f3}, [%t, {0.9}], {0.1}, {-1.0};"
      "st.global.v2.f32 [%p], {%f0, %f4};");
  EXPECT_EQ(rig.run(pyramid(rig), 2), (std::vector<float>{11, 20}));
}

TEST(Textures, GatherReadsOneComponentOfFourTexelsCounterClockwise) {
  Rig rig(
      "tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {2.0, 1.0}];"
      "st.global.v4.f32 [%p], {%f0, %f1, %f2, %f3};");
  EXPECT_EQ(rig.run(rig.floats(4, 3), 4), (std::vector<float>{11, 12, 2, 1}));
}

// One texel of four channels, read as type T.
template <class T, class Channel>
std::vector<T> read_texel(const std::vector<Channel>& channels, TexelKind kind, bool normalized_values) {
  const std::string type = std::is_same_v<T, float> ? "f32" : "s32";
  Rig rig("mov.b32 %r4, 0; tex.1d.v4." + type +
          ".s32 {%r0, %r1, %r2, %r3}, [%t, {%r4}]; st.global.v4.b32 [%p], {%r0, %r1, %r2, %r3};");
  Image image;
  image.channels = 4;
  image.channel_bytes = sizeof(Channel);
  image.kind = kind;
  image.plain_memory = true;
  image.normalized_values = normalized_values;
  image.address = rig.rig.upload(channels);
  return rig.run<T>(image, 4);
}

TEST(Textures, IntegersAreReadAsTheyAreOrNormalized) {
  const std::vector<int8_t> bytes = {-128, -127, 0, 127};
  EXPECT_EQ((read_texel<int32_t>(bytes, TexelKind::signed_integer, false)), (std::vector<int32_t>{-128, -127, 0, 127}));
  EXPECT_EQ((read_texel<float>(bytes, TexelKind::signed_integer, true)), (std::vector<float>{-1, -1, 0, 1}));
  EXPECT_EQ((read_texel<float>(std::vector<uint16_t>{0, 65535, 13107, 1}, TexelKind::unsigned_integer, true)),
            (std::vector<float>{0, 1, 0.2F, 1 / 65535.0F}));
}

TEST(Textures, HalvesAreReadAsFloats) {
  EXPECT_EQ((read_texel<float>(std::vector<uint16_t>{0x3c00, 0xc000, 0x0001, 0x7c00}, TexelKind::floating, false)),
            (std::vector<float>{1, -2, 0x1p-24F, INFINITY}));
}

TEST(Surfaces, ReadAndWriteBytesInPlace) {
  Rig rig(
      "mov.b32 %r0, 4; mov.b32 %r1, 1; suld.b.2d.b32.trap {%r2}, [%t, {%r0, %r1}];"
      "mov.b32 %r3, 0x11223344; sust.b.2d.b32.trap [%t, {%r0, %r1}], {%r3};"
      "mov.b32 %r0, 5; suld.b.2d.b8.trap {%h0}, [%t, {%r0, %r1}]; cvt.u32.u16 %r4, %h0;"
      "st.global.v2.b32 [%p], {%r2, %r4};");
  EXPECT_EQ(rig.run<uint32_t>(rig.floats(4, 3), 2), (std::vector<uint32_t>{0x41300000, 0x33}));
}

// Reads beyond the right end of the row above the first.
std::string outside(const std::string& boundary) {
  return "mov.b32 %r0, 400; mov.b32 %r1, -1; suld.b.2d.b32." + boundary + " {%r2}, [%t, {%r0, %r1}]; sust.b.2d.b32." +
         boundary + " [%t, {%r0, %r1}], {%r0}; st.global.b32 [%p], %r2;";
}

TEST(Surfaces, OutsideReadsZeroAndWritesNothing) {
  Rig rig(outside("zero"));
  EXPECT_EQ(rig.run<uint32_t>(rig.floats(4, 3))[0], 0u);
}

TEST(Surfaces, OutsideIsTheNearestTexel) {
  Rig rig(outside("clamp"));
  EXPECT_EQ(rig.run<uint32_t>(rig.floats(4, 3))[0], 0x40400000u);
}

TEST(Surfaces, OutsideIsATrap) {
  Rig rig(outside("trap"));
  const Image image = rig.floats(4, 3);
  const Grid& grid = rig.rig.run("k", {1}, {1}, {memory::add_image(rig.rig.memory(), image), image.address});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_NE(grid.trap()->message.find("surface read outside"), std::string::npos) << grid.trap()->message;
}

TEST(Textures, AHandleOfNothingIsATrap) {
  Rig rig(sample_1d("0.0"));
  const Grid& grid = rig.rig.run("k", {1}, {1}, {77, rig.rig.upload(std::vector<float>(1))});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_NE(grid.trap()->message.find("no texture or surface object"), std::string::npos) << grid.trap()->message;
}

}  // namespace
}  // namespace hpml::sim::exec
