#include "simulator/curand/directions.hpp"

#include <array>

namespace hpml::sim::curand {
namespace {

constexpr unsigned kDirectionBits = 64;

// The first odd numbers of the dimensions after the first (Joe and Kuo, 2008).
const std::vector<std::vector<uint64_t>> kPublished = {
    {1},           {1, 3},           {1, 3, 1},       {1, 1, 1},        {1, 1, 3, 3},
    {1, 3, 5, 13}, {1, 1, 5, 5, 17}, {1, 1, 5, 5, 5}, {1, 1, 7, 11, 19}};

// a b modulo the polynomial of this degree, over GF(2).
uint64_t field_product(uint64_t a, uint64_t b, uint64_t polynomial, unsigned degree) {
  uint64_t out = 0;
  for (; b != 0; b >>= 1U) {
    out ^= (b & 1U) != 0 ? a : 0;
    a <<= 1U;
    a ^= (a >> degree & 1U) != 0 ? polynomial : 0;
  }
  return out;
}

uint64_t power_of_x(uint64_t exponent, uint64_t polynomial, unsigned degree) {
  uint64_t out = 1, base = degree == 1 ? 2 ^ polynomial : 2;
  for (; exponent != 0; exponent >>= 1U) {
    out = (exponent & 1U) != 0 ? field_product(out, base, polynomial, degree) : out;
    base = field_product(base, base, polynomial, degree);
  }
  return out;
}

// Whether x generates all elements but 0 of the field that the polynomial defines.
bool primitive(uint64_t polynomial, unsigned degree) {
  const uint64_t order = (uint64_t{1} << degree) - 1;
  if (power_of_x(order, polynomial, degree) != 1) {
    return false;
  }
  uint64_t rest = order;
  for (uint64_t factor = 2; factor * factor <= rest; ++factor) {
    if (rest % factor == 0) {
      if (power_of_x(order / factor, polynomial, degree) == 1) {
        return false;
      }
      while (rest % factor == 0) {
        rest /= factor;
      }
    }
  }
  return rest == 1 || rest == order || power_of_x(order / rest, polynomial, degree) != 1;
}

// Primitive polynomials by degree, then by their coefficients as a number.
class Polynomials {
 public:
  uint64_t next() {
    for (;;) {
      candidate_ += 2;
      if (candidate_ >> (degree_ + 1) != 0) {
        ++degree_;
        candidate_ = (uint64_t{1} << degree_) + 1;
      }
      if (primitive(candidate_, degree_)) {
        return candidate_;
      }
    }
  }
  unsigned degree() const { return degree_; }

 private:
  unsigned degree_ = 1;
  uint64_t candidate_ = 1;
};

// Any odd numbers below 2, 4, 8 ... make a sequence whose every dimension fills its interval evenly.
std::vector<uint64_t> own_numbers(unsigned dimension, unsigned degree) {
  std::vector<uint64_t> out;
  uint64_t state = dimension;
  for (unsigned i = 1; i <= degree; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    out.push_back((state >> 33U) % (uint64_t{1} << i) | 1U);
  }
  return out;
}

std::vector<uint64_t> extended(std::vector<uint64_t> m, uint64_t polynomial, unsigned degree) {
  for (unsigned k = degree; k < kDirectionBits; ++k) {
    uint64_t next = m[k - degree] ^ m[k - degree] << degree;
    for (unsigned j = 1; j < degree; ++j) {
      next ^= (polynomial >> (degree - j) & 1U) != 0 ? m[k - j] << j : 0;
    }
    m.push_back(next);
  }
  for (unsigned k = 0; k < kDirectionBits; ++k) {
    m[k] <<= kDirectionBits - 1 - k;
  }
  return m;
}

}  // namespace

std::vector<std::vector<uint64_t>> direction_numbers(unsigned dimensions) {
  std::vector<std::vector<uint64_t>> all;
  Polynomials polynomials;
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    if (dimension == 0) {
      std::vector<uint64_t> first;
      for (unsigned k = 0; k < kDirectionBits; ++k) {
        first.push_back(uint64_t{1} << (kDirectionBits - 1 - k));
      }
      all.push_back(first);
      continue;
    }
    const uint64_t polynomial = polynomials.next();
    const unsigned degree = polynomials.degree();
    all.push_back(
        extended(dimension < kPublishedDimensions ? kPublished[dimension - 1] : own_numbers(dimension, degree),
                 polynomial, degree));
  }
  return all;
}

}  // namespace hpml::sim::curand
