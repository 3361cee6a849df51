// D = epilogue(alpha op(A) op(B) + beta C), and the choice of an algorithm, of which there is one.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "simulator/cublaslt/entry.hpp"
#include "simulator/cublaslt/layout.hpp"
#include "simulator/libraries/gemm_model.hpp"

namespace hpml::sim::cublaslt {

const char* status_name(int status) {
  switch (status) {
    case kSuccess: return "CUBLAS_STATUS_SUCCESS";
    case kNotInitialized: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case kInvalidValue: return "CUBLAS_STATUS_INVALID_VALUE";
    case kExecutionFailed: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case kNotSupported: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "<unknown>";
  }
}

namespace {

using libraries::Element;
using libraries::element_of;

struct Matrix {
  Layout layout;
  Element type = Element::f32;
  void* data = nullptr;
  bool transposed = false;

  int64_t rows() const { return static_cast<int64_t>(transposed ? layout.columns : layout.rows); }
  int64_t columns() const { return static_cast<int64_t>(transposed ? layout.rows : layout.columns); }
  uint64_t bytes() const {
    const int64_t last = layout.at(static_cast<int64_t>(layout.rows) - 1, static_cast<int64_t>(layout.columns) - 1);
    return static_cast<uint64_t>((layout.batch - 1) * layout.stride + last + 1) * libraries::size_of(type);
  }
  int64_t at(int64_t b, int64_t row, int64_t column) const {
    return b * layout.stride + (transposed ? layout.at(column, row) : layout.at(row, column));
  }
  double get(int64_t b, int64_t row, int64_t column) const { return libraries::load(type, data, at(b, row, column)); }
};

struct Problem {
  Matrix a, b, c, d;
  int epilogue = kDefault;
  Element bias_type = Element::f32, scalars = Element::f32;
  bool tensor_cores = true;
};

bool well_formed(const Matrix& m) {
  const auto across = static_cast<int64_t>(m.layout.order == kRows ? m.layout.columns : m.layout.rows);
  return m.layout.rows > 0 && m.layout.columns > 0 && m.layout.batch > 0 && m.layout.leading >= across &&
         (m.layout.order == kRows || m.layout.order == kColumns);
}

// The descriptors of a call, checked.
Status problem_of(const Matmul* matmul, const Layout* a, const Layout* b, const Layout* c, const Layout* d,
                  Problem& made) {
  constexpr int kMostOperation = 2, kPedantic = 69, kTf32 = 77;  // cublasOperation_t, cublasComputeType_t
  if (matmul == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || matmul->transpose_a < 0 ||
      matmul->transpose_a > kMostOperation || matmul->transpose_b < 0 || matmul->transpose_b > kMostOperation) {
    return kInvalidValue;
  }
  for (const auto& [to, from] : {std::pair{&made.a, a}, {&made.b, b}, {&made.c, c}, {&made.d, d}}) {
    const auto type = element_of(from->type);
    if (!type) {
      return kNotSupported;
    }
    *to = {.layout = *from, .type = *type};
    if (!well_formed(*to)) {
      return kInvalidValue;
    }
  }
  made.a.transposed = matmul->transpose_a != 0;
  made.b.transposed = matmul->transpose_b != 0;
  const auto scalars = element_of(matmul->scale_type);
  const auto bias = element_of(matmul->bias_type < 0 ? d->type : matmul->bias_type);
  constexpr int kKnown = kDefault | kRelu | kBias | kGelu;
  if (!scalars || !bias || (matmul->epilogue & ~kKnown) != 0 || matmul->pointer_mode > 1) {
    libraries::say_not_supported("this type, epilogue or pointer mode of cublasLtMatmul");
    return kNotSupported;
  }
  made.epilogue = matmul->epilogue;
  made.bias_type = *bias;
  made.scalars = *scalars;
  made.tensor_cores = matmul->compute != kPedantic && (made.a.type != Element::f32 || matmul->compute == kTf32);
  const bool fits = made.a.rows() == made.d.rows() && made.b.columns() == made.d.columns() &&
                    made.a.columns() == made.b.rows() && made.c.rows() == made.d.rows() &&
                    made.c.columns() == made.d.columns() && a->batch == d->batch && b->batch == d->batch &&
                    c->batch == d->batch && made.a.type == made.b.type;
  return fits ? kSuccess : kInvalidValue;
}

double finished(int epilogue, double value) {
  if ((epilogue & kRelu) != 0) {
    return std::max(value, 0.0);
  }
  if ((epilogue & kGelu) != 0) {  // Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016: by tanh
    return value / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (value + 0.044715 * value * value * value)));
  }
  return value;
}

// Sums over k in double, in the order of k, rounded once.
void compute(const Problem& p, double alpha, double beta, const void* bias) {
  const int64_t m = p.d.rows(), n = p.d.columns(), k = p.a.columns();
  std::vector<double> column(static_cast<size_t>(m));
  for (int64_t batch = 0; batch < p.d.layout.batch; ++batch) {
    for (int64_t j = 0; j < n; ++j) {
      std::fill(column.begin(), column.end(), 0.0);
      for (int64_t l = 0; l < k; ++l) {
        const double factor = p.b.get(batch, l, j);
        for (int64_t i = 0; i < m; ++i) {
          column[static_cast<size_t>(i)] += factor * p.a.get(batch, i, l);
        }
      }
      for (int64_t i = 0; i < m; ++i) {
        double value = alpha * column[static_cast<size_t>(i)] + (beta != 0 ? beta * p.c.get(batch, i, j) : 0);
        value += bias != nullptr ? libraries::load(p.bias_type, bias, i) : 0;
        libraries::store(p.d.type, p.d.data, p.d.at(batch, i, j), finished(p.epilogue, value));
      }
    }
  }
}

device::LibraryKernel kernel_of(const Problem& p, const device::Properties& chip) {
  const libraries::GemmShape shape{.m = p.d.rows(), .n = p.d.columns(), .k = p.a.columns(), .batch = p.d.layout.batch};
  const device::Math math = libraries::math_of(p.a.type, chip.rates, p.tensor_cores);
  device::LibraryKernel kernel = libraries::gemm_kernel("cublasLt", shape, p.a.type, math, chip);
  kernel.dram_read = p.a.bytes() + p.b.bytes();
  kernel.dram_write = p.d.bytes();
  return kernel;
}

}  // namespace
}  // namespace hpml::sim::cublaslt

using namespace hpml::sim::cublaslt;  // NOLINT(google-build-using-namespace): entry points have no namespace
using hpml::sim::libraries::ApiRecord;
using hpml::sim::libraries::Context;
using hpml::sim::libraries::Runtime;

struct HeuristicResult {  // cublasLtMatmulHeuristicResult_t
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

HPML_LIBRARY_API int cublasLtCreate(Handle** handle) {
  return hpml::sim::libraries::library_call("cublasLtCreate", status_name, kNotInitialized,
                                            [&](Runtime&, Context&, ApiRecord&) -> int {
                                              if (handle == nullptr) {
                                                return kInvalidValue;
                                              }
                                              *handle = new Handle;
                                              return kSuccess;
                                            });
}
HPML_LIBRARY_API int cublasLtDestroy(Handle* handle) {
  return host_call("cublasLtDestroy", [&]() -> int {
    delete handle;
    return kSuccess;
  });
}
HPML_LIBRARY_API size_t cublasLtGetVersion() {
  return static_cast<size_t>(hpml::sim::libraries::major()) * 10000 + 100;
}
HPML_LIBRARY_API const char* cublasLtGetStatusName(int status) { return status_name(status); }

HPML_LIBRARY_API int cublasLtMatmulAlgoGetHeuristic(Handle* handle, const Matmul* matmul, const Layout* a,
                                                    const Layout* b, const Layout* c, const Layout* d,
                                                    const Preference* preference, int asked, HeuristicResult* results,
                                                    int* returned) {
  return host_call("cublasLtMatmulAlgoGetHeuristic", [&]() -> int {
    if (handle == nullptr || results == nullptr || returned == nullptr || asked < 1) {
      return handle == nullptr ? kNotInitialized : kInvalidValue;
    }
    Problem problem;
    const Status status = problem_of(matmul, a, b, c, d, problem);
    *returned = status == kSuccess ? 1 : 0;
    if (status == kSuccess) {
      // A few bytes where the program allows a workspace, as a GPU would ask for: nothing is kept there.
      const size_t workspace = preference != nullptr ? std::min<size_t>(preference->workspace, 256) : 0;
      *results = {.algorithm = {}, .workspace = workspace, .state = kSuccess, .waves = 1, .reserved = {}};
    }
    return status;
  });
}

HPML_LIBRARY_API int cublasLtMatmul(Handle* handle, const Matmul* matmul, const void* alpha, const void* a,
                                    const Layout* a_layout, const void* b, const Layout* b_layout, const void* beta,
                                    const void* c, const Layout* c_layout, void* d, const Layout* d_layout, const void*,
                                    const void* workspace, size_t workspace_bytes, void* stream) {
  using namespace hpml::sim::libraries;  // NOLINT(google-build-using-namespace)
  return library_call(
      "cublasLtMatmul", status_name, kExecutionFailed,
      [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
        Problem p;
        if (handle == nullptr) {
          return kNotInitialized;
        }
        if (workspace == nullptr && workspace_bytes > 0) {
          return kInvalidValue;
        }
        if (const Status status = problem_of(matmul, a_layout, b_layout, c_layout, d_layout, p); status != kSuccess) {
          return status;
        }
        const auto scalar = [&](const void* pointer) -> std::optional<double> {
          const bool there = pointer != nullptr && matmul->pointer_mode == 1;
          const void* from = there ? device_data(runtime, record, "the scalar", pointer, size_of(p.scalars)) : pointer;
          return from != nullptr ? std::optional(load(p.scalars, from, 0)) : std::nullopt;
        };
        const auto by = scalar(alpha), keep = scalar(beta);
        if (!by || !keep) {
          return kInvalidValue;
        }
        p.a.data = device_data(runtime, record, "A", a, p.a.bytes());
        p.b.data = device_data(runtime, record, "B", b, p.b.bytes());
        p.d.data = device_data(runtime, record, "D", d, p.d.bytes());
        p.c.data = *keep != 0 ? device_data(runtime, record, "C", c, p.c.bytes()) : p.d.data;
        const bool biased = (p.epilogue & kBias) != 0;
        const void* bias = biased ? device_data(runtime, record, "the bias", matmul->bias,
                                                static_cast<uint64_t>(p.d.rows()) * size_of(p.bias_type))
                                  : nullptr;
        if (p.a.data == nullptr || p.b.data == nullptr || p.c.data == nullptr || p.d.data == nullptr ||
            (biased && bias == nullptr)) {
          return kExecutionFailed;
        }
        const Error error = launch(runtime, context, stream,
                                   {.kernel = kernel_of(p, context.device().properties()),
                                    .body = [p, by = *by, keep = *keep, bias] { compute(p, by, keep, bias); },
                                    .output = d,
                                    .output_bytes = p.d.bytes()});
        return error == Error::success ? kSuccess : kExecutionFailed;
      });
}
