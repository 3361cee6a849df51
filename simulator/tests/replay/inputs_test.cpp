// Which part of an input an upload is, and what takes its place.
#include "simulator/replay/inputs.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::replay {
namespace {

std::string text(char first, size_t bytes) {
  std::string made(bytes, '\0');
  for (size_t i = 0; i < bytes; ++i) {
    made[i] = static_cast<char>(first + i * i % 251);
  }
  return made;
}

const std::string kGiven = text(1, 512), kOther = text(9, 512);

TEST(Inputs, APartInPlaceIsExchangedForThePartThere) {
  Inputs inputs({{kGiven, kOther}});
  EXPECT_EQ(inputs.find(kGiven, 0), kOther);
  EXPECT_EQ(inputs.find(kGiven.substr(100, 8), 100), kOther.substr(100, 8));
}

TEST(Inputs, ABeginningIsExchangedWhereverItGoes) {
  Inputs inputs({{kGiven, kOther}});
  EXPECT_EQ(inputs.find(kGiven.substr(0, 8), 4096), kOther.substr(0, 8));
}

TEST(Inputs, AShortPartElsewhereIsNone) {
  Inputs inputs({{kGiven, kOther}});
  EXPECT_EQ(inputs.find(kGiven.substr(100, 63), 0), std::nullopt);
  EXPECT_EQ(inputs.find(kGiven.substr(100, 64), 0), kOther.substr(100, 64));
}

TEST(Inputs, PartsThatRepeatAreTakenInOrder) {
  const std::string block = text(3, 128);
  Inputs inputs({{text(7, 128) + block + block, text(5, 128) + text(11, 128) + text(13, 128)}});
  EXPECT_EQ(inputs.find(block, 4096), text(11, 128));
  EXPECT_EQ(inputs.find(block, 4096), text(13, 128));
}

TEST(Inputs, OfTwoEqualInputsEachIsTakenOnceAndTheChoiceIsSaid) {
  Inputs inputs({{kGiven, kOther}, {kGiven, text(77, 512)}});
  EXPECT_EQ(inputs.find(kGiven, 0), kOther);
  EXPECT_EQ(inputs.find(kGiven, 0), text(77, 512));
  EXPECT_EQ(inputs.ambiguous(), 2U);
}

TEST(Inputs, ZerosStayZeros) {
  const std::string zeros(128, '\0');
  Inputs inputs({{zeros + kGiven, kOther + zeros}});
  EXPECT_EQ(inputs.find(zeros, 0), zeros);
  EXPECT_EQ(inputs.ambiguous(), 1U);
}

TEST(Inputs, AnEndIsFoundInALongerPayload) {
  const Inputs inputs({{kGiven, kOther}});
  EXPECT_EQ(inputs.bytes_before_end(kGiven.substr(500) + std::string(100, '\0'), 500), 12U);
  EXPECT_EQ(inputs.bytes_before_end(kGiven, 0), 0U);
}

}  // namespace
}  // namespace hpml::sim::replay
