#pragma once
// The grader's own quantisation, for its programs and the bench: scale * (q - zero), half to even (README.md,
// "Numbers").
#include <cstdint>
#include <span>
#include <vector>

namespace hpml::lab5 {

struct Integers {
  int32_t qmin = 0, qmax = 255;
  bool symmetric = false;
};
Integers unsigned_integers(int bits);
Integers narrow_integers(int bits);

struct Scale {
  float scale = 1;
  int32_t zero = 0;
  Integers type = {};

  float nearest(float x) const;  // dequantised
  int32_t integer(float x) const;
};
// lo <= hi, finite. 0 is always exact.
Scale scale_for(float lo, float hi, const Integers& type);

struct Limits {
  float lo = 0, hi = 0;
};
Limits min_max(std::span<const float> x);
// Of (lo, hi) * i / 100 for i = 5 .. 100 the limits with the smallest squared error on x; equal ones: the larger.
Limits least_squares(std::span<const float> x, const Integers& type);


}  // namespace hpml::lab5
