// The entry points of matrix products.
#include <fmt/format.h>

#include "simulator/cublas/arguments.hpp"
#include "simulator/cublas/gemm.hpp"
#include "simulator/cublas/typed_products.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct Sides {
  int op_a, op_b, m, n, k;
};

// cublasOperation_t: 0 as it is, 1 transposed, 2 conjugated and transposed (the same for real numbers).
Product product(const Sides& s, const void* alpha, const void* beta, Element scalars) {
  Product p;
  p.m = s.m;
  p.n = s.n;
  p.k = s.k;
  p.a.transposed = s.op_a != 0;
  p.b.transposed = s.op_b != 0;
  p.operations_known = s.op_a >= 0 && s.op_a <= 2 && s.op_b >= 0 && s.op_b <= 2;
  p.alpha = alpha;
  p.beta = beta;
  p.scalars = scalars;
  return p;
}

struct One {
  const void* data;
  int leading;
  long long stride = 0;
};

void place(Operand& operand, Element type, const One& one) {
  operand.type = type;
  operand.data = one.data;
  operand.leading = one.leading;
  operand.stride = one.stride;
}

// Of one type throughout.
int plain(const char* name, Handle* handle, Element type, const Sides& sides, const void* alpha, const One& a,
          const One& b, const void* beta, const One& c, int batch = 1) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!legal_gemm(name, sides.op_a, sides.op_b, sides.m, sides.n, sides.k, a.leading, b.leading, c.leading)) {
      return kInvalidValue;
    }
    Product p = product(sides, alpha, beta, type);
    place(p.a, type, a);
    place(p.b, type, b);
    place(p.c, type, c);
    p.batch = batch;
    // Float stays float unless the program asks for TF32; half and double use the tensor cores of their own precision.
    p.tensor_cores = handle->math_mode != kPedanticMath && (type != Element::f32 || handle->math_mode == kTf32Math);
    return multiply(call, p);
  });
}

int lists(const char* name, Handle* handle, Element type, const Sides& sides, const void* alpha, const void* const* a,
          int lda, const void* const* b, int ldb, const void* beta, void* const* c, int ldc, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    Product p = product(sides, alpha, beta, type);
    place(p.a, type, {nullptr, lda});
    place(p.b, type, {nullptr, ldb});
    place(p.c, type, {nullptr, ldc});
    p.a.list = a;
    p.b.list = b;
    p.c.list = const_cast<const void* const*>(c);
    p.batch = batch;
    p.tensor_cores = handle->math_mode != kPedanticMath && (type != Element::f32 || handle->math_mode == kTf32Math);
    return multiply(call, p);
  });
}

struct ComputeType {
  Element scalars;
  bool tensor_cores;
};

// cublasComputeType_t, and the cudaDataType_t that took its place before CUDA 11.
std::optional<ComputeType> compute_type(int value) {
  switch (value) {
    case 64: return ComputeType{Element::f16, true};   // 16F
    case 65: return ComputeType{Element::f16, false};  // pedantic
    case 68: return ComputeType{Element::f32, true};   // 32F
    case 69: return ComputeType{Element::f32, false};
    case 74:  // fast: 16F, 16BF, TF32
    case 75:
    case 77: return ComputeType{Element::f32, true};
    case 70: return ComputeType{Element::f64, true};  // 64F
    case 71: return ComputeType{Element::f64, false};
    case 0: return ComputeType{Element::f32, true};
    case 1: return ComputeType{Element::f64, true};
    case 2: return ComputeType{Element::f16, true};
    default: return std::nullopt;
  }
}

bool wants_tf32(int compute) { return compute == 74 || compute == 75 || compute == 77; }

struct Lists {  // pointers to the matrices, in device memory
  const void *const *a = nullptr, *const *b = nullptr, *const *c = nullptr;
};

// Types that are not Element: whole numbers (cudaDataType_t 3: int8, 10: int32) and complex ones (4 and 5). None:
// another combination.
std::optional<int> of_other_types(const char* name, Handle* handle, const Shape& s, const void* alpha, Strided a,
                                  int in, Strided b, const void* beta, Strided c, int out, int compute) {
  using C32 = std::complex<float>;
  using C64 = std::complex<double>;
  if (in == 3 && out == 10 && (compute == 72 || compute == 73 || compute == 10)) {
    return gemm<int8_t, int32_t, int32_t>(name, handle, s, alpha, a, b, beta, c);
  }
  if (in == 3 && out == 0 && (compute == 68 || compute == 69 || compute == 0)) {
    return gemm<int8_t, float, float>(name, handle, s, alpha, a, b, beta, c);
  }
  if (in == 4 && out == 4) {
    return gemm<C32, C32, C32>(name, handle, s, alpha, a, b, beta, c);
  }
  if (in == 5 && out == 5) {
    return gemm<C64, C64, C64>(name, handle, s, alpha, a, b, beta, c);
  }
  return std::nullopt;
}

int typed(const char* name, Handle* handle, const Sides& sides, const void* alpha, const One& a, int a_type,
          const One& b, int b_type, const void* beta, const One& c, int c_type, int batch, int compute,
          const Lists& from = {}) {
  if (a_type == b_type && !element_of(a_type) && from.a == nullptr) {
    const auto strided = [](const One& one) { return Strided{one.data, one.leading, one.stride}; };
    const Shape shape{sides.op_a, sides.op_b, sides.m, sides.n, sides.k, batch};
    if (const auto status = of_other_types(name, handle, shape, alpha, strided(a), a_type, strided(b), beta, strided(c),
                                           c_type, compute)) {
      return *status;
    }
  }
  return cublas_call(name, handle, [&](const Call& call) {
    const auto types = {element_of(a_type), element_of(b_type), element_of(c_type)};
    const auto how = compute_type(compute);
    if (a_type != b_type || !how || std::ranges::any_of(types, [](const auto& type) { return !type; })) {
      hpml::sim::libraries::say_not_supported(
          fmt::format("{} of matrices of cudaDataType_t {}, {} and {} with compute type {}", name, a_type, b_type,
                      c_type, compute));
      return kNotSupported;
    }
    Product p = product(sides, alpha, beta, how->scalars);
    place(p.a, *element_of(a_type), a);
    place(p.b, *element_of(b_type), b);
    place(p.c, *element_of(c_type), c);
    p.a.list = from.a;
    p.b.list = from.b;
    p.c.list = from.c;
    p.batch = batch;
    const bool tf32 = p.a.type != Element::f32 || wants_tf32(compute) || handle->math_mode == kTf32Math;
    p.tensor_cores = how->tensor_cores && tf32 && handle->math_mode != kPedanticMath;
    return multiply(call, p);
  });
}

}  // namespace

#define HPML_GEMM(letter, element)                                                                                    \
  HPML_LIBRARY_API int cublas##letter##gemm_v2(Handle* handle, int op_a, int op_b, int m, int n, int k,               \
                                               const void* alpha, const void* a, int lda, const void* b, int ldb,     \
                                               const void* beta, void* c, int ldc) {                                  \
    return plain("cublas" #letter "gemm", handle, element, {op_a, op_b, m, n, k}, alpha, {a, lda}, {b, ldb}, beta,    \
                 {c, ldc});                                                                                           \
  }                                                                                                                   \
  HPML_LIBRARY_API int cublas##letter##gemmStridedBatched(                                                            \
      Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int lda,             \
      long long stride_a, const void* b, int ldb, long long stride_b, const void* beta, void* c, int ldc,             \
      long long stride_c, int batch) {                                                                                \
    return plain("cublas" #letter "gemmStridedBatched", handle, element, {op_a, op_b, m, n, k}, alpha,                \
                 {a, lda, stride_a}, {b, ldb, stride_b}, beta, {c, ldc, stride_c}, batch);                            \
  }                                                                                                                   \
  HPML_LIBRARY_API int cublas##letter##gemmBatched(                                                                   \
      Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* const* a, int lda,      \
      const void* const* b, int ldb, const void* beta, void* const* c, int ldc, int batch) {                          \
    return lists("cublas" #letter "gemmBatched", handle, element, {op_a, op_b, m, n, k}, alpha, a, lda, b, ldb, beta, \
                 c, ldc, batch);                                                                                      \
  }
HPML_GEMM(S, Element::f32)
HPML_GEMM(D, Element::f64)
HPML_GEMM(H, Element::f16)
#undef HPML_GEMM

HPML_LIBRARY_API int cublasHgemm(Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                                 const void* a, int lda, const void* b, int ldb, const void* beta, void* c, int ldc) {
  return cublasHgemm_v2(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
HPML_LIBRARY_API int cublasGemmEx(Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                                  const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                                  const void* beta, void* c, int c_type, int ldc, int compute, int) {
  return typed("cublasGemmEx", handle, {op_a, op_b, m, n, k}, alpha, {a, lda}, a_type, {b, ldb}, b_type, beta, {c, ldc},
               c_type, 1, compute);
}
HPML_LIBRARY_API int cublasSgemmEx(Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                                   const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                                   const void* beta, void* c, int c_type, int ldc) {
  return typed("cublasSgemmEx", handle, {op_a, op_b, m, n, k}, alpha, {a, lda}, a_type, {b, ldb}, b_type, beta,
               {c, ldc}, c_type, 1, 68);
}
HPML_LIBRARY_API int cublasGemmStridedBatchedEx(Handle* handle, int op_a, int op_b, int m, int n, int k,
                                                const void* alpha, const void* a, int a_type, int lda,
                                                long long stride_a, const void* b, int b_type, int ldb,
                                                long long stride_b, const void* beta, void* c, int c_type, int ldc,
                                                long long stride_c, int batch, int compute, int) {
  return typed("cublasGemmStridedBatchedEx", handle, {op_a, op_b, m, n, k}, alpha, {a, lda, stride_a}, a_type,
               {b, ldb, stride_b}, b_type, beta, {c, ldc, stride_c}, c_type, batch, compute);
}
HPML_LIBRARY_API int cublasGemmBatchedEx(Handle* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                                         const void* const* a, int a_type, int lda, const void* const* b, int b_type,
                                         int ldb, const void* beta, void* const* c, int c_type, int ldc, int batch,
                                         int compute, int) {
  return typed("cublasGemmBatchedEx", handle, {op_a, op_b, m, n, k}, alpha, {nullptr, lda}, a_type, {nullptr, ldb},
               b_type, beta, {nullptr, ldc}, c_type, batch, compute, {a, b, const_cast<const void* const*>(c)});
}
