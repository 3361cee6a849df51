// The stack of layers by the library's lab2_conv(), beside the same number of floating-point operations by a loop that
// does nothing else: the ratio is the share of this core's peak. Prints the comparison, schema hpml/bench/v1.
#include <nlohmann/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/bench/report.hpp"
#include "common/worker/compare.hpp"
#include "common/worker/fresh.hpp"
#include "common/worker/library.hpp"
#include "layer.hpp"

namespace hpml::lab2 {
namespace {

using ConvFunction = void(const int64_t* shape, const float* x, const float* w, const float* dy, float* y, float* dx,
                          float* dw);
constexpr const char* kForm =
    "void {}(const int64_t*, const float*, const float*, const float*, float*, float*, float*)";
constexpr size_t kX = 0, kW = 1, kDy = 2, kY = 0, kDx = 1, kDw = 2;  // inputs; outputs
constexpr bench::PairedPlan kPlan{.warmups = 1, .pairs = 7};         // a slow convolution takes a second

size_t most_bytes(int64_t (Layer::*count)() const) {
  int64_t most = 0;
  for (const Layer& layer : stack()) {
    most = std::max(most, (layer.*count)());
  }
  return static_cast<size_t>(most) * sizeof(float);
}

// In the worker: request.words[0] is the layer.
worker::Function load(const std::string& path, const worker::Buffers& buffers) {
  static std::optional<worker::Library> library;
  auto loaded = worker::Library::load(path, "lab2_conv", kForm);
  if (!loaded.ok()) {
    _exit(complain({worker::kFailed, loaded.error().message}));
  }
  library.emplace(std::move(*loaded));
  return [conv = library->function<ConvFunction>(), &buffers](const worker::Request& request) {
    const Layer& l = stack()[static_cast<size_t>(request.words[0])];
    const int64_t shape[] = {l.n, l.h, l.w, l.ci, l.co, l.k, l.stride, l.pad};
    conv(shape, buffers.input<float>(kX, l.images()), buffers.input<float>(kW, l.weights()),
         buffers.input<float>(kDy, l.outputs()), buffers.output<float>(kY, l.outputs()),
         buffers.output<float>(kDx, l.images()), buffers.output<float>(kDw, l.weights()));
  };
}

// The student's convolution, asked for the whole stack with other numbers in every call.
class Student {
 public:
  static Answer<std::unique_ptr<worker::Host>> start(const std::string& library) {
    const size_t images = most_bytes(&Layer::images), weights = most_bytes(&Layer::weights),
                 outputs = most_bytes(&Layer::outputs);
    return worker::Host::start({{images, weights, outputs}, {outputs, images, weights}},
                               [&](const worker::Buffers& buffers) { return load(library, buffers); });
  }
  explicit Student(worker::Host& host) : host_(host), random_(worker::unpredictable()), signs_(worker::unpredictable()) {}

  Answer<Ok> run_stack() {
    for (size_t i = 0; i < stack().size(); ++i) {
      HPML_TRY_VOID(run_layer(i));
    }
    return Ok{};
  }

 private:
  // All 24 bits of a float: a result of fewer, which a processor has faster, is a wrong one.
  std::span<float> draw(size_t input, int64_t count) {
    const std::span<float> numbers(host_.buffers().input<float>(input, count), static_cast<size_t>(count));
    std::ranges::generate(numbers, [this] {
      return static_cast<float>(static_cast<int64_t>(random_() >> 39) - (int64_t{1} << 24)) * 0x1p-24F;
    });
    return numbers;
  }
  static worker::Output output(size_t index, int64_t count, std::vector<float>& copy) {
    copy.assign(static_cast<size_t>(count), 12345.0F);  // not zero before: every element must be written
    return {index, std::as_writable_bytes(std::span(copy))};
  }

  Answer<Ok> run_layer(size_t index) {
    const Layer& l = stack()[index];
    const auto x = draw(kX, l.images()), w = draw(kW, l.weights()), dy = draw(kDy, l.outputs());
    Results results;
    const worker::Output outputs[] = {output(kY, l.outputs(), results.y), output(kDx, l.images(), results.dx),
                                      output(kDw, l.weights(), results.dw)};
    HPML_TRY_VOID(host_.ask({.words = {static_cast<int64_t>(index)}}, outputs));
    std::vector<float> r(static_cast<size_t>(std::max(l.ci, l.co)));
    std::ranges::generate(r, [this] { return (signs_() & 1) != 0 ? 1.0F : -1.0F; });
    const std::string wrong = wrong_result(l, x, w, dy, results, r);
    if (!wrong.empty()) {
      return Failure{worker::kWrong, fmt::format("in a call that was timed, {}: {} is wrong", l.name, wrong)};
    }
    return Ok{};
  }

  worker::Host& host_;
  worker::Random random_;
  worker::Random signs_;  // inputs tell what their generator will say next, so these come from another one
};

Answer<std::unique_ptr<worker::Host>> start_peak() {
  return worker::Host::start({{}, {sizeof(float)}}, [](const worker::Buffers& buffers) -> worker::Function {
    return [&buffers](const worker::Request& request) {
      *buffers.output<float>(0, 1) = bench::kernels_here().front()->peak(request.words[0]);
    };
  });
}

Answer<bench::Paired> share_of_peak(const std::string& library) {
  HPML_TRY(auto student, Student::start(library));
  HPML_TRY(auto peak, start_peak());
  double flop = 0;
  for (const Layer& layer : stack()) {
    flop += layer.flop();
  }
  const auto rounds =
      static_cast<int64_t>(flop / static_cast<double>(bench::kernels_here().front()->peak_flop_per_round));
  Student asked(*student);
  return worker::compare({*student, [&] { return asked.run_stack(); }},
                         {*peak,
                          [&]() -> Answer<Ok> {
                            float result = 0;
                            const worker::Output output{0, std::as_writable_bytes(std::span(&result, 1))};
                            return peak->ask({.words = {rounds}}, {&output, 1});
                          }},
                         kPlan);
}

}  // namespace

Answer<Ok> speed(Words words) {
  HPML_TRY(const bench::Paired found, share_of_peak(words[0]));
  fmt::print("{}\n", bench::to_json(found).dump());
  return Ok{};
}

}  // namespace hpml::lab2
