// A convolution goes through a recording and is done again: the same result, or an error where the recording lies.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "simulator/cudnn/operation.hpp"

namespace hpml::sim::cudnn {
namespace {

constexpr uint64_t kX = 1000, kW = 2000, kY = 3000;

Tensor tensor(std::array<int, 4> dims) {
  Tensor t;
  t.set = true;
  t.type = Element::f64;
  t.dims = dims;
  t.strides = packed_strides(dims, Format::nchw);
  return t;
}

// One channel of 2 x 2, a filter of 1 x 1.
ForwardOperation scaling() {
  ForwardOperation o;
  Filter w;
  static_cast<Tensor&>(w) = tensor({1, 1, 1, 1});
  Convolution conv;
  conv.set = true;
  conv.compute = Element::f64;
  o.problem = {tensor({1, 1, 2, 2}), tensor({1, 1, 2, 2}), w, conv};
  o.x = kX;
  o.w = kW;
  o.y = kY;
  return o;
}

struct Memory {
  double x[4] = {1, 2, 3, 4}, w[1] = {3}, y[4] = {};
  Result<std::byte*> at(uint64_t address, uint64_t bytes) {
    if (address == kX && bytes <= sizeof(x)) {
      return reinterpret_cast<std::byte*>(x);
    }
    if (address == kW && bytes <= sizeof(w)) {
      return reinterpret_cast<std::byte*>(w);
    }
    if (address == kY && bytes <= sizeof(y)) {
      return reinterpret_cast<std::byte*>(y);
    }
    return error_in("<test>", "not in an allocation");
  }
};

Result<replay::LibraryResult> again(const std::string& arguments, Memory& memory) {
  device::Properties chip;
  chip.multiprocessors = 40;
  return forward_again(arguments, chip, [&](uint64_t address, uint64_t bytes) { return memory.at(address, bytes); });
}

TEST(CudnnOperation, IsDoneAgainFromItsArguments) {
  Memory memory;
  const auto made = again(to_arguments(scaling()), memory);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(memory.y[0], 3);
  EXPECT_EQ(memory.y[3], 12);
  EXPECT_EQ(made->kernels.size(), 1U);
  EXPECT_EQ(made->output, kY);
  EXPECT_EQ(made->output_bytes, 4 * sizeof(double));
}

TEST(CudnnOperation, KeepsItsFactorsBitForBit) {
  ForwardOperation o = scaling();
  o.alpha = std::bit_cast<double>(uint64_t{0x7ff8000000000001});  // a NaN, which JSON has no number for
  o.beta = 0.1;
  const auto back = read_arguments(to_arguments(o));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(std::bit_cast<uint64_t>(back->alpha), 0x7ff8000000000001U);
  EXPECT_EQ(back->beta, 0.1);
}

TEST(CudnnOperation, MemoryThatTheProgramDoesNotHaveIsRefused) {
  Memory memory;
  ForwardOperation larger = scaling();
  larger.problem.x = tensor({1, 1, 2, 3});
  larger.problem.y = tensor({1, 1, 2, 3});
  EXPECT_FALSE(again(to_arguments(larger), memory).ok());
  ForwardOperation elsewhere = scaling();
  elsewhere.y = kY + 8;
  EXPECT_FALSE(again(to_arguments(elsewhere), memory).ok());
}

TEST(CudnnOperation, ArgumentsThatTheLibraryRefusesAreRefused) {
  Memory memory;
  const std::string honest = to_arguments(scaling());
  EXPECT_FALSE(again("", memory).ok());
  EXPECT_FALSE(again("[]", memory).ok());
  EXPECT_FALSE(again("{\"x\": 1}", memory).ok());
  for (size_t length = 0; length < honest.size(); ++length) {
    EXPECT_FALSE(again(honest.substr(0, length), memory).ok()) << length;
  }
  ForwardOperation other = scaling();
  other.problem.y = tensor({1, 1, 1, 4});  // not the shape of the result
  EXPECT_FALSE(again(to_arguments(other), memory).ok());
  other = scaling();
  other.problem.x.strides[0] = -1;
  EXPECT_FALSE(again(to_arguments(other), memory).ok());
  other = scaling();
  other.algorithm = 3;  // in no version
  EXPECT_FALSE(again(to_arguments(other), memory).ok());
}

}  // namespace
}  // namespace hpml::sim::cudnn
