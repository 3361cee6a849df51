// The mathematical functions that clang leaves as calls: __nv_<f> on double, __nv_<f>f on float.
#include <cmath>
#include <cstdlib>

#include "simulator/isa/libm/function.hpp"
#include "simulator/isa/libm/special_functions.hpp"
#include "simulator/isa/libm/tables.hpp"
#include "simulator/isa/ops/approx_kernels.hpp"
#include "simulator/isa/ops/convert_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {
namespace {

// --- functions with integers or two results ---
double powi(double x, int32_t n) { return std::pow(x, static_cast<double>(n)); }
float powif(float x, int32_t n) { return canonical(static_cast<float>(powi(x, n))); }
double ldexp_of(double x, int32_t n) { return std::ldexp(x, n); }
float ldexpf_of(float x, int32_t n) { return static_cast<float>(std::ldexp(static_cast<double>(x), n)); }
int32_t ilogb_of(double x) {
  return x == 0 || is_nan(x) ? std::numeric_limits<int32_t>::min()
         : std::isinf(x)     ? std::numeric_limits<int32_t>::max()
                             : std::ilogb(x);
}
int32_t ilogbf_of(float x) { return ilogb_of(x); }
float nextafterf_of(float x, float y) { return std::nextafter(x, y); }
double nan_of(uint64_t) { return canonical(f64_of(0x7ff8000000000000u)); }
float nanf_of(uint64_t) { return f32_of(0x7fc00000u); }
double jn_of(int32_t n, double x) { return ::jn(n, x); }
float jnf_of(int32_t n, float x) { return static_cast<float>(::jn(n, x)); }
double yn_of(int32_t n, double x) { return ::yn(n, x); }
float ynf_of(int32_t n, float x) { return static_cast<float>(::yn(n, x)); }

Two<double, int32_t> frexp_of(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return {fraction, std::isfinite(x) ? exponent : 0};
}
Two<float, int32_t> frexpf_of(float x) {
  const Two<double, int32_t> r = frexp_of(x);
  return {static_cast<float>(r.first), r.second};
}
Two<double, double> modf_of(double x) {
  double whole = 0;
  const double fraction = std::modf(x, &whole);
  return {fraction, whole};
}
Two<float, float> modff_of(float x) {
  const Two<double, double> r = modf_of(x);
  return {static_cast<float>(r.first), static_cast<float>(r.second)};
}
Two<double, int32_t> remquo_of(double x, double y) {
  int quotient = 0;
  const double r = std::remquo(x, y, &quotient);
  return {r, quotient};
}
Two<float, int32_t> remquof_of(float x, float y) {
  const Two<double, int32_t> r = remquo_of(x, y);
  return {static_cast<float>(r.first), r.second};
}
template <double (*S)(double), double (*C)(double)>
Two<double, double> sine_and_cosine(double x) {
  return {S(x), C(x)};
}
template <double (*S)(double), double (*C)(double)>
Two<float, float> sine_and_cosine_f(float x) {
  return {in_double<S>(x), in_double<C>(x)};
}
double hypot3(double x, double y, double z) { return std::hypot(x, y, z); }
float hypot3f(float x, float y, float z) { return static_cast<float>(std::hypot(double{x}, double{y}, double{z})); }
double rhypot3(double x, double y, double z) { return 1.0 / std::hypot(x, y, z); }
float rhypot3f(float x, float y, float z) { return static_cast<float>(rhypot3(x, y, z)); }

// --- fast forms: the approximate instructions they are made of ---
float fast_sin(float x) { return canonical(sin_approx(x, 0)); }
float fast_cos(float x) { return canonical(sin_approx(x, 1)); }
float fast_tan(float x) { return canonical(sin_approx(x, 0) / sin_approx(x, 1)); }
float fast_exp(float x) { return canonical(exp2_approx(x * 1.44269504f)); }
float fast_exp10(float x) { return canonical(exp2_approx(x * 3.32192809f)); }
float fast_log2(float x) { return canonical(log2_approx(x)); }
float fast_log(float x) { return canonical(log2_approx(x) * 0.69314718f); }
float fast_log10(float x) { return canonical(log2_approx(x) * 0.30102999f); }
float fast_pow(float x, float y) { return canonical(exp2_approx(y * log2_approx(x))); }
float fast_divide(float x, float y) { return canonical(x / y); }
Two<float, float> fast_sincos(float x) { return {fast_sin(x), fast_cos(x)}; }

using Elementary =
    OpList<Both1<"acos", ::acos>, Both1<"acosh", ::acosh>, Both1<"asin", ::asin>, Both1<"asinh", ::asinh>,
           Both1<"atan", ::atan>, Both1<"atanh", ::atanh>, Both1<"cbrt", ::cbrt>, Both1<"cos", ::cos>,
           Both1<"cosh", ::cosh>, Both1<"cospi", cospi_of>, Both1<"exp", ::exp>, Both1<"exp10", exp10_of>,
           Both1<"exp2", ::exp2>, Both1<"expm1", ::expm1>, Both1<"log", ::log>, Both1<"log10", ::log10>,
           Both1<"log1p", ::log1p>, Both1<"log2", ::log2>, Both1<"logb", ::logb>, Both1<"rcbrt", rcbrt_of>,
           Both1<"rsqrt", rsqrt_of>, Both1<"sin", ::sin>, Both1<"sinh", ::sinh>, Both1<"sinpi", sinpi_of>,
           Both1<"sqrt", ::sqrt>, Both1<"tan", ::tan>, Both1<"tanh", ::tanh>, Both2<"atan2", ::atan2>,
           Both2<"fdim", ::fdim>, Both2<"fmod", ::fmod>, Both2<"hypot", ::hypot>, Both2<"pow", ::pow>,
           Both2<"remainder", ::remainder>, Both2<"rhypot", rhypot_of>>;
using SpecialFunctions =
    OpList<Both1<"erf", ::erf>, Both1<"erfc", ::erfc>, Both1<"erfcinv", erfcinv_of>, Both1<"erfcx", erfcx_of>,
           Both1<"erfinv", erfinv_of>, Both1<"j0", ::j0>, Both1<"j1", ::j1>, Both1<"lgamma", log_gamma>,
           Both1<"normcdf", normcdf_of>, Both1<"normcdfinv", normcdfinv_of>, Both1<"tgamma", ::tgamma>,
           Both1<"y0", ::y0>, Both1<"y1", ::y1>, Both1<"cyl_bessel_i0", bessel_i0>, Both1<"cyl_bessel_i1", bessel_i1>>;
using Mixed =
    OpList<Function<"powi", powi>, Function<"powif", powif>, Function<"ldexp", ldexp_of>, Function<"ldexpf", ldexpf_of>,
           Function<"scalbn", ldexp_of>, Function<"scalbnf", ldexpf_of>, Function<"ilogb", ilogb_of>,
           Function<"ilogbf", ilogbf_of>, Function<"nextafter", static_cast<double (*)(double, double)>(::nextafter)>,
           Function<"nextafterf", nextafterf_of>, Function<"nan", nan_of>, Function<"nanf", nanf_of>,
           Function<"jn", jn_of>, Function<"jnf", jnf_of>, Function<"yn", yn_of>, Function<"ynf", ynf_of>,
           Function<"frexp", frexp_of>, Function<"frexpf", frexpf_of>, Function<"modf", modf_of>,
           Function<"modff", modff_of>, Function<"remquo", remquo_of>, Function<"remquof", remquof_of>,
           Function<"sincos", sine_and_cosine<::sin, ::cos>>, Function<"sincosf", sine_and_cosine_f<::sin, ::cos>>,
           Function<"sincospi", sine_and_cosine<sinpi_of, cospi_of>>,
           Function<"sincospif", sine_and_cosine_f<sinpi_of, cospi_of>>, Function<"norm3d", hypot3>,
           Function<"norm3df", hypot3f>, Function<"rnorm3d", rhypot3>, Function<"rnorm3df", rhypot3f>>;
using Fast =
    OpList<Function<"fast_sinf", fast_sin>, Function<"fast_cosf", fast_cos>, Function<"fast_tanf", fast_tan>,
           Function<"fast_expf", fast_exp>, Function<"fast_exp10f", fast_exp10>, Function<"fast_log2f", fast_log2>,
           Function<"fast_logf", fast_log>, Function<"fast_log10f", fast_log10>, Function<"fast_powf", fast_pow>,
           Function<"fast_fdividef", fast_divide>, Function<"fast_sincosf", fast_sincos>>;

template <class... Op>
void add_pairs(VariantSink& out, OpList<Op...>) {
  (add_all(out, Op{}), ...);
}

}  // namespace
}  // HPML_SIMD_NS

void append_math_functions(VariantSink& out) {
  add_pairs(out, Elementary{});
  add_pairs(out, SpecialFunctions{});
  add_all(out, Mixed{});
  add_all(out, Fast{});
}

}  // namespace hpml::sim::isa
