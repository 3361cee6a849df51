// What the runtime tells a program that is wrong, host functions in streams, and what is recorded.
#include "simulator/cudart/api/launch_attribute.hpp"
#include "simulator/cudart/runtime/advice.hpp"
#include "simulator/tests/cudart/graph_rig.hpp"

extern "C" {
int cudaProfilerStart();
int cudaProfilerStop();
int cudaLaunchKernelExC(const void*, const void*, void**);
int cudaDeviceSetLimit(int, size_t);
int cudaDeviceGetLimit(size_t*, int);
}

namespace hpml::sim::cudart {
namespace {

class Program : public GraphTest {};

TEST_F(Program, AFailedLaunchIsExplainedOnce) {
  FakeKernel& kernel = add_kernel(kWork);
  kernel.check = device::LaunchError::invalid_value;
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(kWork), 1);
  EXPECT_EQ(launch(kWork), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "gpusim: kernel was not launched: too much\n");
}

TEST_F(Program, ALaunchErrorNobodyAskedForIsMentionedAtTheEnd) {
  add_kernel(kWork).check = device::LaunchError::invalid_value;
  EXPECT_EQ(launch(kWork), 1);
  EXPECT_TRUE(advice_at_end(*runtime_).empty());  // the function has returned it
  device::Dim3 grid, block;
  size_t shared = 0;
  void* stream = nullptr;
  __cudaPushCallConfiguration({1, 1, 1}, {32, 1, 1}, 0, nullptr);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), 0);
  EXPECT_EQ(launch(kWork), 1);
  ASSERT_EQ(advice_at_end(*runtime_).size(), 1u);
  EXPECT_NE(advice_at_end(*runtime_)[0].find("cudaErrorInvalidValue and the program never asked"), std::string::npos);
  EXPECT_EQ(cudaGetLastError(), 1);
  EXPECT_TRUE(advice_at_end(*runtime_).empty());
}

TEST_F(Program, KernelsStillRunningAtTheEndAreMentioned) {
  FakeKernel& kernel = add_kernel(kWork);
  kernel.output = "hello\n";
  EXPECT_EQ(launch(kWork), 0);
  ASSERT_EQ(advice_at_end(*runtime_).size(), 1u);
  EXPECT_EQ(advice_at_end(*runtime_)[0],
            "the program ended while a kernel was still running and what they printed was "
            "lost: call cudaDeviceSynchronize() before the end");
  testing::internal::CaptureStdout();
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello\n");
  EXPECT_TRUE(advice_at_end(*runtime_).empty());
}

TEST_F(Program, HostFunctionsRunWhenTheHostWaitsForThem) {
  add_kernel(kWork);
  int calls = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, count, &calls), 0);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(Program, HostFunctionsRunBeforeTheWorkBehindThem) {
  std::vector<std::string> order;
  add_kernel(kWork).body = [&](const device::LaunchRequest&) { order.push_back("kernel"); };
  const auto note = [](void* list) { static_cast<std::vector<std::string>*>(list)->push_back("host"); };
  EXPECT_EQ(cudaLaunchHostFunc(nullptr, note, &order), 0);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(order, (std::vector<std::string>{"host", "kernel"}));
}

TEST_F(Program, HostFunctionsMustNotCallCuda) {
  start();
  int code = -1;
  EXPECT_EQ(cudaLaunchHostFunc(
                nullptr, [](void* out) { *static_cast<int*>(out) = cudaFree(nullptr); }, &code),
            0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(code, 800);
}

TEST_F(Program, CallbacksHearOfTheDevicesErrorAndHostFunctionsAreNotCalled) {
  add_kernel(kWork).trap = device::Trap{.kind = device::TrapKind::illegal_address, .message = "bad"};
  int status = -1, calls = 0;
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaStreamAddCallback(
                nullptr, [](void*, int error, void* out) { *static_cast<int*>(out) = error; }, &status, 0),
            0);
  EXPECT_EQ(cudaLaunchHostFunc(
                nullptr, [](void* counter) { ++*static_cast<int*>(counter); }, &calls),
            0);
  EXPECT_EQ(cudaDeviceSynchronize(), 700);
  EXPECT_EQ(status, 700);
  EXPECT_EQ(calls, 0);
}

TEST_F(Program, ProfilerMarksChooseWhatIsRecorded) {
  add_kernel(kWork);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(log().kernels.size(), 1u);
  EXPECT_EQ(cudaProfilerStart(), 0);
  EXPECT_EQ(log().kernels.size(), 0u);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaProfilerStop(), 0);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(log().kernels.size(), 1u);
  EXPECT_EQ(cudaProfilerStart(), 0);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(log().kernels.size(), 2u);
  EXPECT_EQ(log().kernel_count, 4u);
}

TEST_F(Program, ClustersOfALaunchReachTheDeviceAndItsVerdictTheProgram) {
  FakeKernel& kernel = add_kernel(kWork);
  std::optional<device::Dim3> asked;
  kernel.body = [&](const device::LaunchRequest& request) { asked = request.cluster; };
  LaunchAttribute attribute{};
  attribute.id = kAttributeClusterDimension;
  attribute.value.cluster[0] = 4;
  attribute.value.cluster[1] = attribute.value.cluster[2] = 1;
  const LaunchConfig config{{4, 1, 1}, {32, 1, 1}, 0, nullptr, &attribute, 1};
  EXPECT_EQ(cudaLaunchKernelExC(&config, kWork, nullptr), 0);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->x, 4u);
  kernel.check = device::LaunchError::no_clusters;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kWork, nullptr), 801);
  kernel.check = device::LaunchError::invalid_cluster_size;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kWork, nullptr), 912);
  kernel.check = device::LaunchError::none;
  attribute.value.cluster[0] = attribute.value.cluster[1] = attribute.value.cluster[2] = 0;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kWork, nullptr), 0);
  EXPECT_FALSE(asked);
  attribute.id = 99;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kWork, nullptr), 1);
}

TEST_F(Program, LimitsReachTheDevice) {
  start();
  size_t value = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&value, 0), 0);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(cudaDeviceSetLimit(0, 5000), 0);
  EXPECT_EQ(device_->limits[device::Limit::stack_bytes], 5008u);  // whole units of 16
  EXPECT_EQ(cudaDeviceSetLimit(2, uint64_t{64} << 20), 0);
  EXPECT_EQ(device_->limits[device::Limit::malloc_heap_bytes], uint64_t{64} << 20);
  EXPECT_EQ(cudaDeviceSetLimit(2, uint64_t{1} << 50), 1);
  EXPECT_EQ(cudaDeviceSetLimit(3, 2), 215);
  EXPECT_EQ(cudaDeviceGetLimit(&value, 6), 215);  // persisting L2 is there from compute capability 8.0 on
}

TEST_F(Program, AFullPrintfBufferLosesTheOldestLines) {
  FakeKernel& kernel = add_kernel(kWork);
  EXPECT_EQ(cudaDeviceSetLimit(1, 12), 0);
  kernel.output = "one\n";
  EXPECT_EQ(launch(kWork), 0);
  kernel.output = "two\nthree\n";
  EXPECT_EQ(launch(kWork), 0);
  testing::internal::CaptureStdout();
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "two\nthree\n");
}

}  // namespace
}  // namespace hpml::sim::cudart
