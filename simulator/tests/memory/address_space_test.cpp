// Does an AddressSpace give out memory as its header promises?
#include "simulator/memory/address_space.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "simulator/memory/managed.hpp"

namespace hpml::sim::memory {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

std::unique_ptr<AddressSpace> make(uint64_t device_bytes = kGiB, int index = 0) {
  auto space = AddressSpace::create(device_bytes, index);
  EXPECT_TRUE(space.ok()) << (space.ok() ? "" : space.error().to_string());
  return std::move(space).value();
}

TEST(AddressSpace, GivesTheSameAddressesForTheSameCalls) {
  std::vector<uint64_t> first, second;
  for (auto* addresses : {&first, &second}) {
    auto space = make();
    for (const Kind kind : {Kind::device, Kind::managed, Kind::pinned, Kind::module, Kind::device}) {
      addresses->push_back(space->allocate(kind, 1000));
    }
    EXPECT_EQ(space->free(addresses->front(), Kind::device), FreeResult::ok);
    addresses->push_back(space->allocate(Kind::device, 400));
  }
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.back(), first.front());  // first fit: the freed place is used again
}

TEST(AddressSpace, AlignsDeviceMemoryTo512AndKeepsAGuardBetweenAllocations) {
  auto space = make();
  uint64_t previous_end = 0;
  for (const uint64_t bytes : {1, 511, 512, 513, 4096, 100'000}) {
    const uint64_t base = space->allocate(Kind::device, bytes);
    EXPECT_EQ(base % 512, 0u);
    EXPECT_GE(base, previous_end + 512);
    EXPECT_EQ(space->find(base + bytes), nullptr);
    EXPECT_EQ(space->find(base - 1), nullptr);
    previous_end = base + bytes;
  }
}

TEST(AddressSpace, StartsLargeManagedAllocationsAtAVaBlockAndSmallOnesAtALeaf) {
  auto space = make();
  EXPECT_EQ(space->allocate(Kind::managed, 3) % kLeafBytes, 0u);
  EXPECT_EQ(space->allocate(Kind::managed, 4'000'000) % kVaBlockBytes, 0u);
  EXPECT_EQ(space->allocate(Kind::managed, 4'000'000) % kVaBlockBytes, 0u);
}

TEST(AddressSpace, LetsTheProgramAndTheSimulatorSeeOneManagedOrPinnedMemory) {
  auto space = make();
  for (const Kind kind : {Kind::managed, Kind::pinned}) {
    const uint64_t base = space->allocate(kind, 100'000);
    auto* host = reinterpret_cast<char*>(base);
    std::byte* view = space->find(base)->view;
    ASSERT_NE(static_cast<void*>(host), static_cast<void*>(view));
    host[99'999] = 'h';
    EXPECT_EQ(view[99'999], std::byte{'h'});
    view[70'000] = std::byte{'s'};
    EXPECT_EQ(host[70'000], 's');
  }
}

TEST(AddressSpace, WorksWhereASandboxLimitsTheSizeOfFiles) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto space = make();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  const uint64_t base = space->allocate(Kind::managed, 8 << 20);
  reinterpret_cast<char*>(base)[5 << 20] = 'h';
  EXPECT_EQ(space->find(base)->view[5 << 20], std::byte{'h'});
  ASSERT_EQ(space->free(base, Kind::managed), FreeResult::ok);
  ASSERT_EQ(space->allocate(Kind::managed, 8 << 20), base);
  EXPECT_EQ(reinterpret_cast<char*>(base)[5 << 20], 0);
}

TEST(AddressSpace, GivesDeviceMemoryAViewThatHoldsData) {
  auto space = make();
  const uint64_t base = space->allocate(Kind::device, 4096);
  std::byte* view = space->find(base)->view;
  std::memset(view, 0x5a, 4096);
  EXPECT_EQ(space->find(base + 4095)->view[4095], std::byte{0x5a});
}

TEST(AddressSpaceDeath, KillsAProgramThatReadsADevicePointer) {
  auto space = make();
  const uint64_t base = space->allocate(Kind::device, 4096);
  EXPECT_DEATH({ [[maybe_unused]] volatile char byte = *reinterpret_cast<volatile char*>(base); }, "");
}

TEST(AddressSpaceDeath, KillsAProgramThatReadsFreedManagedMemory) {
  auto space = make();
  const uint64_t base = space->allocate(Kind::managed, 4096);
  ASSERT_EQ(space->free(base, Kind::managed), FreeResult::ok);
  EXPECT_DEATH({ [[maybe_unused]] volatile char byte = *reinterpret_cast<volatile char*>(base); }, "");
}

TEST(AddressSpace, KeepsTwoGpusApart) {
  auto first = make(kGiB, 0);
  auto second = make(kGiB, 1);
  const uint64_t a = first->allocate(Kind::device, 64);
  const uint64_t b = second->allocate(Kind::device, 64);
  EXPECT_NE(a, b);
  EXPECT_EQ(first->find(b), nullptr);
  std::memset(first->find(a)->view, 1, 64);
  std::memset(second->find(b)->view, 2, 64);
  EXPECT_EQ(first->find(a)->view[0], std::byte{1});
}

TEST(AddressSpace, RefusesASecondSpaceAtTheSamePlaceAndAnIndexWithoutOne) {
  auto first = make();
  const auto again = AddressSpace::create(kGiB, 0);
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message.find("cannot reserve"), std::string::npos);
  EXPECT_FALSE(AddressSpace::create(kGiB, kMaxGpus).ok());
  EXPECT_FALSE(AddressSpace::create(kGiB, -1).ok());
}

#ifndef HPML_SANITIZED  // whose own memory is far over such a limit
[[noreturn]] void allocate_with_two_gigabytes_of_data() {
  const rlimit limit{2 * kGiB, 2 * kGiB};
  setrlimit(RLIMIT_DATA, &limit);
  auto space = make(16 * kGiB);
  const uint64_t fits = space->allocate(Kind::device, kGiB);
  std::memset(space->find(fits)->view, 1, kGiB);
  _exit(fits != 0 && space->allocate(Kind::device, 4 * kGiB) == 0 ? 0 : 1);
}

TEST(AddressSpaceDeath, CountsAsDataOnlyWhatIsInUse) {
  EXPECT_EXIT(allocate_with_two_gigabytes_of_data(), testing::ExitedWithCode(0), "");
}
#endif

TEST(AddressSpace, LeavesThePlaceToItsSuccessor) {
  const uint64_t first = make()->allocate(Kind::managed, 4096);
  auto space = make();
  EXPECT_EQ(space->allocate(Kind::managed, 4096), first);
}

TEST(AddressSpace, TellsAllWaysAFreeCanFail) {
  auto space = make();
  const uint64_t device = space->allocate(Kind::device, 64);
  const uint64_t pinned = space->allocate(Kind::pinned, 64);
  EXPECT_EQ(space->free(device + 4, Kind::device), FreeResult::not_an_allocation);
  EXPECT_EQ(space->free(pinned, Kind::device), FreeResult::wrong_kind);
  EXPECT_EQ(space->free(device, Kind::device), FreeResult::ok);
  EXPECT_EQ(space->free(device, Kind::device), FreeResult::already_freed);
  EXPECT_EQ(space->free(0x1234, Kind::device), FreeResult::not_an_allocation);
}

TEST(AddressSpace, EnforcesTheCapacityOfTheGpuForDeviceAndModuleMemoryOnly) {
  auto space = make(1 << 20);
  EXPECT_EQ(space->allocate(Kind::device, (1 << 20) + 1), 0u);
  const uint64_t most = space->allocate(Kind::device, (1 << 20) - 512);
  EXPECT_NE(most, 0u);
  EXPECT_EQ(space->free_bytes(), 512u);
  EXPECT_EQ(space->allocate(Kind::module, 513), 0u);
  EXPECT_NE(space->allocate(Kind::module, 512), 0u);
  EXPECT_EQ(space->free_bytes(), 0u);
  EXPECT_NE(space->allocate(Kind::managed, 4 << 20), 0u);  // may exceed the GPU: pages move
  EXPECT_EQ(space->free(most, Kind::device), FreeResult::ok);
  EXPECT_EQ(space->free_bytes(), (1u << 20) - 512);
}

TEST(AddressSpace, PlacesRegisteredMemoryByOrderAndItsPlaceInAPage) {
  auto space = make();
  alignas(4096) static char heap[64 * 4096];
  ASSERT_TRUE(space->register_host(heap + 16, 100));
  ASSERT_TRUE(space->register_host(heap + 40 * 4096 + 48, 9000));
  const auto of = [&](uint64_t offset) { return space->place_of(reinterpret_cast<uint64_t>(heap) + offset); };
  EXPECT_EQ(of(16), kRegisteredBase + 16);
  EXPECT_EQ(of(40 * 4096 + 48), kRegisteredBase + kVaBlockBytes + 48);
  EXPECT_EQ(of(40 * 4096 + 9000), kRegisteredBase + kVaBlockBytes + 9000);
  EXPECT_EQ(of(20 * 4096), reinterpret_cast<uint64_t>(heap) + 20 * 4096) << "not registered";
  const uint64_t device = space->allocate(Kind::device, 64);
  EXPECT_EQ(space->place_of(device), device);
}

TEST(AddressSpace, HandsOutMoreThanTheMachineHas) {
  auto space = make(141 * kGiB);
  const uint64_t base = space->allocate(Kind::device, 140 * kGiB);
  ASSERT_NE(base, 0u);
  std::byte* view = space->find(base)->view;
  view[140 * kGiB - 1] = std::byte{7};
  EXPECT_EQ(view[140 * kGiB - 1], std::byte{7});
  EXPECT_EQ(view[70 * kGiB], std::byte{0});
}

TEST(AddressSpace, ClearsFreedMemoryWhateverThePageSize) {
  auto space = make();
  for (const Kind kind : {Kind::device, Kind::managed}) {
    const uint64_t base = space->allocate(kind, 300'000);
    std::memset(space->find(base)->view, 0xff, 300'000);
    ASSERT_EQ(space->free(base, kind), FreeResult::ok);
    ASSERT_EQ(space->allocate(kind, 300'000), base);
    const std::byte* view = space->find(base)->view;
    for (const int at : {0, 4095, 4096, 150'000, 299'999}) {
      EXPECT_EQ(view[at], std::byte{0}) << at;
    }
  }
}

TEST(AddressSpace, FreeingLeavesTheNeighboursAlone) {
  auto space = make();
  const uint64_t left = space->allocate(Kind::device, 512);
  const uint64_t middle = space->allocate(Kind::device, 20'000);
  const uint64_t right = space->allocate(Kind::device, 512);
  std::memset(space->find(left)->view, 1, 512);
  std::memset(space->find(right)->view, 2, 512);
  ASSERT_EQ(space->free(middle, Kind::device), FreeResult::ok);
  EXPECT_EQ(space->find(left)->view[511], std::byte{1});
  EXPECT_EQ(space->find(right)->view[0], std::byte{2});
}

TEST(AddressSpace, NamesTheNearestLiveAllocation) {
  auto space = make();
  EXPECT_EQ(space->nearest(kDeviceBase), nullptr);
  const uint64_t a = space->allocate(Kind::device, 512);  // [a, a + 512), guard, [b, ...)
  const uint64_t b = space->allocate(Kind::device, 512);
  EXPECT_EQ(space->nearest(0)->base, a);
  EXPECT_EQ(space->nearest(a + 512)->base, a);
  EXPECT_EQ(space->nearest(b - 1)->base, b);
  EXPECT_EQ(space->nearest(b + 1'000'000)->base, b);
}

TEST(AddressSpace, RemembersFreedAllocationsUntilTheirPlaceIsUsedAgain) {
  auto space = make();
  const uint64_t base = space->allocate(Kind::device, 4096, "x");
  ASSERT_EQ(space->free(base, Kind::device), FreeResult::ok);
  ASSERT_NE(space->freed(base + 100), nullptr);
  EXPECT_EQ(space->freed(base + 100)->label, "x");
  EXPECT_EQ(space->find(base + 100), nullptr);
  ASSERT_EQ(space->allocate(Kind::device, 16), base);
  EXPECT_EQ(space->freed(base + 100), nullptr);
}

TEST(AddressSpace, ForgetsTheOldestFreedAllocationsFirst) {
  auto space = make();
  std::vector<uint64_t> bases(5000);
  for (auto& base : bases) {
    base = space->allocate(Kind::device, 16);
  }
  for (const uint64_t base : bases) {
    ASSERT_EQ(space->free(base, Kind::device), FreeResult::ok);
  }
  EXPECT_EQ(space->freed(bases.front()), nullptr);
  EXPECT_NE(space->freed(bases.back()), nullptr);
  EXPECT_NE(space->freed(bases[5000 - 4096]), nullptr);
  EXPECT_EQ(space->freed(bases[5000 - 4097]), nullptr);
}

TEST(AddressSpace, RegistersHostMemoryAtItsOwnAddress) {
  auto space = make();
  std::vector<char> host(1000);
  ASSERT_TRUE(space->register_host(host.data(), host.size()));
  EXPECT_FALSE(space->register_host(host.data() + 999, 10));
  EXPECT_FALSE(space->register_host(host.data() - 10, 11));
  const auto base = reinterpret_cast<uint64_t>(host.data());
  EXPECT_EQ(static_cast<void*>(space->find(base + 5)->view), static_cast<void*>(host.data()));
  EXPECT_EQ(space->free(base, Kind::registered), FreeResult::wrong_kind);
  EXPECT_FALSE(space->unregister_host(host.data() + 1));
  EXPECT_TRUE(space->unregister_host(host.data()));
  EXPECT_EQ(space->find(base), nullptr);
}

TEST(AddressSpace, ChangesItsGenerationWithEveryChangeOfTheLiveSet) {
  auto space = make();
  uint64_t before = space->generation();
  const uint64_t base = space->allocate(Kind::device, 16);
  EXPECT_NE(space->generation(), before);
  before = space->generation();
  space->find(base);
  EXPECT_EQ(space->generation(), before);
  EXPECT_EQ(space->free(base, Kind::device), FreeResult::ok);
  EXPECT_NE(space->generation(), before);
}

TEST(AddressSpace, ListsLiveAllocationsByAddressWithTheirSerials) {
  auto space = make();
  const uint64_t managed = space->allocate(Kind::managed, 16);
  const uint64_t device = space->allocate(Kind::device, 16);
  const auto live = space->live();
  ASSERT_EQ(live.size(), 2u);
  EXPECT_EQ(live[0]->base, device);
  EXPECT_EQ(live[0]->serial, 2u);
  EXPECT_EQ(live[1]->base, managed);
}

TEST(Allocation, ContainsExactlyItsBytes) {
  Allocation allocation;
  allocation.base = 1000;
  allocation.size = 8;
  EXPECT_TRUE(allocation.contains(1000, 8));
  EXPECT_TRUE(allocation.contains(1007, 1));
  EXPECT_FALSE(allocation.contains(1001, 8));
  EXPECT_FALSE(allocation.contains(999, 1));
  EXPECT_FALSE(allocation.contains(~uint64_t{0}, 8));
}

}  // namespace
}  // namespace hpml::sim::memory
