// Do the program's accesses to managed memory become the faults the model should see?
#include "simulator/device/managed_memory.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

class ManagedMemoryTest : public testing::Test {
 protected:
  ManagedMemoryTest()
      : memory_(std::move(memory::AddressSpace::create(1 << 30)).value()),
        model_(spec_, memory_->managed_base(), memory::kRegionBytes),
        managed_(*memory_, model_, 0) {}

  char* allocate(uint64_t bytes) {
    const uint64_t base = memory_->allocate(memory::Kind::managed, bytes);
    managed_.allocated(base, bytes);
    return reinterpret_cast<char*>(base);
  }
  // A kernel that touches every leaf of the range.
  void kernel(const char* from, uint64_t bytes) {
    managed_.note_first_touches();
    model_.begin_kernel({});
    for (uint64_t at = 0; at < bytes; at += memory::kLeafBytes) {
      const auto address = reinterpret_cast<uint64_t>(from) + at;
      if (!model_.on_device(address)) {
        model_.device_fault(address, true);
      }
    }
    model_.end_kernel();
    managed_.protect();
  }

  timing::GpuSpec spec_ = t4();
  std::unique_ptr<memory::AddressSpace> memory_;
  timing::UnifiedMemory model_;
  ManagedMemory managed_;
};

// y = x + y over two arrays of 1 M floats, first touched by the CPU: 24 CPU faults, 12 GPU fault groups of two
// (simulator_timing section 9, RTX 8000).
TEST_F(ManagedMemoryTest, CountsTheFirstTouchOfTwoArraysAsTheDriverDoes) {
  constexpr uint64_t kBytes = 4'000'000;
  char* x = allocate(kBytes);
  char* y = allocate(kBytes);
  std::memset(x, 1, kBytes);
  std::memset(y, 2, kBytes);
  managed_.note_first_touches();
  EXPECT_EQ(model_.counters().cpu_faults, 24u);
}

TEST_F(ManagedMemoryTest, LeavesPagesTheProgramNeverTouchedToTheGpu) {
  char* p = allocate(4 << 20);
  kernel(p, 4 << 20);
  EXPECT_EQ(model_.counters().cpu_faults, 0u);
  EXPECT_EQ(model_.counters().host_to_device_bytes, 0u);
}

TEST_F(ManagedMemoryTest, BringsPagesBackWhenTheProgramReadsThemAfterAKernel) {
  char* p = allocate(4 << 20);
  std::memset(p, 7, 4 << 20);
  kernel(p, 4 << 20);
  const uint64_t before = model_.counters().cpu_faults;
  EXPECT_TRUE(model_.on_device(reinterpret_cast<uint64_t>(p)));
  int sum = 0;
  for (uint64_t at = 0; at < (4 << 20); at += 4096) {
    sum += p[at];
  }
  EXPECT_EQ(sum, 7 * 1024);
  EXPECT_EQ(model_.counters().cpu_faults - before, 12u);  // six per 2 MiB block by the tree rule
  EXPECT_EQ(model_.counters().device_to_host_bytes, 4u << 20);
  EXPECT_FALSE(model_.on_device(reinterpret_cast<uint64_t>(p)));
  EXPECT_GT(model_.take_host_fault_us(), 0.0);
}

TEST_F(ManagedMemoryTest, FaultsAgainAfterTheNextKernel) {
  char* p = allocate(memory::kLeafBytes);
  p[0] = 1;
  kernel(p, memory::kLeafBytes);
  p[0] = 2;
  const uint64_t once = model_.counters().cpu_faults;
  p[1] = 3;
  EXPECT_EQ(model_.counters().cpu_faults, once);
  kernel(p, memory::kLeafBytes);
  EXPECT_EQ(p[0], 2);
  EXPECT_EQ(model_.counters().cpu_faults, once + 1);
}

TEST_F(ManagedMemoryTest, LetsSystemCallsFillFreshMemory) {
  char* p = allocate(1 << 20);
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  ASSERT_EQ(write(pipe_ends[1], "abc", 3), 3);
  EXPECT_EQ(read(pipe_ends[0], p, 3), 3);
  EXPECT_EQ(p[2], 'c');
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_F(ManagedMemoryTest, KeepsSmallNeighboursApart) {
  char* a = allocate(100);
  char* b = allocate(100);
  a[0] = b[0] = 1;
  kernel(a, 100);
  EXPECT_TRUE(model_.on_device(reinterpret_cast<uint64_t>(a)));
  EXPECT_FALSE(model_.on_device(reinterpret_cast<uint64_t>(b)));
  kernel(b, 100);
  managed_.freed(reinterpret_cast<uint64_t>(a));
  EXPECT_TRUE(model_.on_device(reinterpret_cast<uint64_t>(b)));
}

using ManagedMemoryDeathTest = ManagedMemoryTest;

void write_to(uint64_t address) {
  volatile uint64_t hidden = address;  // the compiler would warn of a constant address
  *reinterpret_cast<volatile char*>(hidden) = 1;
}

TEST_F(ManagedMemoryDeathTest, DoesNotSwallowFaultsOfTheProgramsOwn) {
  allocate(4096);
  EXPECT_DEATH({ write_to(8); }, "");
  char* beyond = allocate(4096) + (1 << 20);
  EXPECT_DEATH({ write_to(reinterpret_cast<uint64_t>(beyond)); }, "");
}

void leave_with_5(int) { _exit(5); }

TEST_F(ManagedMemoryDeathTest, HandsForeignFaultsToTheHandlerThatWasThereBefore) {
  EXPECT_EXIT(
      {
        signal(SIGSEGV, leave_with_5);
        allocate(4096);
        write_to(8);
      },
      testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace hpml::sim::device
