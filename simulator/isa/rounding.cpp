#include "simulator/isa/rounding.hpp"

#include <cfenv>
#include <cmath>

namespace hpml::sim::isa {

namespace {

int host_mode(Rnd mode) {
  switch (mode) {
    case Rnd::rz: return FE_TOWARDZERO;
    case Rnd::rm: return FE_DOWNWARD;
    case Rnd::rp: return FE_UPWARD;
    case Rnd::none:
    case Rnd::rn:
    case Rnd::rna:
    case Rnd::rs:
    case Rnd::rni:
    case Rnd::rzi:
    case Rnd::rmi:
    case Rnd::rpi: break;
  }
  return FE_TONEAREST;
}

class RoundingScope {
 public:
  explicit RoundingScope(Rnd mode) : before_(std::fegetround()) { std::fesetround(host_mode(mode)); }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_;
};

// A value the optimiser cannot carry across the mode changes: reading operands and writing the result through volatile
// keeps the operation between them.
double opaque(double x) {
  volatile double held = x;
  return held;
}

}  // namespace

double add_rounded(Rnd mode, double a, double b) {
  const RoundingScope scope(mode);
  return opaque(opaque(a) + opaque(b));
}
double mul_rounded(Rnd mode, double a, double b) {
  const RoundingScope scope(mode);
  return opaque(opaque(a) * opaque(b));
}
double fma_rounded(Rnd mode, double a, double b, double c) {
  const RoundingScope scope(mode);
  return opaque(std::fma(opaque(a), opaque(b), opaque(c)));
}
double div_rounded(Rnd mode, double a, double b) {
  const RoundingScope scope(mode);
  return opaque(opaque(a) / opaque(b));
}
double sqrt_rounded(Rnd mode, double a) {
  const RoundingScope scope(mode);
  return opaque(std::sqrt(opaque(a)));
}

}  // namespace hpml::sim::isa
