#include "reference.hpp"

namespace hpml::lab1 {

// C1 as the handout asks for it, compiled like the student's: -O3 -ffp-contract=off, for any processor.
float reference_dot(long n, const float* a, const float* b) {
  float sum = 0.0F;
  for (long j = 0; j < n; ++j) {
    sum += a[j] * b[j];
  }
  return sum;
}

}  // namespace hpml::lab1
