// Plane rotations of real vectors: how to make them (rotg, rotmg) and the modified ones (rotm), as in reference BLAS.
#include <array>
#include <cmath>

#include "simulator/cublas/task.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

// a becomes r, b becomes z.
template <class T>
void make_rotation(T& a, T& b, T& c, T& s) {
  const double x = a, y = b;
  const double sign = std::copysign(1.0, std::abs(x) > std::abs(y) ? x : y);
  const double r = sign * std::hypot(x, y);
  const double cosine = r == 0 ? 1 : x / r, sine = r == 0 ? 0 : y / r;
  const double z = std::abs(x) > std::abs(y) ? sine : cosine != 0 ? 1 / cosine : 1;
  a = static_cast<T>(r);
  b = static_cast<T>(r == 0 ? 0 : z);
  c = static_cast<T>(cosine);
  s = static_cast<T>(sine);
}

using Modified = std::array<double, 5>;  // flag, h11, h21, h12, h22

// The matrix that takes y1's component to zero, with the scaled factors d1 and d2; see the manual of rotmg for the
// flag.
Modified make_modified(double& d1, double& d2, double& x1, double y1) {
  const double p2 = d2 * y1;
  if (d1 < 0) {
    d1 = d2 = x1 = 0;
    return {-1, 0, 0, 0, 0};
  }
  if (p2 == 0) {
    return {-2, 0, 0, 0, 0};
  }
  const double p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
  if (std::abs(q1) > std::abs(q2)) {
    const double h21 = -y1 / x1, h12 = p2 / p1, u = 1 - h12 * h21;
    if (u <= 0) {
      d1 = d2 = x1 = 0;
      return {-1, 0, 0, 0, 0};
    }
    d1 /= u;
    d2 /= u;
    x1 *= u;
    return {0, 1, h21, h12, 1};
  }
  if (q2 < 0) {
    d1 = d2 = x1 = 0;
    return {-1, 0, 0, 0, 0};
  }
  const double h11 = p1 / p2, h22 = x1 / y1, u = 1 + h11 * h22;
  const double kept = d2 / u;
  d2 = d1 / u;
  d1 = kept;
  x1 = y1 * u;
  return {1, h11, -1, 1, h22};
}

// Keeps d1 and d2 within 4096^-2 and 4096^2; the flag becomes -1, all elements of H are given.
void rescale(double& d1, double& d2, double& x1, Modified& h) {
  constexpr double kStep = 4096, kLargest = kStep * kStep;
  const auto scale = [&](double& d, size_t first, size_t second, double* x) {
    while (d != 0 && (std::abs(d) <= 1 / kLargest || std::abs(d) >= kLargest)) {
      h[0] = -1;
      const double by = std::abs(d) >= kLargest ? kStep : 1 / kStep;
      d /= by * by;
      h[first] *= by;
      h[second] *= by;
      if (x != nullptr) {
        *x *= by;
      }
    }
  };
  if (h[0] >= 0) {
    scale(d1, 1, 3, &x1);
    scale(d2, 2, 4, nullptr);
  }
}

template <class T>
int rotg(const char* name, Handle* handle, void* a, void* b, void* c, void* s) {
  return task_call(name, handle, [&](Task& task) {
    T* const all[] = {task.result<T>(a), task.result<T>(b), task.result<T>(c), task.result<T>(s)};
    return task.launch_vector(
        real_element<T>, 1, 10, [=] { make_rotation(*all[0], *all[1], *all[2], *all[3]); }, true);
  });
}

template <class T>
int rotmg(const char* name, Handle* handle, void* d1, void* d2, void* x1, const void* y1, void* parameters) {
  return task_call(name, handle, [&](Task& task) {
    T* const all[] = {task.result<T>(d1), task.result<T>(d2), task.result<T>(x1)};
    const double y = task.factor<T>(y1);
    using Five = std::array<T, 5>;
    Five* const to = task.result<Five>(parameters);
    return task.launch_vector(
        real_element<T>, 1, 20,
        [=] {
          double first = *all[0], second = *all[1], x = *all[2];
          Modified h = make_modified(first, second, x, y);
          rescale(first, second, x, h);
          *all[0] = static_cast<T>(first);
          *all[1] = static_cast<T>(second);
          *all[2] = static_cast<T>(x);
          for (size_t i = 0; i < h.size(); ++i) {
            (*to)[i] = static_cast<T>(h[i]);
          }
        },
        true);
  });
}

template <class T>
int rotm(const char* name, Handle* handle, int n, void* x, int x_step, void* y, int y_step, const void* parameters) {
  return task_call(name, handle, [&](Task& task) {
    const auto left = task.vector<T>("x", x, n, x_step), right = task.vector<T>("y", y, n, y_step);
    using Five = std::array<T, 5>;
    const Five* const from = task.result<Five>(const_cast<void*>(parameters));
    const Five h = from != nullptr ? *from : Five{};
    const double flag = h[0];
    if (flag == -2) {
      return static_cast<int>(kSuccess);
    }
    const double h11 = flag == 0 ? 1 : h[1], h22 = flag == 0 ? 1 : h[4];
    const double h21 = flag == 1 ? -1 : h[2], h12 = flag == 1 ? 1 : h[3];
    return task.launch_vector(real_element<T>, n, 6, [=] {
      for (int64_t i = 0; i < left.n; ++i) {
        const double a = left.get(i), b = right.get(i);
        left.set(i, h11 * a + h12 * b);
        right.set(i, h21 * a + h22 * b);
      }
    });
  });
}

}  // namespace

#define HPML_ROTATIONS(L, T)                                                                                    \
  HPML_LIBRARY_API int cublas##L##rotg_v2(Handle* h, void* a, void* b, void* c, void* s) {                      \
    return rotg<T>("cublas" #L "rotg", h, a, b, c, s);                                                          \
  }                                                                                                             \
  HPML_LIBRARY_API int cublas##L##rotmg_v2(Handle* h, void* d1, void* d2, void* x1, const void* y1, void* to) { \
    return rotmg<T>("cublas" #L "rotmg", h, d1, d2, x1, y1, to);                                                \
  }                                                                                                             \
  HPML_LIBRARY_API int cublas##L##rotm_v2(Handle* h, int n, void* x, int x_step, void* y, int y_step,           \
                                          const void* from) {                                                   \
    return rotm<T>("cublas" #L "rotm", h, n, x, x_step, y, y_step, from);                                       \
  }
HPML_ROTATIONS(S, float)
HPML_ROTATIONS(D, double)
#undef HPML_ROTATIONS
