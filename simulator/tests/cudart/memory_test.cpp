#include <array>
#include <numeric>

#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

class Memory : public RuntimeTest {};

TEST_F(Memory, MallocOfZeroBytesGivesNull) {
  void* pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), 0);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaFree(pointer), 0);
}

TEST_F(Memory, AllocationsAreAlignedTo512) {
  allocate(1);
  EXPECT_EQ(reinterpret_cast<uint64_t>(allocate(1)) % 512, 0u);
}

TEST_F(Memory, MoreThanTheDeviceHasIsOutOfMemory) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, uint64_t{2} << 30), 2);
}

TEST_F(Memory, FreeOfWrongPointersIsInvalid) {
  void* pointer = allocate(1024);
  int on_stack = 0;
  EXPECT_EQ(cudaFree(&on_stack), 1);
  EXPECT_EQ(cudaFree(static_cast<char*>(pointer) + 4), 1);
  EXPECT_EQ(cudaFreeHost(pointer), 1);
  EXPECT_EQ(cudaFree(pointer), 0);
  EXPECT_EQ(cudaFree(pointer), 1);  // twice
}

TEST_F(Memory, FreeWaitsForTheDevice) {
  add_kernel(kWork).duration = 5000 * kMicrosecond;
  void* pointer = allocate(64);
  const Picoseconds before = now();
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaFree(pointer), 0);
  EXPECT_GE(now() - before, 5000 * kMicrosecond);
}

TEST_F(Memory, MemGetInfoCountsWhatIsAllocated) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), 0);
  allocate(1 << 20);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), 0);
  EXPECT_EQ(total, uint64_t{1} << 30);
  EXPECT_EQ(before - after, 1u << 20);
}

TEST_F(Memory, ManagedAllocationNeedsASizeAndAKnownFlag) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMallocManaged(&pointer, 0, 1), 1);
  EXPECT_EQ(cudaMallocManaged(&pointer, 64, 77), 1);
  EXPECT_EQ(cudaMallocManaged(&pointer, 64, 1), 0);
  static_cast<char*>(pointer)[63] = 5;  // the host can use it
  EXPECT_EQ(cudaFree(pointer), 0);
}

TEST_F(Memory, RoundTripKeepsTheBytes) {
  std::array<int, 256> in{}, out{};
  std::iota(in.begin(), in.end(), 7);
  void* a = allocate(sizeof(in));
  void* b = allocate(sizeof(in));
  EXPECT_EQ(cudaMemcpy(a, in.data(), sizeof(in), kHostToDevice), 0);
  EXPECT_EQ(cudaMemcpy(b, a, sizeof(in), kDeviceToDevice), 0);
  EXPECT_EQ(cudaMemcpy(out.data(), b, sizeof(in), kDefault), 0);
  EXPECT_EQ(in, out);
}

TEST_F(Memory, CopiesAreCheckedAgainstTheAllocationAndTheDirection) {
  std::array<char, 128> host{};
  void* device = allocate(64);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 65, kHostToDevice), 1);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 64, kDeviceToHost), 1);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data(), 64, kHostToDevice), 1);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 64, 9), 21);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 64, kHostToDevice), 1);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, kHostToDevice), 0);
}

TEST_F(Memory, CopyAfterFreeIsInvalid) {
  char host[64] = {};
  void* device = allocate(64);
  EXPECT_EQ(cudaFree(device), 0);
  EXPECT_EQ(cudaMemcpy(device, host, 64, kHostToDevice), 1);
}

TEST_F(Memory, TwoDimensionalCopySkipsThePadding) {
  const std::array<char, 12> in = {'a', 'b', 'c', '.', 'd', 'e', 'f', '.', 'g', 'h', 'i', '.'};
  std::array<char, 9> out{};
  void* device = nullptr;
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, 3, 3), 0);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(cudaMemcpy2D(device, pitch, in.data(), 4, 3, 3, kHostToDevice), 0);
  EXPECT_EQ(cudaMemcpy2D(out.data(), 3, device, pitch, 3, 3, kDeviceToHost), 0);
  EXPECT_EQ(std::string(out.data(), 9), "abcdefghi");
  EXPECT_EQ(cudaMemcpy2D(out.data(), 2, device, pitch, 3, 3, kDeviceToHost), 12);
  EXPECT_EQ(cudaMemcpy2D(out.data(), 2, device, pitch, 3, 1, kDeviceToHost), 12);  // even where it is not used
}

// CUDA runtime API, cudaMemset2D: an invalid value, and the pitch is unused where there is one row.
TEST_F(Memory, RowsOfAFillMustNotOverlap) {
  void* device = allocate(64);
  EXPECT_EQ(cudaMemset2D(device, 2, 7, 3, 2), 1);
  EXPECT_EQ(cudaMemset2D(device, 2, 7, 3, 1), 0);
  EXPECT_EQ(cudaMemset2D(device, 3, 7, 3, 2), 0);
}

TEST_F(Memory, MemsetFillsBytes) {
  std::array<unsigned char, 8> out{};
  void* device = allocate(8);
  EXPECT_EQ(cudaMemset(device, 0xAB, 8), 0);
  EXPECT_EQ(cudaMemcpy(out.data(), device, 8, kDeviceToHost), 0);
  EXPECT_THAT(out, testing::Each(0xAB));
  EXPECT_EQ(cudaMemset(out.data(), 0, 8), 1);  // a host pointer
}

TEST_F(Memory, PinnedCopiesAreFasterAndAsynchronous) {
  constexpr size_t kBytes = 1 << 20;
  void* device = allocate(kBytes);
  void* pinned = nullptr;
  EXPECT_EQ(cudaMallocHost(&pinned, kBytes), 0);
  const Picoseconds before = now();
  EXPECT_EQ(cudaMemcpyAsync(device, pinned, kBytes, kHostToDevice, nullptr), 0);
  EXPECT_LT(now() - before, 10 * kMicrosecond);  // only the call
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_GE(now() - before, static_cast<Picoseconds>(kBytes) * 100);
  EXPECT_TRUE(log().copies.back().pinned);
}

TEST_F(Memory, RegisteringTwiceAndUnregisteringStrangersFail) {
  std::vector<char> host(8192);
  start();
  EXPECT_EQ(cudaHostRegister(host.data(), host.size(), 0), 0);
  EXPECT_EQ(cudaHostRegister(host.data(), host.size(), 0), 712);
  EXPECT_EQ(cudaHostUnregister(host.data()), 0);
  EXPECT_EQ(cudaHostUnregister(host.data()), 713);
}

}  // namespace
}  // namespace hpml::sim::cudart
