// Is memory that one address space shares the same memory in another one, and only as long as both want it?
#include <gtest/gtest.h>

#include <cstring>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::memory {
namespace {

constexpr uint64_t kCapacity = uint64_t{1} << 30;

class Sharing : public testing::Test {
 protected:
  Sharing() : from_(make(0)), to_(make(1)) {}
  static std::unique_ptr<AddressSpace> make(int index) {
    auto space = AddressSpace::create(kCapacity, index);
    EXPECT_TRUE(space.ok());
    return std::move(space).value();
  }
  static char& at(const AddressSpace& space, uint64_t address) {
    return *reinterpret_cast<char*>(space.find(address)->view + (address - space.find(address)->base));
  }

  std::unique_ptr<AddressSpace> from_, to_;
};

TEST_F(Sharing, BothSeeWhatEitherWrites) {
  const uint64_t before = from_->allocate(Kind::device, 100), base = from_->allocate(Kind::device, 10'000);
  at(*from_, before) = 1;
  at(*from_, base + 9999) = 2;
  const auto pages = from_->share(base);
  ASSERT_TRUE(pages);
  const uint64_t there = to_->import(from_->sharing_file(), *pages);
  ASSERT_NE(there, 0U);
  EXPECT_EQ(to_->find(there)->size, 10'000U);
  EXPECT_EQ(at(*to_, there + 9999), 2);
  at(*to_, there) = 3;
  EXPECT_EQ(at(*from_, base), 3);
  EXPECT_EQ(at(*from_, before), 1);
  EXPECT_EQ(to_->find(there - 1), nullptr);  // what lies beside it stays out of reach
}

TEST_F(Sharing, WhoFreesItLeavesItToTheOther) {
  const uint64_t base = from_->allocate(Kind::device, 10'000);
  at(*from_, base + 5000) = 4;
  const uint64_t there = to_->import(from_->sharing_file(), *from_->share(base));
  EXPECT_EQ(from_->free(base, Kind::device), FreeResult::ok);
  ASSERT_EQ(from_->allocate(Kind::device, 10'000), base);
  EXPECT_EQ(at(*from_, base + 5000), 0);
  EXPECT_EQ(at(*to_, there + 5000), 4);
  EXPECT_EQ(to_->free(there, Kind::device), FreeResult::ok);
  EXPECT_FALSE(to_->is_imported(there));
  EXPECT_EQ(to_->free_bytes(), kCapacity);
}

TEST_F(Sharing, OnlyWholeDeviceAllocationsOfItsOwnCanBeShared) {
  const uint64_t base = from_->allocate(Kind::device, 100), managed = from_->allocate(Kind::managed, 100);
  EXPECT_FALSE(from_->share(base + 1));
  EXPECT_FALSE(from_->share(managed));
  const uint64_t there = to_->import(from_->sharing_file(), *from_->share(base));
  EXPECT_FALSE(to_->share(there));
}

TEST_F(Sharing, PagesThatMakeNoSenseAreRefused) {
  const int file = from_->sharing_file();
  const uint64_t base = from_->allocate(Kind::device, 100);
  const SharedPages good = *from_->share(base);
  SharedPages bad = good;
  bad.skip = bad.bytes;
  EXPECT_EQ(to_->import(file, bad), 0U);
  bad = good;
  bad.size = bad.bytes + 1;
  EXPECT_EQ(to_->import(file, bad), 0U);
  bad = good;
  bad.offset += 1;
  EXPECT_EQ(to_->import(file, bad), 0U);
  EXPECT_EQ(to_->import(-1, good), 0U);
}

}  // namespace
}  // namespace hpml::sim::memory
