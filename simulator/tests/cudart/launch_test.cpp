#include <cstring>

#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

class Launch : public RuntimeTest {};

TEST_F(Launch, AnUnknownStubIsAnInvalidDeviceFunction) {
  start();
  EXPECT_EQ(launch("nobody"), 98);
  EXPECT_EQ(cudaGetLastError(), 98);
}

TEST_F(Launch, ChecksOfTheDeviceAreReturnedAndNothingRuns) {
  FakeKernel& kernel = add_kernel(kWork);
  EXPECT_EQ(cudaLaunchKernel(kWork, {0, 1, 1}, {32, 1, 1}, nullptr, 0, nullptr), 9);
  EXPECT_EQ(cudaLaunchKernel(kWork, {1, 1, 1}, {1025, 1, 1}, nullptr, 0, nullptr), 9);
  kernel.check = device::LaunchError::invalid_value;
  EXPECT_EQ(launch(kWork), 1);
  kernel.check = device::LaunchError::out_of_resources;
  EXPECT_EQ(launch(kWork), 701);
  kernel.check = device::LaunchError::cooperative_too_large;
  EXPECT_EQ(launch(kWork), 720);
  EXPECT_EQ(device_->launches, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);  // none of these is sticky
}

TEST_F(Launch, UnknownStreamsAreRefused) {
  add_kernel(kWork);
  int not_a_stream = 0;
  EXPECT_EQ(launch(kWork, &not_a_stream), 400);
}

TEST_F(Launch, ArgumentsAreCopiedAsThePtxDeclaresThem) {
  FakeKernel& kernel = add_kernel(kWork);
  kernel.info.params = {{.offset = 0, .size = 8, .align = 8}, {.offset = 8, .size = 4, .align = 4}};
  kernel.info.param_bytes = 12;
  std::vector<std::byte> seen;
  kernel.body = [&](const device::LaunchRequest& request) {
    seen.assign(request.params.begin(), request.params.end());
  };
  uint64_t pointer = 0x1122334455667788;
  float factor = 1.5F;
  void* arguments[] = {&pointer, &factor};
  EXPECT_EQ(cudaLaunchKernel(kWork, {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr), 0);
  ASSERT_EQ(seen.size(), 12u);
  EXPECT_EQ(std::memcmp(seen.data(), &pointer, 8), 0);
  EXPECT_EQ(std::memcmp(seen.data() + 8, &factor, 4), 0);
}

TEST_F(Launch, AKernelWithoutParametersNeverReadsItsArguments) {
  add_kernel(kWork);
  auto** wild = reinterpret_cast<void**>(uintptr_t{8});
  EXPECT_EQ(cudaLaunchKernel(kWork, {1, 1, 1}, {32, 1, 1}, wild, 0, nullptr), 0);
}

TEST_F(Launch, ConfigurationsAreAStack) {
  int stream = 0;
  EXPECT_EQ(__cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, &stream), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration({9, 9, 9}, {8, 8, 8}, 0, nullptr), 0u);
  Dim3 grid, block;
  size_t shared = 1;
  void* out = nullptr;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &out), 0);
  EXPECT_EQ(grid.x, 9u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &out), 0);
  EXPECT_EQ(grid.y, 2u);
  EXPECT_EQ(block.z, 6u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(out, &stream);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &out), 52);
}

TEST_F(Launch, ModulesAreReadAtTheFirstLaunchOnly) {
  add_kernel(kWork);
  EXPECT_TRUE(device_->loaded.empty());
  EXPECT_EQ(launch(kWork), 0);
  ASSERT_EQ(device_->loaded.size(), 1u);
  EXPECT_EQ(device_->loaded[0].ptx, ptx_);
  EXPECT_EQ(device_->loaded[0].name, "<fat binary 1 of ./test>");
}

TEST_F(Launch, BadPtxIsReportedByTheLaunchThatNeedsIt) {
  ptx_ = ".version 7.5\nbad\n";
  wrapper_.data = ptx_.c_str();
  add_kernel(kWork);
  EXPECT_EQ(launch(kWork), 218);
  EXPECT_EQ(launch(kWork), 218);
}

TEST_F(Launch, DamagedFatBinariesAreInvalidImages) {
  wrapper_.version = 9;
  add_kernel(kWork);
  EXPECT_EQ(launch(kWork), 200);
}

TEST_F(Launch, DeviceOutputAppearsAtTheSynchronisation) {
  add_kernel(kWork).output = "hello from the device\n";
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(kWork), 0);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  testing::internal::CaptureStdout();
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello from the device\n");
}

TEST_F(Launch, SymbolsAreFoundByTheirHostShadow) {
  add_kernel(kWork);
  char shadow = 0;
  __cudaRegisterVar(handle_, &shadow, nullptr, "table", 0, 16, 1, 0);
  device_->symbols["table"] = {reinterpret_cast<uint64_t>(allocate(16)), 16};
  const std::array<int, 4> in = {1, 2, 3, 4};
  std::array<int, 2> out{};
  EXPECT_EQ(cudaMemcpyToSymbol(&shadow, in.data(), 16, 0, kHostToDevice), 0);
  EXPECT_EQ(cudaMemcpyFromSymbol(out.data(), &shadow, 8, 8, kDeviceToHost), 0);
  EXPECT_EQ(out, (std::array<int, 2>{3, 4}));
  EXPECT_EQ(cudaMemcpyToSymbol(&shadow, in.data(), 16, 4, kHostToDevice), 1);
  EXPECT_EQ(cudaMemcpyToSymbol(&out, in.data(), 4, 0, kHostToDevice), 13);
}

TEST_F(Launch, ManagedVariablesAreReadyWhenTheModuleIsInitialised) {
  add_kernel(kWork);
  void* host_pointer = nullptr;
  __cudaRegisterManagedVar(handle_, &host_pointer, nullptr, "total", 0, 4, 0, 0);
  device_->symbols["total"] = {0x1234000, 4};
  EXPECT_NE(__cudaInitModule(handle_), 0);
  EXPECT_EQ(host_pointer, reinterpret_cast<void*>(uintptr_t{0x1234000}));
}

TEST_F(Launch, AvailableSharedMemoryIsTheMostThatKeepsTheBlocksResident) {
  add_kernel(kWork);
  size_t bytes = 0;
  EXPECT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kWork, 4, 128), 0);
  EXPECT_EQ(bytes, 16384u);
}

TEST_F(Launch, DevicesAreCountedAndChecked) {
  int count = 0, device = -1, attribute = 0, can = 1;
  EXPECT_EQ(cudaGetDeviceCount(&count), 0);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), 0);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetAttribute(&attribute, 16, 0), 0);
  EXPECT_EQ(attribute, 40);
  EXPECT_EQ(cudaDeviceGetAttribute(&attribute, 75, 0), 0);
  EXPECT_EQ(attribute, 7);
  EXPECT_EQ(cudaDeviceGetAttribute(&attribute, 9999, 0), 1);
  for (int named = 1; named <= 147; ++named) {  // in CUDA 13's cuda.h
    EXPECT_EQ(cudaDeviceGetAttribute(&attribute, named, 0), 0) << named;
  }
  // Cooperative launches on several devices, handles for other processes, tensor maps, multicast.
  for (const int refused : {96, 103, 132}) {
    attribute = 7;
    EXPECT_EQ(cudaDeviceGetAttribute(&attribute, refused, 0), 0);
    EXPECT_EQ(attribute, 0);
  }
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), 0);
  EXPECT_EQ(can, 0);
}

}  // namespace
}  // namespace hpml::sim::cudart
