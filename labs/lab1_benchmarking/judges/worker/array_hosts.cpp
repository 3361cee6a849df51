#include "array_hosts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "commands.hpp"
#include "common/worker/library.hpp"
#include "reference.hpp"

namespace hpml::lab1 {
namespace {

constexpr int64_t kMost = 1000;  // whole numbers: sums and products are exact, with and without fused operations
constexpr int kChanged = 16;     // elements per call: the others stay in the caches
constexpr const char* kPeakForm = "void {}(long rounds, float factor, float step, float *x)";

// In the worker; the library stays open until it ends.
void* load(const std::string& path, const std::string& symbol, const char* declaration) {
  static std::vector<worker::Library> libraries;
  auto loaded = worker::Library::load(path, symbol, declaration);
  if (!loaded.ok()) {
    _exit(complain(worker::kFailed, loaded.error().message));
  }
  libraries.push_back(std::move(*loaded));
  return libraries.back().function<void>();
}

// The busy time of one call is all there is to it: what others do to this machine is not in it.
template <class Call>
Answer<Times> busy(const worker::Host& host, const Call& call) {
  const int64_t before = host.busy_ns();
  HPML_TRY_VOID(call());
  return Times{host.busy_ns() - before, host.busy_ns() - before};
}

struct Arrays {
  long n;
  double k;
  const double *x, *y;
  double* out;
};

void call_kernel(size_t which, void* kernel, const Arrays& on) {
  switch (which) {
    case 0: return reinterpret_cast<void (*)(long, double*, const double*)>(kernel)(on.n, on.out, on.x);
    case 1: return reinterpret_cast<void (*)(long, double, double*, const double*)>(kernel)(on.n, on.k, on.out, on.x);
    case 2:
      return reinterpret_cast<void (*)(long, double*, const double*, const double*)>(kernel)(on.n, on.out, on.x, on.y);
    default:
      return reinterpret_cast<void (*)(long, double, double*, const double*, const double*)>(kernel)(on.n, on.k, on.out,
                                                                                                     on.x, on.y);
  }
}

worker::Function load_stream(const std::string& library, const worker::Buffers& buffers) {
  std::array<void*, kStreamKernels.size()> loaded{};
  for (size_t i = 0; i < loaded.size(); ++i) {
    loaded[i] = load(library, kStreamKernels[i].symbol, kStreamKernels[i].declaration);
  }
  return [loaded, &buffers](const worker::Request& request) {
    const long n = request.words[0];
    const double k = static_cast<double>(request.words[1]);
    const double *x = buffers.input<double>(0, n), *y = buffers.input<double>(1, n);
    for (int64_t call = 0; call < request.words[2]; ++call) {
      call_kernel(request.operation, loaded[request.operation], {n, k, x, y, buffers.output<double>(0, n)});
    }
  };
}

double expected(size_t kernel, double k, double x, double y) {
  switch (kernel) {
    case 0: return x;
    case 1: return k * x;
    case 2: return x + y;
    default: return x + k * y;
  }
}

}  // namespace

const std::array<StreamKernel, 4> kStreamKernels = {{
    {"copy", "void {}(long n, double *c, const double *a)", "Copy", 16},
    {"scale", "void {}(long n, double k, double *b, const double *c)", "Scale", 16},
    {"add", "void {}(long n, double *c, const double *a, const double *b)", "Add", 24},
    {"triad", "void {}(long n, double k, double *a, const double *b, const double *c)", "Triad", 24},
}};

Answer<std::unique_ptr<StreamHost>> StreamHost::start(const std::string& library, int64_t longest) {
  const size_t bytes = static_cast<size_t>(longest) * sizeof(double);
  HPML_TRY(auto process, worker::Host::start({{bytes, bytes}, {bytes}}, [&library](const worker::Buffers& buffers) {
             return load_stream(library, buffers);
           }));
  return std::unique_ptr<StreamHost>(new StreamHost(std::move(process), longest));
}

StreamHost::StreamHost(std::unique_ptr<worker::Host> process, int64_t longest)
    : process_(std::move(process)),
      longest_(longest),
      random_(worker::unpredictable()),
      first_(random_, {process_->buffers().input<double>(0, longest), static_cast<size_t>(longest)}, kMost),
      second_(random_, {process_->buffers().input<double>(1, longest), static_cast<size_t>(longest)}, kMost) {}

Answer<Times> StreamHost::call(size_t kernel, int64_t n, int64_t calls) {
  for (int i = 0; i < kChanged; ++i) {
    first_.change_one(random_);
    second_.change_one(random_);
  }
  const int64_t k = 2 + static_cast<int64_t>(random_() % 8);
  result_.assign(static_cast<size_t>(n), std::numeric_limits<double>::quiet_NaN());
  const worker::Output output{0, std::as_writable_bytes(std::span(result_))};
  HPML_TRY(const Times times, busy(*process_, [&] {
             return process_->ask({.operation = static_cast<uint32_t>(kernel), .words = {n, k, calls}}, {&output, 1});
           }));
  const auto skipped = static_cast<size_t>(longest_ - n);  // a buffer's last elements are the ones that are used
  for (size_t i = 0; i < result_.size(); ++i) {
    const double x = first_.values()[skipped + i], y = second_.values()[skipped + i];
    if (const double wanted = expected(kernel, static_cast<double>(k), x, y); !(result_[i] == wanted)) {
      return worker::Failure{worker::kWrong,
                             fmt::format("{}() with n = {} on the grader's arrays: expected {} at {}, got {}",
                                         kStreamKernels[kernel].symbol, n, wanted, i, result_[i])};
    }
  }
  return times;
}

// Inputs: factor and step, values. Output: values.
Answer<std::unique_ptr<PeakHost>> PeakHost::start(const std::string& library) {
  constexpr size_t kBytes = kValues * sizeof(float);
  HPML_TRY(auto process,
           worker::Host::start(
               {{2 * sizeof(float)}, {kBytes}}, [&library](const worker::Buffers& buffers) -> worker::Function {
                 auto* peak = reinterpret_cast<void (*)(long, float, float, float*)>(load(library, "peak", kPeakForm));
                 return [peak, &buffers](const worker::Request& request) {
                   const float* numbers = buffers.input<float>(0, 2);
                   alignas(64) float x[kValues];
                   std::memcpy(x, buffers.output<float>(0, kValues), sizeof x);
                   peak(request.words[0], numbers[0], numbers[1], x);
                   std::memcpy(buffers.output<float>(0, kValues), x, sizeof x);
                 };
               }));
  return std::unique_ptr<PeakHost>(new PeakHost(std::move(process)));
}

PeakHost::PeakHost(std::unique_ptr<worker::Host> process)
    : process_(std::move(process)), random_(worker::unpredictable()) {}

Answer<Times> PeakHost::call(int64_t rounds) {
  std::uniform_real_distribution<float> draw(0.5F, 1.5F);
  const float factor = 1.0F - 1e-6F * draw(random_), step = 1e-6F * draw(random_);
  std::vector<float> x(kValues);
  std::ranges::generate(x, [&] { return draw(random_); });
  std::vector<float> fused = x, separate = x;
  float* numbers = process_->buffers().input<float>(0, 2);
  numbers[0] = factor;
  numbers[1] = step;
  const worker::Output output{0, std::as_writable_bytes(std::span(x))};
  HPML_TRY(const Times times, busy(*process_, [&] { return process_->ask({.words = {rounds}}, {&output, 1}); }));
  reference_peak_fused(rounds, factor, step, kValues, fused.data());
  reference_peak(rounds, factor, step, kValues, separate.data());
  if (x != fused && x != separate) {
    const auto at = static_cast<size_t>(std::ranges::mismatch(x, separate).in1 - x.begin());
    return worker::Failure{worker::kWrong,
                           fmt::format("peak() with {} rounds on the grader's numbers: expected {:.9g} or, by fused "
                                       "operations, {:.9g} in x[{}], got {:.9g}",
                                       rounds, separate[at], fused[at], at, x[at])};
  }
  return times;
}

}  // namespace hpml::lab1
