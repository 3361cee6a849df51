// NVRTC's options as the compilers get them.
#include "simulator/nvrtc/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hpml::sim::nvrtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Options, ValuesMayFollowAnEqualsSignOrStandAlone) {
  EXPECT_THAT(compiler_options({"--gpu-architecture=compute_80"})->words, ElementsAre("--device-arch=80"));
  EXPECT_THAT(compiler_options({"-arch", "sm_90a"})->words, ElementsAre("--device-arch=90"));
  EXPECT_THAT(compiler_options({"--include-path=/a b"})->words, ElementsAre("-I/a b"));
}

TEST(Options, OneLetterOptionsTakeTheirValueAttached) {
  EXPECT_THAT(compiler_options({"-DN=4", "-I/x", "-D", "M"})->words, ElementsAre("-DN=4", "-I/x", "-DM"));
}

TEST(Options, OptionsOfTheCodeGeneratorHaveNoEffect) {
  EXPECT_THAT(compiler_options({"--maxrregcount=32", "-G", "-lineinfo", "--dopt", "on", "-rdc=false"})->words,
              IsEmpty());
}

TEST(Options, CodeForALinkerKeepsWhatNothingCalls) {
  EXPECT_THAT(compiler_options({"-rdc=true"})->words, ElementsAre("--relocatable"));
  EXPECT_THAT(compiler_options({"--relocatable-device-code", "true"})->words, ElementsAre("--relocatable"));
  EXPECT_THAT(compiler_options({"--device-c"})->words, ElementsAre("--relocatable"));
}

TEST(Options, FastMathAndFusingAreToldApart) {
  EXPECT_THAT(compiler_options({"--use_fast_math", "--fmad=false"})->words, ElementsAre("--fast-math", "--fmad=false"));
}

TEST(Options, ARealArchitectureAsksForACubin) {
  EXPECT_EQ(compiler_options({"-arch=sm_90a"})->sm, 90U);
  EXPECT_EQ(compiler_options({"-arch=sm_75", "-arch=compute_80"})->sm, 0U);
}

TEST(Options, OtherCodeThanPtxIsRefusedByName) {
  EXPECT_THAT(compiler_options({"-dlto"}).error().message, HasSubstr("'-dlto' is not supported"));
}

TEST(Options, UnknownAndUnfinishedOptionsAreErrors) {
  EXPECT_THAT(compiler_options({"--no-such"}).error().message, HasSubstr("--no-such"));
  EXPECT_THAT(compiler_options({"--std"}).error().message, HasSubstr("needs a value"));
  EXPECT_FALSE(compiler_options({"-Gx"}).ok());
}

}  // namespace
}  // namespace hpml::sim::nvrtc
