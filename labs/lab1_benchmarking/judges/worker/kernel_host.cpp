#include "kernel_host.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <optional>

#include "commands.hpp"
#include "common/bench/guarded.hpp"
#include "common/worker/library.hpp"
#include "reference.hpp"
#include "watched_blas.hpp"

namespace hpml::lab1 {
namespace {

using DotFunction = float(long n, const float* a, const float* b);
using ProductFunction = void(long n, long block, const float* a, const float* b, float* c);
constexpr const char* kDotForm = "float {}(long N, const float *pA, const float *pB)";
constexpr const char* kProductForm = "void {}(long n, long block, const float *A, const float *B, float *C)";

enum Operation : uint32_t { call, call_sparse };

float dot_sparse(DotFunction* dot, int64_t n) {
  const auto a = bench::GuardedVector::make(n), b = bench::GuardedVector::make(n);
  if (!a.ok() || !b.ok()) {
    _exit(complain(worker::kOurFault, (a.ok() ? b : a).error().message));
  }
  a->data()[n - 1] = b->data()[n - 1] = 1.0F;
  return dot(n, a->data(), b->data());
}

// In the worker; the library stays open until it ends.
template <class F>
F* load(const KernelHost::What& what, const char* form) {
  static std::optional<worker::Library> library;
  auto loaded = worker::Library::load(what.library, what.symbol, form);
  if (!loaded.ok()) {
    _exit(complain(worker::kFailed, loaded.error().message));
  }
  library.emplace(std::move(*loaded));
  watch_sdot_of(what.library);
  return library->function<F>();
}

worker::Function load_dot(const KernelHost::What& what, const worker::Buffers& buffers) {
  DotFunction* dot = what.library == "ours" ? reference_dot : load<DotFunction>(what, kDotForm);
  return [dot, &buffers](const worker::Request& request) {
    const int64_t n = request.words[0];
    const float *a = buffers.input<float>(0, n), *b = buffers.input<float>(1, n);
    expect_sdot(n, a, b);
    *buffers.output<float>(0, 1) = request.operation == call_sparse ? dot_sparse(dot, n) : dot(n, a, b);
    *buffers.output<int64_t>(1, 1) = given_to_sdot();
  };
}

worker::Function load_product(const KernelHost::What& what, const worker::Buffers& buffers) {
  ProductFunction* product = load<ProductFunction>(what, kProductForm);
  return [product, &buffers](const worker::Request& request) {
    const int64_t n = request.words[0], block = request.words[1], count = n * n;
    product(n, block, buffers.input<float>(0, count), buffers.input<float>(1, count), buffers.output<float>(0, count));
  };
}

}  // namespace

Answer<std::unique_ptr<KernelHost>> KernelHost::start(const What& what) {
  const size_t bytes = static_cast<size_t>(what.elements) * sizeof(float);
  const bool is_dot = what.kind != Kind::product;
  const worker::Layout layout{{bytes, bytes}, {is_dot ? sizeof(float) : bytes, sizeof(int64_t)}};
  HPML_TRY(auto process, worker::Host::start(layout, [&](const worker::Buffers& buffers) {
             return is_dot ? load_dot(what, buffers) : load_product(what, buffers);
           }));
  return std::unique_ptr<KernelHost>(new KernelHost(std::move(process), what.kind));
}

Answer<float> KernelHost::dot(int64_t n, bool sparse) {
  float result = std::numeric_limits<float>::quiet_NaN();
  int64_t given = 0;
  const std::array outputs = {worker::Output{0, std::as_writable_bytes(std::span(&result, 1))},
                              worker::Output{1, std::as_writable_bytes(std::span(&given, 1))}};
  HPML_TRY_VOID(process_->ask({.operation = sparse ? call_sparse : call, .words = {n}}, outputs));
  if (kind_ == Kind::library_dot && given != n) {
    return Failure{worker::kWrong, fmt::format("with N = {}, cblas_sdot was given {}, expected the {} elements of pA "
                                               "and pB, each once",
                                               n, given < 0 ? "something else" : fmt::format("{} elements", given), n)};
  }
  return result;
}

Answer<Ok> KernelHost::product(int64_t n, int64_t block, std::vector<float>& c) {
  c.assign(static_cast<size_t>(n * n), 12345.0F);  // not zero before: a product must not rely on it
  const worker::Output output{0, std::as_writable_bytes(std::span(c))};
  return process_->ask({.operation = call, .words = {n, block}}, {&output, 1});
}

}  // namespace hpml::lab1
