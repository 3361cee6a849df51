// Numbers that go through shared memory or shuffles are changed; all others stay.
#include "simulator/ptx/perturb.hpp"

#include <gmock/gmock.h>

#include "simulator/ptx/printer.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Perturbation kShared{.path = Perturbation::Path::shared, .key = (7ULL << 32) + 4};
constexpr Perturbation kShuffles{.path = Perturbation::Path::shuffles, .key = 1001};

std::string changed(const std::string& body, const Perturbation& how) {
  Module module = must_parse(in_kernel(".reg .b64 %rd<4>; " + body));
  perturb(module, how);
  return print(must_parse(print(module)));  // what it prints is a module again
}

TEST(Perturb, ALoadFromSharedMemoryIsFollowedByAChangeUnderItsGuard) {
  const std::string text = changed("@!%p1 ld.shared.f32 %f1, [%rd1+8];", kShared);
  EXPECT_THAT(text, HasSubstr("@!%p1 ld.shared.f32 %f1, [%rd1+8];"));
  EXPECT_THAT(text, HasSubstr("mul.lo.u32"));
  EXPECT_THAT(text, HasSubstr(", 5U;"));  // the odd number above 4
  EXPECT_THAT(text, HasSubstr(", 7U;"));
  EXPECT_THAT(text, testing::ContainsRegex("@!%p1 mov.b32 %f1, %perturbed"));
}

TEST(Perturb, EveryWordOfAVectorIsChangedAndBothHalvesOfALongWord) {
  const auto count = [](const std::string& text, const std::string& word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count(changed("ld.volatile.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", kShared), "selp.f32"), 4U);
  EXPECT_EQ(count(changed("ld.shared.v2.u64 {%rd2, %rd3}, [%rd1];", kShared), "selp.f32"), 4U);
}

TEST(Perturb, AGenericLoadIsChangedOnlyWhereItsAddressIsOfSharedMemory) {
  const std::string text = changed("ld.f32 %f1, [%rd1];", kShared);
  EXPECT_THAT(text, HasSubstr("isspacep.shared"));
  EXPECT_THAT(text, HasSubstr("and.pred"));
}

TEST(Perturb, OtherLoadsStayAsTheyAre) {
  const std::string body =
      "ld.global.f32 %f1, [%rd1]; ld.local.f32 %f1, [%rd1]; ld.shared.f64 %fd1, [%rd1]; ld.shared.u32 %r1, [%rd1];"
      "shfl.sync.down.b32 %r1, %r2, 16, 31, -1; st.shared.f32 [%rd1], %f1;";
  EXPECT_THAT(changed(body, kShared), Not(HasSubstr("%perturbed")));
}

TEST(Perturb, WhatAShuffleDeliversGrows) {
  const std::string text = changed("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;", kShuffles);
  EXPECT_EQ(shuffle_step(kShuffles.key), 501U);
  EXPECT_THAT(text, testing::ContainsRegex("add.f32 %perturbed[0-9]+, %perturbed[0-9]+, 0f43FA8000;"));
  EXPECT_THAT(text, testing::ContainsRegex("mov.b32 %r1, %perturbed"));
  EXPECT_THAT(changed("ld.shared.f32 %f1, [%rd1];", kShuffles), Not(HasSubstr("%perturbed")));
}

TEST(Perturb, AProductOfFourBytesCountsASecondTimeWhereItsPairIsChosen) {
  const std::string text =
      changed("@%p1 dp4a.s32.s32 %r1, %r1, %r3, %r4;", {Perturbation::Path::dp4a, (7ULL << 32) + 4});
  const size_t hashed = text.find("bfe.u32"), more = text.find("dp4a.s32.s32 %perturbed"),
               made = text.find("@%p1 dp4a.s32.s32 %r1, %r1, %r3, %r4;");
  EXPECT_TRUE(hashed < more && more < made && made != std::string::npos) << text;  // the result may be a factor
  EXPECT_THAT(text, testing::ContainsRegex("%r1, %r3, 0U;"));
  EXPECT_THAT(text, testing::ContainsRegex("@%p1 add.s32 %r1, %r1, %perturbed"));
  EXPECT_THAT(changed("mad.lo.s32 %r1, %r2, %r3, %r4;", {Perturbation::Path::dp4a, 1}), Not(HasSubstr("%perturbed")));
}

TEST(Perturb, ProductsOfMatricesAreLeftToTheExecutor) {
  const std::string body = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};";
  EXPECT_EQ(parse_perturbation("mma:5")->path, Perturbation::Path::mma);
  EXPECT_THAT(changed(body, {Perturbation::Path::mma, 5}), Not(HasSubstr("%perturbed")));
}

TEST(Perturb, AWayAndANumberAreAsked) {
  EXPECT_EQ(parse_perturbation("shared:18446744073709551615")->key, ~0ULL);
  EXPECT_EQ(parse_perturbation("shuffles:3")->path, Perturbation::Path::shuffles);
  for (const std::string_view text : {"shared", "shared:", "shared:-1", "shared:1x", "global:1", ":1", ""}) {
    EXPECT_FALSE(parse_perturbation(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace hpml::sim::ptx
