#pragma once
// f64 arithmetic in the directed rounding modes, by the host's rounding control. Slow and rare: FP64 code with .rz .rm
// .rp appears in interval arithmetic and in the exactly rounded intrinsics (__dadd_rd ...). Shared by all ISA levels.
#include "simulator/isa/types.hpp"

namespace hpml::sim::isa {

double add_rounded(Rnd mode, double a, double b);
double mul_rounded(Rnd mode, double a, double b);
double fma_rounded(Rnd mode, double a, double b, double c);
double div_rounded(Rnd mode, double a, double b);
double sqrt_rounded(Rnd mode, double a);

}  // namespace hpml::sim::isa
