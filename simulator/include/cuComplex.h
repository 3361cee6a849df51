#pragma once
// Complex numbers of CUDA C: names as in NVIDIA's cuComplex.h.
#include <math.h>
#include <vector_functions.h>
#include <vector_types.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __CUDACC__
#define HPML_COMPLEX static __inline__ __host__ __device__
#else
#define HPML_COMPLEX static inline
#endif

// The functions of one precision: T is its number, root its square root, abs its size.
#define HPML_COMPLEX_FUNCTIONS(Complex, T, make, real, imag, conj, add, sub, mul, div, size, fabs_of, sqrt_of) \
  HPML_COMPLEX Complex make(T x, T y) {                                                                        \
    Complex z;                                                                                                 \
    z.x = x;                                                                                                   \
    z.y = y;                                                                                                   \
    return z;                                                                                                  \
  }                                                                                                            \
  HPML_COMPLEX T real(Complex z) { return z.x; }                                                               \
  HPML_COMPLEX T imag(Complex z) { return z.y; }                                                               \
  HPML_COMPLEX Complex conj(Complex z) { return make(z.x, -z.y); }                                             \
  HPML_COMPLEX Complex add(Complex a, Complex b) { return make(a.x + b.x, a.y + b.y); }                        \
  HPML_COMPLEX Complex sub(Complex a, Complex b) { return make(a.x - b.x, a.y - b.y); }                        \
  HPML_COMPLEX Complex mul(Complex a, Complex b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  /* Divided by |b.x| + |b.y| first, so that nothing overflows on the way. */                                  \
  HPML_COMPLEX Complex div(Complex a, Complex b) {                                                             \
    const T scale = 1 / (fabs_of(b.x) + fabs_of(b.y));                                                         \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                            \
    const T norm = 1 / (bx * bx + by * by);                                                                    \
    return make((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);                                       \
  }                                                                                                            \
  HPML_COMPLEX T size(Complex z) {                                                                             \
    const T a = fabs_of(z.x), b = fabs_of(z.y);                                                                \
    const T longer = a > b ? a : b, ratio = a > b ? b / a : a / b;                                             \
    const T most = longer + longer;                                                                            \
    return longer == 0 || most == longer ? a + b : longer * sqrt_of(1 + ratio * ratio);                        \
  }

HPML_COMPLEX_FUNCTIONS(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf,
                       cuCdivf, cuCabsf, fabsf, sqrtf)
HPML_COMPLEX_FUNCTIONS(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv,
                       cuCabs, fabs, sqrt)
#undef HPML_COMPLEX_FUNCTIONS

HPML_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
HPML_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
HPML_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
HPML_COMPLEX cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) { return cuCaddf(cuCmulf(a, b), c); }
HPML_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
#undef HPML_COMPLEX
