// The functions that write numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "simulator/curand/generator.hpp"
#include "simulator/curand/poisson.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::curand;     // NOLINT(google-build-using-namespace): entry points have no namespace
using namespace hpml::sim::libraries;  // NOLINT(google-build-using-namespace)

namespace {

// XORWOW, float: eight operations of integers and two of floats for a number, some 40 more for a normal one.
constexpr double kFlops = 10, kNormalFlops = 50;

LibraryKernel kernel_of(const char* name, size_t count, uint64_t bytes, double flops) {
  constexpr uint32_t kMostBlocks = 8192;  // each thread goes on with further numbers
  LibraryKernel kernel = memory_kernel(name, static_cast<int64_t>(count), 0, bytes, Element::f32, flops);
  kernel.grid.x = std::min(kernel.grid.x, kMostBlocks);
  return kernel;
}

// `draw(sequence, out)` writes all of `out`. `in_pairs`: of a pseudorandom generator, an even number of them.
template <class T, class Draw>
int generate(const char* name, Generator* generator, T* output, size_t count, bool in_pairs, double flops, Draw draw) {
  const auto checked = [&](Generator& from) -> int {
    if (in_pairs && !from.quasi() && count % 2 != 0) {
      return kLengthNotMultiple;
    }
    if (from.quasi() && count % from.dimensions != 0) {
      return kLengthNotMultiple;
    }
    if (!from.begun) {
      from.sequence->begin(from.seed, from.offset);
      from.begun = true;
    }
    from.offset += from.quasi() ? count / from.dimensions : in_pairs && from.type != kPhilox ? count / 2 : count;
    return kSuccess;
  };
  if (generator == nullptr || generator->on_host) {
    return host_call(name, status_name, [&]() -> int {
      if (generator == nullptr) {
        return kNotInitialized;
      }
      const int status = checked(*generator);
      if (status == kSuccess && count > 0) {
        draw(*generator->sequence, std::span(output, count));
      }
      return status;
    });
  }
  return library_call(
      name, status_name, kLaunchFailure, [&](Runtime& runtime, Context& context, ApiRecord& record) -> int {
        const uint64_t bytes = count * sizeof(T);
        auto* const data =
            count > 0 ? static_cast<T*>(device_data(runtime, record, "the output", output, bytes)) : nullptr;
        if (count > 0 && data == nullptr) {
          return kLaunchFailure;
        }
        const int status = checked(*generator);
        if (status != kSuccess || count == 0) {
          return status;
        }
        const auto body = [sequence = generator->sequence, data, count, draw] {
          draw(*sequence, std::span(data, count));
        };
        const Error error = launch(
            runtime, context, generator->stream,
            {.kernel = kernel_of(name, count, bytes, flops), .body = body, .output = output, .output_bytes = bytes});
        return error == Error::success ? kSuccess : kLaunchFailure;
      });
}

template <class T, class After>
int normal(const char* name, Generator* generator, T* output, size_t count, After after) {
  return generate(name, generator, output, count, true, kNormalFlops, [after](Sequence& from, std::span<T> out) {
    from.normal(out);
    for (T& one : out) {
      one = after(one);
    }
  });
}

template <class T>
int uniform(const char* name, Generator* generator, T* output, size_t count) {
  return generate(name, generator, output, count, false, kFlops,
                  [](Sequence& from, std::span<T> out) { from.uniform(out); });
}

template <class T>
auto scaled(T mean, T deviation) {
  return [=](T x) { return mean + deviation * x; };
}
template <class T>
auto exponential(T mean, T deviation) {
  return [=](T x) { return static_cast<T>(std::exp(static_cast<double>(mean + deviation * x))); };
}

}  // namespace

HPML_LIBRARY_API int curandGenerate(Generator* generator, uint32_t* output, size_t count) {
  if (generator != nullptr && generator->wide()) {
    return host_call("curandGenerate", status_name, [] { return kTypeError; });
  }
  return generate("curandGenerate", generator, output, count, false, kFlops,
                  [](Sequence& from, std::span<uint32_t> out) { from.bits(out); });
}
HPML_LIBRARY_API int curandGenerateLongLong(Generator* generator, unsigned long long* output, size_t count) {
  if (generator == nullptr || !generator->wide()) {
    return host_call("curandGenerateLongLong", status_name,
                     [&]() -> int { return generator == nullptr ? kNotInitialized : kTypeError; });
  }
  return generate("curandGenerateLongLong", generator, output, count, false, kFlops,
                  [](Sequence& from, std::span<unsigned long long> out) { from.wide_bits(out); });
}
HPML_LIBRARY_API int curandGenerateUniform(Generator* generator, float* output, size_t count) {
  return uniform("curandGenerateUniform", generator, output, count);
}
HPML_LIBRARY_API int curandGenerateUniformDouble(Generator* generator, double* output, size_t count) {
  return uniform("curandGenerateUniformDouble", generator, output, count);
}
HPML_LIBRARY_API int curandGenerateNormal(Generator* generator, float* output, size_t count, float mean,
                                          float deviation) {
  return normal("curandGenerateNormal", generator, output, count, scaled(mean, deviation));
}
HPML_LIBRARY_API int curandGenerateNormalDouble(Generator* generator, double* output, size_t count, double mean,
                                                double deviation) {
  return normal("curandGenerateNormalDouble", generator, output, count, scaled(mean, deviation));
}
HPML_LIBRARY_API int curandGenerateLogNormal(Generator* generator, float* output, size_t count, float mean,
                                             float deviation) {
  return normal("curandGenerateLogNormal", generator, output, count, exponential(mean, deviation));
}
HPML_LIBRARY_API int curandGenerateLogNormalDouble(Generator* generator, double* output, size_t count, double mean,
                                                   double deviation) {
  return normal("curandGenerateLogNormalDouble", generator, output, count, exponential(mean, deviation));
}
HPML_LIBRARY_API int curandGeneratePoisson(Generator* generator, uint32_t* output, size_t count, double mean) {
  if (!(mean > 0)) {
    return host_call("curandGeneratePoisson", status_name, [] { return kOutOfRange; });
  }
  return generate("curandGeneratePoisson", generator, output, count, false, kNormalFlops,
                  [poisson = Poisson(mean)](Sequence& from, std::span<uint32_t> out) {
                    std::vector<double> shares(out.size());
                    from.uniform(std::span<double>(shares));
                    std::ranges::transform(shares, out.begin(), poisson);
                  });
}
