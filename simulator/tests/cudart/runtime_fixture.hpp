#pragma once
// A fresh runtime over a FakeDevice for each test, and the entry points under test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/cudart/api/common.hpp"
#include "simulator/fatbin/wrapper.hpp"
#include "simulator/tests/cudart/fake_device.hpp"

extern "C" {
int cudaGetLastError();
int cudaPeekAtLastError();
int cudaMalloc(void**, size_t);
int cudaMallocManaged(void**, size_t, unsigned);
int cudaMallocHost(void**, size_t);
int cudaMallocPitch(void**, size_t*, size_t, size_t);
int cudaFree(void*);
int cudaFreeHost(void*);
int cudaMemGetInfo(size_t*, size_t*);
int cudaHostRegister(void*, size_t, unsigned);
int cudaHostUnregister(void*);
int cudaMemcpy(void*, const void*, size_t, int);
int cudaMemcpyAsync(void*, const void*, size_t, int, void*);
int cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, int);
int cudaMemcpyToSymbol(const void*, const void*, size_t, size_t, int);
int cudaMemcpyFromSymbol(void*, const void*, size_t, size_t, int);
int cudaMemset(void*, int, size_t);
int cudaMemset2D(void*, size_t, int, size_t, size_t);
int cudaStreamCreate(void**);
int cudaStreamCreateWithFlags(void**, unsigned);
int cudaStreamDestroy(void*);
int cudaStreamSynchronize(void*);
int cudaStreamQuery(void*);
int cudaStreamWaitEvent(void*, void*, unsigned);
int cudaEventCreate(void**);
int cudaEventCreateWithFlags(void**, unsigned);
int cudaEventDestroy(void*);
int cudaEventRecord(void*, void*);
int cudaEventQuery(void*);
int cudaEventSynchronize(void*);
int cudaEventElapsedTime(float*, void*, void*);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaSetDevice(int);
int cudaGetDevice(int*);
int cudaGetDeviceCount(int*);
int cudaDeviceGetAttribute(int*, int, int);
int cudaDeviceCanAccessPeer(int*, int, int);
int cudaLaunchKernel(const void*, hpml::sim::device::Dim3, hpml::sim::device::Dim3, void**, size_t, void*);
unsigned __cudaPushCallConfiguration(hpml::sim::device::Dim3, hpml::sim::device::Dim3, size_t, void*);
int __cudaPopCallConfiguration(hpml::sim::device::Dim3*, hpml::sim::device::Dim3*, size_t*, void*);
int cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, const void*, int, int);
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int);
void __cudaRegisterManagedVar(void**, void**, char*, const char*, int, size_t, int, int);
char __cudaInitModule(void**);
}

namespace hpml::sim::cudart {

inline constexpr int kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 3, kDefault = 4;

class RuntimeTest : public testing::Test {
 protected:
  explicit RuntimeTest(size_t devices = 1) {
    Config config;
    config.gpus.assign(devices, "fake");
    config.program = "./test";
    runtime_ = std::make_unique<Runtime>(config, [this](const device::Options& options) {
      auto device = std::make_unique<FakeDevice>(options.index);
      device_ = options.index == 0 ? device.get() : device_;
      if (on_start) {
        on_start(*device_);
      }
      return Result<std::unique_ptr<device::Device>>(std::unique_ptr<device::Device>(std::move(device)));
    });
    Runtime::replace(runtime_.get());
    this_thread() = {};
  }
  ~RuntimeTest() override { Runtime::replace(nullptr); }

  // Starts the device and registers a kernel under the address of its own name.
  FakeKernel& add_kernel(const char* name) {
    start();
    if (handle_ == nullptr) {
      handle_ = __cudaRegisterFatBinary(&wrapper_);
    }
    __cudaRegisterFunction(handle_, name, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    device_->kernels[name].info.name = name;
    return device_->kernels[name];
  }
  int launch(const char* stub, void* stream = nullptr) {
    return cudaLaunchKernel(stub, {1, 1, 1}, {32, 1, 1}, nullptr, 0, stream);
  }
  FakeDevice& start() {
    if (device_ == nullptr) {
      EXPECT_EQ(cudaFree(nullptr), 0);
    }
    return *device_;
  }
  void* allocate(size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, bytes), 0);
    return pointer;
  }
  Picoseconds now() const { return runtime_->clock.now(); }
  const Log& log() const { return runtime_->log; }

  std::function<void(FakeDevice&)> on_start;
  FakeDevice* device_ = nullptr;
  std::unique_ptr<Runtime> runtime_;
  std::string ptx_ = ".version 7.5\n.target sm_70\n";
  fatbin::FatbinWrapper wrapper_{fatbin::kWrapperMagic, 1, ptx_.c_str(), nullptr};
  void** handle_ = nullptr;
};

inline const char* const kWork = "work";  // stub and name of the kernel most tests launch

}  // namespace hpml::sim::cudart
