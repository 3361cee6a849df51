// The functions of libdevice that are one instruction or a few: integer helpers, exactly rounded arithmetic,
// conversions, classification. The meaning is that of the op structs they name.
#include "simulator/isa/libm/function.hpp"
#include "simulator/isa/libm/tables.hpp"
#include "simulator/isa/ops/bit_field.hpp"
#include "simulator/isa/ops/convert.hpp"
#include "simulator/isa/ops/float_sign.hpp"
#include "simulator/isa/ops/int_arith.hpp"
#include "simulator/isa/ops/logic_shift.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {
namespace {

// Function<"clz", op<Clz, Sig<uint32_t, uint32_t>>>: an op's eval with modifiers M and types T.
template <class Op, class T, Mods M = Mods{}>
constexpr T unary(T a) {
  return Op::template eval<T>(M, a);
}
template <class Op, class T, Mods M = Mods{}>
constexpr T binary(T a, T b) {
  return Op::template eval<T>(M, a, b);
}
template <class Op, class T, Mods M = Mods{}>
constexpr T ternary(T a, T b, T c) {
  return Op::template eval<T>(M, a, b, c);
}
template <class Op, class T>
constexpr int32_t count(T a) {
  return static_cast<int32_t>(Op::template eval<T>({}, a));
}
template <class Op, class D, class S, Mods M = Mods{}>
D convert(S a) {
  return Op::template eval<D, S>(M, a);
}

template <class T>
constexpr int32_t first_set(T a) {
  return a == 0 ? 0 : 1 + std::countr_zero(static_cast<std::make_unsigned_t<T>>(a));
}
int32_t brev32(int32_t a) { return static_cast<int32_t>(Brev::eval<uint32_t>({}, static_cast<uint32_t>(a))); }
int64_t brev64(int64_t a) { return static_cast<int64_t>(Brev::eval<uint64_t>({}, static_cast<uint64_t>(a))); }
uint32_t byte_perm(uint32_t a, uint32_t b, uint32_t c) { return Prmt::eval<uint32_t>({}, a, b, c & 0x7777u); }
uint32_t sad(int32_t a, int32_t b, uint32_t c) {
  return static_cast<uint32_t>(Sad::eval<int32_t>({}, a, b, static_cast<int32_t>(c)));
}
template <class T, int kRoundUp>
constexpr T average(T a, T b) {
  return static_cast<T>((int64_t{a} + b + kRoundUp) >> 1);
}

inline constexpr Mods kRn{.rnd = Rnd::rn}, kRz{.rnd = Rnd::rz}, kRu{.rnd = Rnd::rp}, kRd{.rnd = Rnd::rm};
inline constexpr Mods kRni{.rnd = Rnd::rni}, kRzi{.rnd = Rnd::rzi}, kRui{.rnd = Rnd::rpi}, kRdi{.rnd = Rnd::rmi};

template <class T, Mods M>
T add_as(T a, T b) {
  return quiet_nan(add(M.rnd, a, b), a, b);
}
template <class T, Mods M>
T sub_as(T a, T b) {
  return quiet_nan(add(M.rnd, a, -b), a, b);
}
template <class T, Mods M>
T mul_as(T a, T b) {
  return quiet_nan(mul(M.rnd, a, b), a, b);
}
template <class T, Mods M>
T div_as(T a, T b) {
  return quiet_nan(div(M.rnd, a, b), b, a);
}
template <class T, Mods M>
T fma_as(T a, T b, T c) {
  return quiet_nan(fma(M.rnd, a, b, c), a, b, c);
}
template <class T, Mods M>
T rcp_as(T a) {
  return quiet_nan(div(M.rnd, T{1}, a), a);
}
template <class T, Mods M>
T sqrt_as(T a) {
  return quiet_nan(sqrt(M.rnd, a), a);
}
float rsqrt_rn(float a) { return canonical(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)))); }

template <class D, class S>
D bit_copy(S a) {
  return std::bit_cast<D>(a);
}
int32_t high_word(double a) { return static_cast<int32_t>(bits_of(a) >> 32); }
int32_t low_word(double a) { return static_cast<int32_t>(bits_of(a)); }
double from_words(int32_t high, int32_t low) {
  return f64_of(uint64_t{static_cast<uint32_t>(high)} << 32 | static_cast<uint32_t>(low));
}
float half_to_float(uint16_t a) { return canonical(to_f32(F16{a})); }
uint16_t float_to_half(float a) { return to_half<F16>(Rnd::rn, a).bits; }
double fabs_of(double a) { return AbsF64::eval<double>({}, a); }
float fabsf_of(float a) { return AbsF32::eval<float>({}, a); }
template <class T>
T sign_from(T a, T b) {
  return Copysign::eval<T>({}, b, a);
}
template <class T, Mods M>
T integral(T a) {
  return static_cast<T>(to_integral(M.rnd, a));
}
template <class T>
T round_half_away(T a) {
  return static_cast<T>(__builtin_round(static_cast<double>(a)));
}
template <class T>
int64_t round_to_int(T a) {
  return clamp_integral<int64_t>(__builtin_round(static_cast<double>(a)), true);
}
template <class T>
int64_t rint_to_int(T a) {
  return clamp_integral<int64_t>(__builtin_rint(static_cast<double>(a)), true);
}
template <class T, uint8_t Mode>
int32_t is_class(T a) {
  return Testp::eval<T>({.mode = Mode}, a) ? 1 : 0;
}
template <class T>
int32_t sign_bit(T a) {
  return sign_of(a) ? 1 : 0;
}

using Integers = OpList<Function<"abs", unary<AbsInt, int32_t>>, Function<"llabs", unary<AbsInt, int64_t>>,
                        Function<"min", binary<MinInt, int32_t>>, Function<"max", binary<MaxInt, int32_t>>,
                        Function<"umin", binary<MinInt, uint32_t>>, Function<"umax", binary<MaxInt, uint32_t>>,
                        Function<"llmin", binary<MinInt, int64_t>>, Function<"llmax", binary<MaxInt, int64_t>>,
                        Function<"ullmin", binary<MinInt, uint64_t>>, Function<"ullmax", binary<MaxInt, uint64_t>>,
                        Function<"clz", count<Clz, uint32_t>>, Function<"clzll", count<Clz, uint64_t>>,
                        Function<"popc", count<Popc, uint32_t>>, Function<"popcll", count<Popc, uint64_t>>,
                        Function<"ffs", first_set<int32_t>>, Function<"ffsll", first_set<int64_t>>,
                        Function<"brev", brev32>, Function<"brevll", brev64>, Function<"byte_perm", byte_perm>,
                        Function<"mulhi", binary<MulHi, int32_t>>, Function<"umulhi", binary<MulHi, uint32_t>>,
                        Function<"mul64hi", binary<MulHi, int64_t>>, Function<"umul64hi", binary<MulHi, uint64_t>>,
                        Function<"mul24", binary<Mul24Lo, int32_t>>, Function<"umul24", binary<Mul24Lo, uint32_t>>,
                        Function<"sad", sad>, Function<"usad", ternary<Sad, uint32_t>>,
                        Function<"hadd", average<int32_t, 0>>, Function<"rhadd", average<int32_t, 1>>,
                        Function<"uhadd", average<uint32_t, 0>>, Function<"urhadd", average<uint32_t, 1>>>;

// The four roundings of one operation; libdevice writes up and down as ru and rd.
template <FixedString Base, auto Rn, auto Rz, auto Ru, auto Rd>
using Rounded = OpList<Function<Base + FixedString("_rn"), Rn>, Function<Base + FixedString("_rz"), Rz>,
                       Function<Base + FixedString("_ru"), Ru>, Function<Base + FixedString("_rd"), Rd>>;
#define HPML_ROUNDED(base, f, T) Rounded<base, f<T, kRn>, f<T, kRz>, f<T, kRu>, f<T, kRd>>
using Arithmetic = OpList<
    HPML_ROUNDED("fadd", add_as, float), HPML_ROUNDED("fsub", sub_as, float), HPML_ROUNDED("fmul", mul_as, float),
    HPML_ROUNDED("fdiv", div_as, float), HPML_ROUNDED("fmaf", fma_as, float), HPML_ROUNDED("frcp", rcp_as, float),
    HPML_ROUNDED("fsqrt", sqrt_as, float), HPML_ROUNDED("dadd", add_as, double), HPML_ROUNDED("dsub", sub_as, double),
    HPML_ROUNDED("dmul", mul_as, double), HPML_ROUNDED("ddiv", div_as, double), HPML_ROUNDED("fma", fma_as, double),
    HPML_ROUNDED("drcp", rcp_as, double), HPML_ROUNDED("dsqrt", sqrt_as, double)>;
#undef HPML_ROUNDED

#define HPML_TO_INT(base, Op, D, S) \
  Rounded<base, convert<Op, D, S, kRni>, convert<Op, D, S, kRzi>, convert<Op, D, S, kRui>, convert<Op, D, S, kRdi>>
#define HPML_TO_FLOAT(base, Op, D, S) \
  Rounded<base, convert<Op, D, S, kRn>, convert<Op, D, S, kRz>, convert<Op, D, S, kRu>, convert<Op, D, S, kRd>>
using Conversions = OpList<
    HPML_TO_INT("float2int", CvtF32ToInt, int32_t, float), HPML_TO_INT("float2uint", CvtF32ToInt, uint32_t, float),
    HPML_TO_INT("float2ll", CvtF32ToInt, int64_t, float), HPML_TO_INT("float2ull", CvtF32ToInt, uint64_t, float),
    HPML_TO_INT("double2int", CvtF64ToInt, int32_t, double), HPML_TO_INT("double2uint", CvtF64ToInt, uint32_t, double),
    HPML_TO_INT("double2ll", CvtF64ToInt, int64_t, double), HPML_TO_INT("double2ull", CvtF64ToInt, uint64_t, double),
    HPML_TO_FLOAT("int2float", CvtIntToFloat, float, int32_t),
    HPML_TO_FLOAT("uint2float", CvtIntToFloat, float, uint32_t),
    HPML_TO_FLOAT("ll2float", CvtIntToFloat, float, int64_t),
    HPML_TO_FLOAT("ull2float", CvtIntToFloat, float, uint64_t),
    HPML_TO_FLOAT("ll2double", CvtIntToFloat, double, int64_t),
    HPML_TO_FLOAT("ull2double", CvtIntToFloat, double, uint64_t),
    HPML_TO_FLOAT("double2float", CvtF32F64, float, double)>;
#undef HPML_TO_INT
#undef HPML_TO_FLOAT

using Others =
    OpList<Function<"int2double_rn", convert<CvtIntToFloat, double, int32_t, kRn>>,
           Function<"uint2double_rn", convert<CvtIntToFloat, double, uint32_t, kRn>>, Function<"frsqrt_rn", rsqrt_rn>,
           Function<"float_as_int", bit_copy<int32_t, float>>, Function<"int_as_float", bit_copy<float, int32_t>>,
           Function<"float_as_uint", bit_copy<uint32_t, float>>, Function<"uint_as_float", bit_copy<float, uint32_t>>,
           Function<"double_as_longlong", bit_copy<int64_t, double>>,
           Function<"longlong_as_double", bit_copy<double, int64_t>>, Function<"double2hiint", high_word>,
           Function<"double2loint", low_word>, Function<"hiloint2double", from_words>,
           Function<"half2float", half_to_float>, Function<"float2half_rn", float_to_half>, Function<"fabs", fabs_of>,
           Function<"fabsf", fabsf_of>, Function<"fmin", binary<MinF64, double>>,
           Function<"fminf", binary<MinF32, float>>, Function<"fmax", binary<MaxF64, double>>,
           Function<"fmaxf", binary<MaxF32, float>>, Function<"fma", fma_as<double, kRn>>,
           Function<"fmaf", fma_as<float, kRn>>, Function<"copysign", sign_from<double>>,
           Function<"copysignf", sign_from<float>>, Function<"floor", integral<double, kRdi>>,
           Function<"floorf", integral<float, kRdi>>, Function<"ceil", integral<double, kRui>>,
           Function<"ceilf", integral<float, kRui>>, Function<"trunc", integral<double, kRzi>>,
           Function<"truncf", integral<float, kRzi>>, Function<"rint", integral<double, kRni>>,
           Function<"rintf", integral<float, kRni>>, Function<"nearbyint", integral<double, kRni>>,
           Function<"nearbyintf", integral<float, kRni>>, Function<"round", round_half_away<double>>,
           Function<"roundf", round_half_away<float>>, Function<"llround", round_to_int<double>>,
           Function<"llroundf", round_to_int<float>>, Function<"llrint", rint_to_int<double>>,
           Function<"llrintf", rint_to_int<float>>, Function<"isnand", is_class<double, 3>>,
           Function<"isnanf", is_class<float, 3>>, Function<"isinfd", is_class<double, 1>>,
           Function<"isinff", is_class<float, 1>>, Function<"isfinited", is_class<double, 0>>,
           Function<"finitef", is_class<float, 0>>, Function<"signbitd", sign_bit<double>>,
           Function<"signbitf", sign_bit<float>>, Function<"saturatef", saturate<float>>>;

template <class... List>
void add_lists(VariantSink& out, OpList<List...>) {
  (add_all(out, List{}), ...);
}

}  // namespace
}  // HPML_SIMD_NS

void append_intrinsic_functions(VariantSink& out) {
  add_all(out, Integers{});
  add_lists(out, Arithmetic{});
  add_lists(out, Conversions{});
  add_all(out, Others{});
}

}  // namespace hpml::sim::isa
