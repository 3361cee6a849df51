// Complex vectors: axpy, copy, swap, scal, dot, nrm2, asum, amax, amin, rot.
#include <cmath>

#include "simulator/cublas/task.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

using C32 = std::complex<float>;
using C64 = std::complex<double>;

struct Run {  // elements of a vector in the program's memory
  const void* data;
  int step;
};

// y = f(alpha, x, y); A: the type of alpha.
template <class T, class A, class F>
int update(const char* name, Handle* handle, int n, const void* alpha, Run x, Run y, F f) {
  return task_call(name, handle, [&](Task& task) {
    const Wide<T> by = alpha != nullptr ? Wide<T>(task.factor<A>(alpha)) : Wide<T>(1);
    const auto from = task.vector<T>("x", x.data, n, x.step);
    const auto to = task.vector<T>("y", y.data, n, y.step, true);
    return task.launch_vector(real_element<T>, n, 2 * kWork<T>, [=] {
      for (int64_t i = 0; i < to.n; ++i) {
        to.set(i, f(by, from.get(i), to.get(i)));
      }
    });
  });
}

// x = c x + s y, y = c y - conj(s) x; S: the type of s.
template <class T, class S>
int rotate(const char* name, Handle* handle, int n, Run x, Run y, const void* cosine, const void* sine) {
  return task_call(name, handle, [&](Task& task) {
    const double c = task.factor<Real<T>>(cosine);
    const Wide<T> s = task.factor<S>(sine);
    const auto left = task.vector<T>("x", x.data, n, x.step);
    const auto right = task.vector<T>("y", y.data, n, y.step);
    return task.launch_vector(real_element<T>, n, 6 * kWork<T>, [=] {
      for (int64_t i = 0; i < left.n; ++i) {
        const Wide<T> a = left.get(i), b = right.get(i);
        left.set(i, c * a + s * b);
        right.set(i, c * b - libraries::conjugate(s) * a);
      }
    });
  });
}

template <class T>
int exchange(const char* name, Handle* handle, int n, Run x, Run y) {
  return task_call(name, handle, [&](Task& task) {
    const auto left = task.vector<T>("x", x.data, n, x.step);
    const auto right = task.vector<T>("y", y.data, n, y.step);
    return task.launch_vector(real_element<T>, n, 0, [=] {
      for (int64_t i = 0; i < left.n; ++i) {
        std::swap(left.at(i), right.at(i));
      }
    });
  });
}

// f(x, y, to): one number of type R out of vectors.
template <class T, class R, class F>
int reduce(const char* name, Handle* handle, int n, Run x, Run y, void* result, F f) {
  return task_call(name, handle, [&](Task& task) {
    const auto left = task.vector<T>("x", x.data, n, x.step);
    const auto right = y.data != nullptr ? task.vector<T>("y", y.data, n, y.step) : left;
    R* const to = task.result<R>(result);
    return task.launch_vector(
        real_element<T>, n, 2 * kWork<T>, [=] { *to = R(f(left, right)); }, true);
  });
}

template <class T>
Wide<T> dot(const Strip<T>& x, const Strip<T>& y, bool conjugated) {
  Wide<T> sum = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    sum += (conjugated ? libraries::conjugate(x.get(i)) : x.get(i)) * y.get(i);
  }
  return sum;
}

template <class T>
double norm(const Strip<T>& x) {
  double scale = 0, sum = 1;  // scaled, so that squares neither overflow nor vanish
  for (int64_t i = 0; i < x.n; ++i) {
    for (const double part : {std::abs(x.get(i).real()), std::abs(x.get(i).imag())}) {
      if (part > scale) {
        sum = 1 + sum * (scale / part) * (scale / part);
        scale = part;
      } else if (part > 0) {
        sum += (part / scale) * (part / scale);
      }
    }
  }
  return scale * std::sqrt(sum);
}

// |re| + |im|, which BLAS takes for the size of a complex number.
double size_of(C64 x) { return std::abs(x.real()) + std::abs(x.imag()); }

template <class T>
double absolute_sum(const Strip<T>& x) {
  double sum = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    sum += size_of(x.get(i));
  }
  return sum;
}

// The first of the largest (or smallest), counted from one; 0 for an empty vector.
template <class T>
int64_t extreme(const Strip<T>& x, bool largest) {
  int64_t best = 0;
  for (int64_t i = 0; i < x.n; ++i) {
    const double size = size_of(x.get(i)), known = best > 0 ? size_of(x.get(best - 1)) : 0;
    best = best == 0 || (largest ? size > known : size < known) ? i + 1 : best;
  }
  return best;
}

}  // namespace

#define HPML_UPDATE(name, T, A, expression)                                                                  \
  HPML_LIBRARY_API int cublas##name(Handle* h, int n, const void* alpha, const void* x, int x_step, void* y, \
                                    int y_step) {                                                            \
    return update<T, A>("cublas" #name, h, n, alpha, {x, x_step}, {y, y_step},                               \
                        [](Wide<T> a, Wide<T> left, Wide<T> right) { return expression; });                  \
  }
#define HPML_SCALE(name, T, A)                                                                \
  HPML_LIBRARY_API int cublas##name(Handle* h, int n, const void* alpha, void* x, int step) { \
    return update<T, A>("cublas" #name, h, n, alpha, {x, step}, {x, step},                    \
                        [](Wide<T> a, Wide<T> left, Wide<T>) { return a * left; });           \
  }
#define HPML_DOT(name, T, conjugated)                                                                       \
  HPML_LIBRARY_API int cublas##name(Handle* h, int n, const void* x, int x_step, const void* y, int y_step, \
                                    void* result) {                                                         \
    return reduce<T, T>("cublas" #name, h, n, {x, x_step}, {y, y_step}, result,                             \
                        [](const Strip<T>& a, const Strip<T>& b) { return dot(a, b, conjugated); });        \
  }
#define HPML_REDUCE(name, T, R, expression)                                                    \
  HPML_LIBRARY_API int cublas##name(Handle* h, int n, const void* x, int step, void* result) { \
    return reduce<T, R>("cublas" #name, h, n, {x, step}, {nullptr, 1}, result,                 \
                        [](const Strip<T>& a, const Strip<T>&) { return expression; });        \
  }
#define HPML_ROTATE(name, T, S)                                                                                \
  HPML_LIBRARY_API int cublas##name(Handle* h, int n, void* x, int x_step, void* y, int y_step, const void* c, \
                                    const void* s) {                                                           \
    return rotate<T, S>("cublas" #name, h, n, {x, x_step}, {y, y_step}, c, s);                                 \
  }
#define HPML_COMPLEX(L, R, T)                                                                                 \
  HPML_UPDATE(L##axpy_v2, T, T, a* left + right)                                                              \
  HPML_SCALE(L##scal_v2, T, T)                                                                                \
  HPML_DOT(L##dotu_v2, T, false)                                                                              \
  HPML_DOT(L##dotc_v2, T, true)                                                                               \
  HPML_LIBRARY_API int cublas##L##copy_v2(Handle* h, int n, const void* x, int x_step, void* y, int y_step) { \
    return update<T, T>("cublas" #L "copy", h, n, nullptr, {x, x_step}, {y, y_step},                          \
                        [](Wide<T>, Wide<T> left, Wide<T>) { return left; });                                 \
  }                                                                                                           \
  HPML_LIBRARY_API int cublas##L##swap_v2(Handle* h, int n, void* x, int x_step, void* y, int y_step) {       \
    return exchange<T>("cublas" #L "swap", h, n, {x, x_step}, {y, y_step});                                   \
  }                                                                                                           \
  HPML_ROTATE(L##rot_v2, T, T)
HPML_COMPLEX(C, S, C32)
HPML_COMPLEX(Z, D, C64)
HPML_SCALE(Csscal_v2, C32, float)
HPML_SCALE(Zdscal_v2, C64, double)
HPML_ROTATE(Csrot_v2, C32, float)
HPML_ROTATE(Zdrot_v2, C64, double)
HPML_REDUCE(Scnrm2_v2, C32, float, norm(a))
HPML_REDUCE(Dznrm2_v2, C64, double, norm(a))
HPML_REDUCE(Scasum_v2, C32, float, absolute_sum(a))
HPML_REDUCE(Dzasum_v2, C64, double, absolute_sum(a))
HPML_REDUCE(Icamax_v2, C32, int, extreme(a, true))
HPML_REDUCE(Izamax_v2, C64, int, extreme(a, true))
HPML_REDUCE(Icamin_v2, C32, int, extreme(a, false))
HPML_REDUCE(Izamin_v2, C64, int, extreme(a, false))
HPML_REDUCE(Icamax_v2_64, C32, int64_t, extreme(a, true))
HPML_REDUCE(Izamax_v2_64, C64, int64_t, extreme(a, true))
HPML_REDUCE(Icamin_v2_64, C32, int64_t, extreme(a, false))
HPML_REDUCE(Izamin_v2_64, C64, int64_t, extreme(a, false))
#undef HPML_COMPLEX
#undef HPML_ROTATE
#undef HPML_REDUCE
#undef HPML_DOT
#undef HPML_SCALE
#undef HPML_UPDATE
