#pragma once
// A batch of transforms of one to three dimensions, and where their numbers lie.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/cufft/transform.hpp"

namespace hpml::sim::cufft {

enum Type : int {  // cufftType
  kC2c = 0x29,
  kR2c = 0x2a,
  kC2r = 0x2c,
  kZ2z = 0x69,
  kD2z = 0x6a,
  kZ2d = 0x6c
};
bool known(int type);

// Element (i0, i1, i2) of transform b lies at b * distance + ((i0 * embed[1] + i1) * embed[2] + i2) * stride (cuFFT API
// reference, "Advanced Data Layout"), counted in numbers of the side's type.
struct Side {
  std::array<int64_t, 3> embed{1, 1, 1};
  int64_t stride = 1, distance = 0;
};

class Plan {
 public:
  // lengths: one to three, the last varies fastest. Without sides, transforms lie one behind the other, and rows of
  // real numbers are padded where output goes over input (cuFFT API reference, "Data Layout").
  Plan(int type, const std::vector<int64_t>& lengths, int64_t batch, const std::optional<std::array<Side, 2>>& sides);

  int type() const { return type_; }
  bool is_double() const { return type_ >= kZ2z; }
  bool real_input() const { return type_ == kR2c || type_ == kD2z; }
  bool real_output() const { return type_ == kC2r || type_ == kZ2d; }
  // What an execution reads and writes from its pointers on.
  uint64_t input_bytes(bool in_place) const {
    return bytes(input(in_place), shape(real_input() || !real_output()), real_input());
  }
  uint64_t output_bytes(bool in_place) const {
    return bytes(output(in_place), shape(real_output() || !real_input()), real_output());
  }
  int64_t elements() const { return lengths_[0] * lengths_[1] * lengths_[2] * batch_; }
  double flops() const;  // 5 n log2 n for a complex transform, half of it for a real one
  int passes() const;    // over memory

  void execute(const void* input, void* output, bool inverse) const;

 private:
  using Shape = std::array<int64_t, 3>;
  Side input(bool in_place) const;
  Side output(bool in_place) const;
  Shape shape(bool whole) const;  // of a side: real numbers and full spectra are whole, of a half spectrum the last
                                  // length is n / 2 + 1
  Side dense(bool real, bool padded) const;
  uint64_t bytes(const Side& side, const Shape& shape, bool real) const;
  void along(size_t dimension, std::vector<Complex>& data, bool inverse) const;

  int type_;
  Shape lengths_{1, 1, 1};
  int64_t batch_;
  std::optional<std::array<Side, 2>> sides_;
  std::vector<Transform> transforms_;  // of each dimension
};

}  // namespace hpml::sim::cufft
