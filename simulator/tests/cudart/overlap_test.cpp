// Kernels side by side: what fits into the device together, and when the next one starts.
#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr Picoseconds kLong = 1000 * kMicrosecond;

class Overlap : public RuntimeTest {
 protected:
  void* stream() {
    void* made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, 1), 0);
    return made;
  }
  const Span& kernel(size_t index) { return log().kernels.at(index).span; }
};

TEST_F(Overlap, SmallKernelsOfDifferentStreamsRunTogether) {
  FakeKernel& work = add_kernel(kWork);
  work.duration = kLong;
  work.share = 0.25;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(launch(kWork, stream()), 0);
  }
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_LT(kernel(i).start, kernel(0).end);
  }
  EXPECT_EQ(kernel(4).start, kernel(0).end);  // the fifth quarter waits for the first to end
}

TEST_F(Overlap, KernelsOfOneStreamNeverDo) {
  FakeKernel& work = add_kernel(kWork);
  work.share = 0.1;
  void* s = stream();
  EXPECT_EQ(launch(kWork, s), 0);
  EXPECT_EQ(launch(kWork, s), 0);
  EXPECT_GE(kernel(1).start, kernel(0).end);
}

TEST_F(Overlap, ALargeKernelWaitsForRoomAndALaterSmallOneFillsTheGapBeforeIt) {
  FakeKernel& work = add_kernel(kWork);
  work.duration = kLong;
  work.share = 0.5;
  EXPECT_EQ(launch(kWork, stream()), 0);
  work.share = 1;
  EXPECT_EQ(launch(kWork, stream()), 0);
  EXPECT_EQ(kernel(1).start, kernel(0).end);
  work.share = 0.5;
  work.duration = kLong / 2;
  EXPECT_EQ(launch(kWork, stream()), 0);
  EXPECT_LT(kernel(2).end, kernel(1).start);
}

TEST_F(Overlap, AtMost128KernelsAreResident) {
  FakeKernel& work = add_kernel(kWork);
  work.duration = 100 * kLong;
  work.share = 0.001;
  for (int i = 0; i < 130; ++i) {
    EXPECT_EQ(launch(kWork, stream()), 0);
  }
  EXPECT_LT(kernel(127).start, kernel(0).end);
  EXPECT_GE(kernel(129).start, kernel(0).end);
}

}  // namespace
}  // namespace hpml::sim::cudart
