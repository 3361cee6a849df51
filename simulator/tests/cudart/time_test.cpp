// Simulated time: what waits for what. The fake device's costs are round: 1 us per call, 10 us per kernel.
#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

class Time : public RuntimeTest {
 protected:
  float elapsed(void* start, void* end) {
    float milliseconds = -1;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), 0);
    return milliseconds;
  }
  void* event() {
    void* made = nullptr;
    EXPECT_EQ(cudaEventCreate(&made), 0);
    return made;
  }
  void* stream(unsigned flags = 0) {
    void* made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, flags), 0);
    return made;
  }
  const Span& kernel(size_t index) { return log().kernels.at(index).span; }
};

TEST_F(Time, TheFirstCallPaysForTheContext) {
  start();
  EXPECT_GE(now(), 1000 * kMicrosecond);
  const Picoseconds after = now();
  EXPECT_EQ(cudaFree(nullptr), 0);
  EXPECT_LT(now() - after, 10 * kMicrosecond);
}

TEST_F(Time, ALaunchReturnsAfterItsOwnCostOnly) {
  add_kernel(kWork).duration = 92'000 * kMicrosecond;
  const Picoseconds before = now();
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(now() - before, kMicrosecond);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_GE(now() - before, 92'000 * kMicrosecond);
}

TEST_F(Time, TheHostHearsOfTheEndLaterAndAWaitForNothingIsShort) {
  add_kernel(kWork).duration = 92'000 * kMicrosecond;
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(now() - kernel(0).end, 5 * kMicrosecond);
  const Picoseconds idle = now();
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(now() - idle, kMicrosecond);
}

TEST_F(Time, EventsMeasureTheKernel) {
  add_kernel(kWork).duration = 1500 * kMicrosecond;
  void* start = event();
  void* end = event();
  EXPECT_EQ(cudaEventRecord(start, nullptr), 0);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaEventRecord(end, nullptr), 0);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), 600);  // not completed
  EXPECT_EQ(cudaEventQuery(end), 600);
  EXPECT_EQ(cudaEventSynchronize(end), 0);
  EXPECT_EQ(cudaEventQuery(end), 0);
  EXPECT_NEAR(elapsed(start, end), 1.5, 0.003);
}

TEST_F(Time, ElapsedTimeRefusesWrongEvents) {
  void* recorded = event();
  void* fresh = event();
  void* untimed = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&untimed, 2), 0);
  EXPECT_EQ(cudaEventRecord(recorded, nullptr), 0);
  EXPECT_EQ(cudaEventRecord(untimed, nullptr), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, recorded, fresh), 400);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, recorded, untimed), 400);
  EXPECT_EQ(cudaEventDestroy(recorded), 0);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, recorded, recorded), 400);
}

TEST_F(Time, KernelsOfOneStreamFollowEachOther) {
  add_kernel(kWork);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_GE(kernel(1).start, kernel(0).end);
}

TEST_F(Time, CopiesAndKernelsOfDifferentStreamsOverlap) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  void* device = allocate(1 << 20);
  void* pinned = nullptr;
  EXPECT_EQ(cudaMallocHost(&pinned, 1 << 20), 0);
  EXPECT_EQ(launch(kWork, stream()), 0);
  EXPECT_EQ(cudaMemcpyAsync(device, pinned, 1 << 20, kHostToDevice, stream()), 0);
  EXPECT_LT(log().copies.back().span.start, kernel(0).end);
}

TEST_F(Time, LegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  void* other = stream();
  EXPECT_EQ(launch(kWork, other), 0);
  EXPECT_EQ(launch(kWork, nullptr), 0);
  EXPECT_EQ(launch(kWork, other), 0);
  EXPECT_GE(kernel(1).start, kernel(0).end);
  EXPECT_GE(kernel(2).start, kernel(1).end);
}

TEST_F(Time, NonBlockingStreamsDoNotWaitForTheLegacyStream) {
  void* device = allocate(1 << 20);
  void* pinned = nullptr;
  EXPECT_EQ(cudaMallocHost(&pinned, 1 << 20), 0);
  add_kernel(kWork).duration = 10'000 * kMicrosecond;
  EXPECT_EQ(launch(kWork, nullptr), 0);
  EXPECT_EQ(cudaMemcpyAsync(device, pinned, 1 << 20, kHostToDevice, stream(1)), 0);
  EXPECT_LT(log().copies.back().span.start, kernel(0).end);
  EXPECT_EQ(cudaMemcpyAsync(device, pinned, 1 << 20, kHostToDevice, stream(0)), 0);
  EXPECT_GE(log().copies.back().span.start, kernel(0).end);
}

TEST_F(Time, StreamsWaitForEventsOfOtherStreams) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  void* a = stream(1);
  void* b = stream(1);
  void* done = event();
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaEventRecord(done, a), 0);
  EXPECT_EQ(cudaStreamWaitEvent(b, done, 0), 0);
  EXPECT_EQ(cudaStreamQuery(b), 600);
  EXPECT_EQ(cudaStreamSynchronize(b), 0);
  EXPECT_GE(now(), kernel(0).end);
}

TEST_F(Time, DestroyedStreamsAreUnknownButTheirWorkIsWaitedFor) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  void* a = stream();
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaStreamDestroy(a), 0);
  EXPECT_EQ(cudaStreamSynchronize(a), 400);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_GE(now(), kernel(0).end);
}

TEST_F(Time, ClockReadsAdvanceAndNeverCoincide) {
  start();
  const int64_t first = runtime_->read_clock_ns();
  const int64_t second = runtime_->read_clock_ns();
  EXPECT_EQ(second - first, 25);
}

TEST_F(Time, HostFaultsOfManagedMemoryCostHostTime) {
  start().host_fault_time = 777 * kMicrosecond;
  const Picoseconds before = now();
  runtime_->read_clock_ns();
  EXPECT_GE(now() - before, 777 * kMicrosecond);
}

}  // namespace
}  // namespace hpml::sim::cudart
