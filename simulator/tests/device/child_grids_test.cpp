// Does work that kernels ask for happen after them, in the right order, and only if it can?
#include "simulator/device/child_grids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "simulator/tests/device/devices.hpp"

namespace hpml::sim::device {
namespace {

constexpr uint64_t kCode = 0x1234;

class ChildGridsTest : public testing::Test {
 protected:
  ChildGridsTest() {
    device_ = make(options(Mode::functional));
    kernel_ = load(*device_, kAdd, "add");
    children_ = std::make_unique<ChildGrids>(
        *device_, 0, [this](uint64_t code) { return code == kCode ? std::optional<KernelId>(kernel_) : std::nullopt; });
  }

  // A launch with that n as its first parameter.
  int launch(uint32_t n, uint64_t stream = 0) {
    const uint64_t buffer = children_->parameter_buffer({.kernel = kCode});
    std::memcpy(device_->memory().find(buffer)->view, &n, sizeof n);
    return children_->launch(buffer, stream);
  }
  // The first parameters of what comes next, until nothing does; `between` runs after each.
  template <class Between>
  std::vector<uint32_t> run(Between between) {
    std::vector<uint32_t> seen;
    while (const auto work = children_->next()) {
      uint32_t n = 0;
      std::memcpy(&n, work->request.params.data(), sizeof n);
      seen.push_back(n);
      between(n);
    }
    return seen;
  }

  std::unique_ptr<Device> device_;
  KernelId kernel_ = -1;
  std::unique_ptr<ChildGrids> children_;
};

TEST_F(ChildGridsTest, ChildrenOfAChildComeBeforeItsSiblingsAndTailsLast) {
  constexpr uint64_t kTail = 3;
  launch(9, kTail);
  launch(1);
  launch(2);
  const auto seen = run([&](uint32_t n) {
    if (n == 1) {
      launch(12, kTail);
      launch(11);
    }
  });
  EXPECT_THAT(seen, testing::ElementsAre(1, 11, 12, 2, 9));
}

TEST_F(ChildGridsTest, MoreThan24LevelsAreRefused) {
  int error = 0;
  launch(0);
  const auto seen = run([&](uint32_t n) { error = launch(n + 1); });
  EXPECT_EQ(seen.size(), 24U);
  EXPECT_EQ(error, 65);  // cudaErrorLaunchMaxDepthExceeded
  EXPECT_EQ(children_->last_error(true), 65);
  EXPECT_EQ(children_->last_error(true), 0);
}

TEST_F(ChildGridsTest, GridsThatCannotBeLaunchedGetNoBuffer) {
  EXPECT_EQ(children_->parameter_buffer({.kernel = kCode, .block = {2048, 1, 1}}), 0U);
  EXPECT_EQ(children_->last_error(true), 9);  // cudaErrorInvalidConfiguration
  EXPECT_EQ(children_->parameter_buffer({.kernel = kCode + 1}), 0U);
  EXPECT_EQ(children_->last_error(true), 98);  // cudaErrorInvalidDeviceFunction
}

TEST_F(ChildGridsTest, BuffersThatAreNeverLaunchedAreFreed) {
  const uint64_t free = device_->memory().free_bytes();
  EXPECT_NE(children_->parameter_buffer({.kernel = kCode}), 0U);
  children_.reset();
  EXPECT_EQ(device_->memory().free_bytes(), free);
}

TEST_F(ChildGridsTest, CopiesNeedMemoryThatIsThere) {
  const uint64_t place = device_->memory().allocate(memory::Kind::device, 64);
  EXPECT_EQ(children_->fill(place, 1, 64), 0);
  EXPECT_EQ(children_->fill(place, 1, 65), 1);  // cudaErrorInvalidValue
  EXPECT_EQ(children_->copy(place, place + 4096, 8), 1);
}

}  // namespace
}  // namespace hpml::sim::device
