// Two devices, managed ranges and pools: codes of the CUDA runtime API's chapters on devices, peers and memory.
#include "simulator/cudart/abi/version.hpp"
#include "simulator/cudart/runtime/managed_hints.hpp"
#include "simulator/tests/cudart/graph_rig.hpp"

extern "C" {
int cudaDeviceEnablePeerAccess(int, unsigned);
int cudaDeviceDisablePeerAccess(int);
int cudaMemcpyPeer(void*, int, const void*, int, size_t);
int cudaDeviceGetByPCIBusId(int*, const char*);
int cudaDeviceGetPCIBusId(char*, int, int);
int cudaMemRangeGetAttribute(void*, size_t, int, const void*, size_t);
int cudaDeviceGetDefaultMemPool(void**, int);
int cudaMemPoolGetAttribute(void*, int, void*);
int cudaMemPoolSetAttribute(void*, int, void*);
int cudaDeviceSetCacheConfig(int);
int cudaDeviceGetCacheConfig(int*);
}

namespace hpml::sim::cudart {
namespace {

class TwoDevices : public GraphTest {
 protected:
  TwoDevices() : GraphTest(2) { start(); }
  void* allocate_on(int ordinal) {
    EXPECT_EQ(cudaSetDevice(ordinal), 0);
    return allocate(256);
  }
};

TEST_F(TwoDevices, PointersBelongToTheDeviceThatMadeThem) {
  void* second = allocate_on(1);
  EXPECT_EQ(cudaSetDevice(0), 0);
  PointerAttributes attributes;
  EXPECT_EQ(pointer_attributes(second, attributes), 0);
  EXPECT_EQ(attributes.type, 2);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(cudaFree(second), 0);  // from any device
}

TEST_F(TwoDevices, EachKeepsItsOwnCachePreference) {
  int first = -1, second = -1;
  EXPECT_EQ(cudaDeviceSetCacheConfig(2), 0);
  EXPECT_EQ(cudaDeviceSetCacheConfig(4), 1);
  EXPECT_EQ(cudaDeviceGetCacheConfig(&first), 0);
  EXPECT_EQ(cudaSetDevice(1), 0);
  EXPECT_EQ(cudaDeviceGetCacheConfig(&second), 0);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 0);
}

TEST_F(TwoDevices, CopiesCrossDevices) {
  void *a = allocate_on(0), *b = allocate_on(1);
  const std::vector<char> host(256, 'x');
  std::vector<char> back(256);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 256, kHostToDevice), 0);
  EXPECT_EQ(cudaMemcpyPeer(b, 1, a, 0, 256), 0);
  EXPECT_EQ(cudaMemcpy(back.data(), b, 256, kDefault), 0);
  EXPECT_EQ(back, host);
  EXPECT_EQ(cudaMemcpyPeer(b, 2, a, 0, 256), 101);
}

TEST_F(TwoDevices, PeerAccessIsEnabledOnceAndInOneDirection) {
  void* first = allocate_on(0);
  void* second = allocate_on(1);
  EXPECT_EQ(cudaSetDevice(0), 0);
  memory::AddressSpace& own = runtime_->started(0)->memory();
  const auto address = reinterpret_cast<uint64_t>(second);
  EXPECT_EQ(own.find(address), nullptr);
  EXPECT_NE(own.out_of_reach(address), nullptr);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), 101);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), 1);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), 704);
  EXPECT_NE(own.find(address), nullptr);
  EXPECT_EQ(runtime_->started(1)->memory().find(reinterpret_cast<uint64_t>(first)), nullptr);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), 0);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), 705);
  EXPECT_EQ(own.find(address), nullptr);
}

TEST_F(TwoDevices, PinnedMemoryIsForBoth) {
  (void)allocate_on(1);
  EXPECT_EQ(cudaSetDevice(0), 0);
  void* pinned = nullptr;
  EXPECT_EQ(cudaMallocHost(&pinned, 64), 0);
  EXPECT_NE(runtime_->started(1)->memory().find(reinterpret_cast<uint64_t>(pinned)), nullptr);
}

TEST_F(TwoDevices, EventsAreRecordedInStreamsOfTheirOwnDeviceAndWaitedForAnywhere) {
  (void)allocate_on(1);
  void* other = stream();  // of device 1
  EXPECT_EQ(cudaSetDevice(0), 0);
  void* mark = event();
  EXPECT_EQ(cudaEventRecord(mark, other), 400);
  EXPECT_EQ(cudaEventRecord(mark, nullptr), 0);
  EXPECT_EQ(cudaStreamWaitEvent(other, mark, 0), 0);
  EXPECT_EQ(cudaStreamSynchronize(other), 0);
  add_kernel(kWork);
  EXPECT_EQ(launch(kWork, other), 400);  // kernels run on the thread's device only
}

TEST_F(TwoDevices, AFaultOfOneLeavesTheOtherWell) {
  (void)allocate_on(1);
  EXPECT_EQ(cudaSetDevice(0), 0);
  add_kernel(kWork).trap = device::Trap{.kind = device::TrapKind::illegal_address, .message = "bad"};
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 700);
  EXPECT_EQ(cudaSetDevice(1), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
}

TEST_F(TwoDevices, PciBusIdsNameDevices) {
  char text[16] = {};
  int ordinal = -1;
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, sizeof(text), 1), 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&ordinal, text), 0);
  EXPECT_EQ(ordinal, 1);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&ordinal, "0000:77:00.0"), 101);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&ordinal, "nonsense"), 1);
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, 5, 1), 1);
}

TEST_F(TwoDevices, AdviceIsRememberedByRange) {
  void* managed = nullptr;
  EXPECT_EQ(cudaMallocManaged(&managed, 1 << 20, 1), 0);
  int value = -1;
  EXPECT_EQ(mem_advise(managed, 1 << 19, 1, 0), 0);  // read mostly, the first half
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 4, 1, managed, 1 << 19), 0);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 4, 1, managed, 1 << 20), 0);
  EXPECT_EQ(value, 0);                                // not all of it
  EXPECT_EQ(mem_advise(managed, 1 << 20, 3, -1), 0);  // preferred location: the host
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 4, 2, managed, 1 << 20), 0);
  EXPECT_EQ(value, -1);
  EXPECT_EQ(mem_advise(managed, 1 << 20, 5, 0), 0);
  EXPECT_EQ(mem_advise(managed, 1 << 20, 5, 1), 0);
  int devices[3] = {9, 9, 9};
  EXPECT_EQ(cudaMemRangeGetAttribute(devices, 12, 3, managed, 1 << 20), 0);
  EXPECT_THAT(devices, testing::ElementsAre(0, 1, -2));
  EXPECT_EQ(mem_prefetch(managed, 1 << 20, 0, nullptr), 0);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 4, 4, managed, 1 << 20), 0);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(mem_advise(managed, 1 << 20, 5, 2), 101);
  EXPECT_EQ(mem_advise(managed, 1 << 20, 9, 0), 1);
  EXPECT_EQ(mem_advise(allocate(64), 64, 1, 0), 1);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 8, 1, managed, 1 << 20), 1);
}

TEST_F(TwoDevices, PoolsCountWhatIsUsedAndGiveBackWhatIsAboveTheThreshold) {
  EXPECT_EQ(cudaSetDevice(0), 0);
  void *pool = nullptr, *pointer = nullptr;
  uint64_t value = 0;
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), 0);
  EXPECT_EQ(cudaMallocAsync(&pointer, 1000, nullptr), 0);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, 7, &value), 0);
  EXPECT_EQ(value, 1000u);
  EXPECT_EQ(cudaFreeAsync(pointer, nullptr), 0);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, 5, &value), 0);
  EXPECT_GT(value, 0u);  // kept until the next synchronisation
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, 5, &value), 0);
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, 8, &value), 0);
  EXPECT_EQ(value, 1000u);
  value = 1;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, 8, &value), 1);  // high-water marks are only reset
  value = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, 8, &value), 0);
  void* plain = allocate(64);
  EXPECT_EQ(cudaFreeAsync(plain, nullptr), 0) << "what cudaMalloc gave, too";
  EXPECT_EQ(cudaFreeAsync(plain, nullptr), 1);
  EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 2), 101);
}

}  // namespace
}  // namespace hpml::sim::cudart
