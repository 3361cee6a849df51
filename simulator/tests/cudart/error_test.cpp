// The rules of CUDA's error state, and the codes and texts of the real runtime (CUDA 13.0).
#include <set>

#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

device::Trap trap(device::TrapKind kind) { return {kind, "kernel work: block (0,0,0) thread (0,0,0): test fault"}; }

TEST(ErrorText, IsThatOfTheRealRuntime) {
  EXPECT_STREQ(error_name(0), "cudaSuccess");
  EXPECT_STREQ(error_string(0), "no error");
  EXPECT_STREQ(error_name(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(error_string(700), "an illegal memory access was encountered");
  EXPECT_STREQ(error_string(222), "the provided PTX was compiled with an unsupported toolchain.");
  EXPECT_STREQ(error_name(12345), "unrecognized error code");
  EXPECT_STREQ(error_string(-1), "unrecognized error code");
}

TEST(ErrorText, EveryCodeThatTheRuntimeReturnsHasAText) {
  for (int code : {1,   2,   3,   9,   12,  13,  21,  52,  98,  100, 101, 200, 209, 215, 218, 400,
                   600, 700, 701, 702, 705, 710, 712, 713, 715, 716, 717, 718, 719, 720, 801, 999}) {
    EXPECT_NE(error_text(code), nullptr) << code;
  }
}

class ErrorState : public RuntimeTest {};

TEST_F(ErrorState, GetLastErrorReturnsAndClears) {
  EXPECT_EQ(cudaSetDevice(7), 101);
  EXPECT_EQ(cudaGetLastError(), 101);
  EXPECT_EQ(cudaGetLastError(), 0);
}

TEST_F(ErrorState, PeekDoesNotClear) {
  EXPECT_EQ(cudaSetDevice(7), 101);
  EXPECT_EQ(cudaPeekAtLastError(), 101);
  EXPECT_EQ(cudaPeekAtLastError(), 101);
}

TEST_F(ErrorState, SuccessDoesNotClear) {
  EXPECT_EQ(cudaSetDevice(-1), 101);
  EXPECT_EQ(cudaSetDevice(0), 0);
  EXPECT_EQ(cudaGetLastError(), 101);
}

TEST_F(ErrorState, NotReadyIsNotStored) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaStreamQuery(nullptr), 600);
  EXPECT_EQ(cudaGetLastError(), 0);
}

TEST_F(ErrorState, AFaultSurfacesAtTheNextSynchronisationAndStays) {
  add_kernel(kWork).trap = trap(device::TrapKind::illegal_address);
  void* memory = allocate(64);
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaGetLastError(), 0);  // the kernel has not run yet as far as the host can know
  EXPECT_EQ(cudaDeviceSynchronize(), 700);
  EXPECT_EQ(cudaGetLastError(), 700);
  EXPECT_EQ(cudaGetLastError(), 700);  // nothing heals it
  EXPECT_EQ(cudaFree(memory), 700);
  EXPECT_EQ(cudaMalloc(&memory, 64), 700);
  EXPECT_EQ(launch(kWork), 700);
  EXPECT_EQ(cudaDeviceReset(), 700);
}

TEST_F(ErrorState, ABlockingCopySurfacesAFault) {
  add_kernel(kWork).trap = trap(device::TrapKind::trap_instruction);
  void* memory = allocate(64);
  char host[64];
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaMemcpy(host, memory, 64, kDeviceToHost), 719);
}

TEST_F(ErrorState, WorkBehindAFaultIsNotExecuted) {
  add_kernel(kWork).trap = trap(device::TrapKind::illegal_address);
  add_kernel("next");
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(launch("next"), 0);
  EXPECT_EQ(device_->launches, 1);
}

TEST_F(ErrorState, EveryTrapHasItsCode) {
  const std::map<device::TrapKind, int> codes = {{device::TrapKind::illegal_address, 700},
                                                 {device::TrapKind::misaligned_address, 716},
                                                 {device::TrapKind::invalid_address_space, 717},
                                                 {device::TrapKind::shared_out_of_bounds, 719},
                                                 {device::TrapKind::local_out_of_bounds, 719},
                                                 {device::TrapKind::stack_overflow, 719},
                                                 {device::TrapKind::trap_instruction, 719},
                                                 {device::TrapKind::assertion, 710},
                                                 {device::TrapKind::illegal_instruction, 715},
                                                 {device::TrapKind::invalid_pc, 718},
                                                 {device::TrapKind::timeout, 702},
                                                 {device::TrapKind::deadlock, 702}};
  for (const auto& [kind, code] : codes) {
    EXPECT_EQ(static_cast<int>(error_of(kind)), code);
  }
}

TEST_F(ErrorState, IsPerThread) {
  EXPECT_EQ(cudaSetDevice(7), 101);
  const ThreadState mine = this_thread();
  this_thread() = {};  // what another thread would see
  EXPECT_EQ(cudaGetLastError(), 0);
  this_thread() = mine;
  EXPECT_EQ(cudaGetLastError(), 101);
}

}  // namespace
}  // namespace hpml::sim::cudart
