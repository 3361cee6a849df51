// Stream capture: what becomes a node, what is forbidden meanwhile, and with which code.
// Expected codes: CUDA runtime API, "Stream Management" and the texts of cudaError_t 900 to 908.
#include <thread>

#include "simulator/tests/cudart/graph_rig.hpp"

namespace hpml::sim::cudart {
namespace {

class CaptureRules : public GraphTest {
 protected:
  void begin(void* stream, int mode = kGlobal) { ASSERT_EQ(cudaStreamBeginCapture(stream, mode), 0); }
  int end(void* stream) {
    captured_ = &captured_;
    return cudaStreamEndCapture(stream, &captured_);
  }
  void* captured_ = nullptr;
};

TEST_F(CaptureRules, CapturedWorkDoesNotRunUntilTheGraphIsLaunched) {
  add_kernel(kWork);
  void* s = stream();
  void* device = allocate(64);
  begin(s);
  EXPECT_EQ(launch(kWork, s), 0);
  EXPECT_EQ(cudaMemsetAsync(device, 1, 64, s), 0);
  EXPECT_EQ(device_->launches, 0);
  EXPECT_EQ(end(s), 0);
  const auto all = nodes(captured_);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(type(all[0]), kKernelNode);
  EXPECT_EQ(type(all[1]), kMemsetNode);
  void* exec = instantiate(captured_);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);
  EXPECT_EQ(device_->launches, 2);
  EXPECT_GE(log().kernels[1].span.start, log().copies[0].span.end);
}

TEST_F(CaptureRules, TheLegacyStreamCannotBeCaptured) {
  start();
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, kGlobal), 900);
  EXPECT_EQ(cudaStreamEndCapture(stream(), &captured_), 401);
  EXPECT_EQ(cudaStreamBeginCapture(stream(), 3), 1);
}

TEST_F(CaptureRules, WaitingForACapturingStreamInvalidatesItsCapture) {
  void* s = stream();
  begin(s);
  EXPECT_EQ(cudaStreamSynchronize(s), 900);
  int status = 0;
  EXPECT_EQ(cudaStreamIsCapturing(s, &status), 0);
  EXPECT_EQ(status, 2);
  EXPECT_EQ(end(s), 901);
  EXPECT_EQ(captured_, nullptr);
  EXPECT_EQ(cudaStreamSynchronize(s), 0);  // the capture is over
}

TEST_F(CaptureRules, DeviceSynchronizeIsForbiddenInEveryMode) {
  void* s = stream(1);
  begin(s, kRelaxed);
  EXPECT_EQ(cudaDeviceSynchronize(), 900);
  EXPECT_EQ(end(s), 901);
}

TEST_F(CaptureRules, TheLegacyStreamMustNotBeUsedWhileABlockingStreamIsCaptured) {
  add_kernel(kWork);
  void* s = stream();
  begin(s, kRelaxed);
  EXPECT_EQ(launch(kWork), 906);
  EXPECT_EQ(end(s), 901);
  void* apart = stream(1);
  begin(apart, kRelaxed);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(end(apart), 0);
}

TEST_F(CaptureRules, MallocIsForbiddenUnlessTheCaptureIsRelaxed) {
  void* s = stream();
  void* pointer = nullptr;
  begin(s, kGlobal);
  EXPECT_EQ(cudaMalloc(&pointer, 64), 900);
  EXPECT_EQ(end(s), 901);
  begin(s, kThreadLocal);
  EXPECT_EQ(cudaMalloc(&pointer, 64), 900);
  EXPECT_EQ(end(s), 901);
  begin(s, kRelaxed);
  EXPECT_EQ(cudaMalloc(&pointer, 64), 0);
  EXPECT_EQ(end(s), 0);
}

TEST_F(CaptureRules, AThreadCanAllowItselfUnsafeCalls) {
  void* s = stream();
  begin(s, kGlobal);
  int mode = kRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), 0);
  EXPECT_EQ(mode, kGlobal);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 64), 0);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), 0);
  EXPECT_EQ(mode, kRelaxed);
  EXPECT_EQ(end(s), 0);
}

TEST_F(CaptureRules, OtherThreadsAreForbiddenUnsafeCallsOnlyByGlobalCaptures) {
  void* s = stream();
  const auto malloc_elsewhere = [] {
    int code = -1;
    std::thread([&] {
      void* pointer = nullptr;
      code = cudaMalloc(&pointer, 64);
    }).join();
    return code;
  };
  begin(s, kThreadLocal);
  EXPECT_EQ(malloc_elsewhere(), 0);
  EXPECT_EQ(end(s), 0);
  begin(s, kGlobal);
  EXPECT_EQ(malloc_elsewhere(), 900);
  EXPECT_EQ(end(s), 901);
}

TEST_F(CaptureRules, OnlyTheThreadThatBeganMayEndUnlessRelaxed) {
  void* s = stream();
  const auto end_elsewhere = [&] {
    int code = -1;
    std::thread([&] { code = cudaStreamEndCapture(s, &captured_); }).join();
    return code;
  };
  begin(s, kThreadLocal);
  EXPECT_EQ(end_elsewhere(), 908);
  EXPECT_EQ(end(s), 0);
  begin(s, kRelaxed);
  EXPECT_EQ(end_elsewhere(), 0);
}

TEST_F(CaptureRules, EventsCarryACaptureToOtherStreamsAndBack) {
  add_kernel(kWork);
  void *a = stream(), *b = stream(), *fork = event(), *join = event();
  begin(a);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaEventRecord(fork, a), 0);
  EXPECT_EQ(cudaStreamWaitEvent(b, fork, 0), 0);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(launch(kWork, b), 0);
  EXPECT_EQ(cudaEventRecord(join, b), 0);
  EXPECT_EQ(cudaStreamWaitEvent(a, join, 0), 0);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaStreamEndCapture(b, &captured_), 903);  // not where it began: and that ends it badly
  EXPECT_EQ(end(a), 901);
}

TEST_F(CaptureRules, AForkedAndJoinedCaptureIsADiamond) {
  add_kernel(kWork);
  void *a = stream(), *b = stream(), *fork = event(), *join = event();
  begin(a);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaEventRecord(fork, a), 0);
  EXPECT_EQ(cudaStreamWaitEvent(b, fork, 0), 0);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(launch(kWork, b), 0);
  EXPECT_EQ(cudaEventRecord(join, b), 0);
  EXPECT_EQ(cudaStreamWaitEvent(a, join, 0), 0);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(end(a), 0);
  size_t edges = 0;
  EXPECT_EQ(graph_edges(captured_, nullptr, nullptr, nullptr, &edges), 0);
  EXPECT_EQ(nodes(captured_).size(), 4u);
  EXPECT_EQ(edges, 4u);
  size_t roots = 0;
  EXPECT_EQ(cudaGraphGetRootNodes(captured_, nullptr, &roots), 0);
  EXPECT_EQ(roots, 1u);
}

TEST_F(CaptureRules, WorkThatIsNotJoinedIsAnError) {
  add_kernel(kWork);
  void *a = stream(), *b = stream(), *fork = event();
  begin(a);
  EXPECT_EQ(launch(kWork, a), 0);
  EXPECT_EQ(cudaEventRecord(fork, a), 0);
  EXPECT_EQ(cudaStreamWaitEvent(b, fork, 0), 0);
  EXPECT_EQ(launch(kWork, b), 0);
  EXPECT_EQ(end(a), 904);
}

TEST_F(CaptureRules, ACaptureCannotWaitForUncapturedWork) {
  add_kernel(kWork);
  void *a = stream(), *done = event();
  EXPECT_EQ(cudaEventRecord(done, stream()), 0);
  begin(a);
  EXPECT_EQ(cudaStreamWaitEvent(a, done, 0), 905);
  EXPECT_EQ(end(a), 901);
}

TEST_F(CaptureRules, SeparateCapturesCannotMerge) {
  void *a = stream(), *b = stream(), *mark = event();
  begin(a);
  begin(b);
  EXPECT_EQ(cudaEventRecord(mark, a), 0);
  EXPECT_EQ(cudaStreamWaitEvent(b, mark, 0), 902);
  EXPECT_EQ(end(a), 901);
  EXPECT_EQ(end(b), 901);
}

TEST_F(CaptureRules, EventsOfACaptureCannotBeAskedOrWaitedFor) {
  void *a = stream(), *mark = event();
  begin(a);
  EXPECT_EQ(cudaEventRecord(mark, a), 0);
  EXPECT_EQ(cudaEventQuery(mark), 907);
  EXPECT_EQ(end(a), 901);
  EXPECT_EQ(cudaEventSynchronize(mark), 907);
  EXPECT_EQ(cudaEventRecord(mark, a), 0);  // recorded for real, it is an ordinary event again
  EXPECT_EQ(cudaEventSynchronize(mark), 0);
}

TEST_F(CaptureRules, CallbacksCannotBeCapturedButHostFunctionsCan) {
  void* s = stream();
  begin(s);
  EXPECT_EQ(cudaLaunchHostFunc(
                s, [](void* flag) { *static_cast<bool*>(flag) = true; }, &captured_),
            0);
  EXPECT_EQ(end(s), 0);
  EXPECT_EQ(type(nodes(captured_).at(0)), kHostNode);
  begin(s);
  EXPECT_EQ(cudaStreamAddCallback(
                s, [](void*, int, void*) {}, nullptr, 0),
            900);
  EXPECT_EQ(end(s), 901);
}

TEST_F(CaptureRules, StreamOrderedMemoryIsCapturedAsNodes) {
  void* s = stream();
  void* pointer = nullptr;
  begin(s);
  EXPECT_EQ(cudaMallocAsync(&pointer, 256, s), 0);
  EXPECT_EQ(cudaMemsetAsync(pointer, 7, 256, s), 0);
  EXPECT_EQ(cudaFreeAsync(pointer, s), 0);
  EXPECT_EQ(end(s), 0);
  void* exec = instantiate(captured_);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);  // freed by the first launch
  EXPECT_EQ(cudaFree(pointer), 1);
}

TEST_F(CaptureRules, MemoryAGraphLeavesAllocatedMustBeFreedBeforeTheNextLaunch) {
  void* s = stream();
  void* pointer = nullptr;
  begin(s);
  EXPECT_EQ(cudaMallocAsync(&pointer, 256, s), 0);
  EXPECT_EQ(end(s), 0);
  void* exec = instantiate(captured_);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 1);
  EXPECT_EQ(cudaFreeAsync(pointer, s), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, s), 0);
}

}  // namespace
}  // namespace hpml::sim::cudart
