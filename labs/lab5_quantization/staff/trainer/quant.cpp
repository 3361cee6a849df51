// Networks that a student's fake quantisation is part of. The worker trains or infers with the student's functions;
// what comes of it is judged here, with the grader's own.
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

#include "commands.hpp"
#include "common/worker/host.hpp"
#include "common/worker/library.hpp"
#include "networks/fake_quant.hpp"
#include "networks/integer.hpp"

namespace hpml::lab5 {

namespace {

using worker::Answer;
using worker::Failure;

// Half of the images once at twice the usual rate: a point below what two epochs of all images reach.
constexpr int kTrained = 1500;
constexpr double kRate = 0.01;
constexpr int kCompared = 1000;  // images, floats against integers
constexpr QuantPlan kTwoBits{.weight_bits = 2, .activation_bits = 2, .mse_weights = true};
constexpr QuantPlan kEightBits{};

template <class T>
auto ours(Result<T> result) -> Answer<T> {
  if (!result.ok()) {
    return Failure{worker::kOurFault, result.error().to_string()};
  }
  return std::move(*result);
}

FakeQuantFunctions load(const std::string& path) {
  static std::vector<worker::Library> open;
  const auto find = [&](const char* symbol) {
    auto loaded = worker::Library::load(path, symbol, "{} as in lab5.hpp");
    if (!loaded.ok()) {
      fmt::print(stderr, "lab5_trainer: {}\n", loaded.error().message);
      _exit(worker::kFailed);
    }
    open.push_back(std::move(*loaded));
    return open.back().function<void()>();
  };
  FakeQuantFunctions functions{};
  functions.forward = reinterpret_cast<decltype(functions.forward)>(find("fake_quant_forward"));
  functions.backward = reinterpret_cast<decltype(functions.backward)>(find("fake_quant_backward"));
  functions.weights = reinterpret_cast<decltype(functions.weights)>(find("fake_quant_weights"));
  return functions;
}

std::vector<float> values_of(const nn::Network& network) {
  std::vector<float> all;
  for (const std::string& name : value_names(network.graph())) {
    const auto value = network.value(name).span();
    all.insert(all.end(), value.begin(), value.end());
  }
  return all;
}

void set_values(nn::Network& network, std::span<const float> all) {
  for (const std::string& name : value_names(network.graph())) {
    const auto value = network.value(name).span();
    std::copy_n(all.begin(), value.size(), value.begin());
    all = all.subspan(value.size());
  }
}

// Runs `work` once in a worker with the student's functions; it writes `count` floats.
using Work = std::function<void(const FakeQuantFunctions& functions, float* out)>;
Answer<std::vector<float>> in_worker(const std::string& library, size_t count, const Work& work) {
  const size_t bytes = count * sizeof(float);
  HPML_TRY(auto host, worker::Host::start({{1}, {bytes}}, [&](const worker::Buffers& buffers) -> worker::Function {
             const FakeQuantFunctions functions = load(library);
             return [&buffers, &work, functions, count](const worker::Request&) {
               work(functions, buffers.output<float>(0, static_cast<int64_t>(count)));
             };
           }));
  std::vector<float> out(count);
  const worker::Output output{0, std::as_writable_bytes(std::span(out))};
  HPML_TRY_VOID(host->ask({}, {&output, 1}));
  return out;
}

}  // namespace

Answer<Ok> run_train(const QuantOptions& options) {
  nn::ThreadPool pool(1);
  const Images calibration = synthetic_images(kTrainSeed, 0, kCalibrationImages);
  HPML_TRY(QuantizedNetwork network,
           ours(QuantizedNetwork::make(options.weights, kTwoBits, our_fake_quant(), calibration, pool)));
  const size_t count = values_of(network.network()).size();
  HPML_TRY(const std::vector<float> trained, in_worker(options.library, count, [&](const auto& functions, float* out) {
             nn::ThreadPool own(1);  // threads do not come along into a copy of the process
             auto student = QuantizedNetwork::make(options.weights, kTwoBits, functions, calibration, own);
             if (!student.ok()) {
               _exit(worker::kOurFault);
             }
             const Images training = synthetic_images(kTrainSeed, 0, kTrained);
             lab5::train(student->network(), training, {.epochs = 1, .lr = kRate, .seed = options.seed}, student->slots(), own, [&] { student->refresh(); });
             std::ranges::copy(values_of(student->network()), out);
           }));
  const Images test = synthetic_images(kTestSeed, 0, kTestImages);
  const double before = accuracy(network.network(), test);
  set_values(network.network(), trained);
  network.refresh();
  fmt::print("{:.4f}\n{:.4f}\n", before, accuracy(network.network(), test));
  return Ok{};
}

Answer<Ok> run_convert(const QuantOptions& options) {
  nn::ThreadPool pool(1);
  const Images calibration = synthetic_images(kTrainSeed, 0, kCalibrationImages),
               test = synthetic_images(kTestSeed, 0, kCompared);
  HPML_TRY(QuantizedNetwork network,
           ours(QuantizedNetwork::make(options.weights, kEightBits, our_fake_quant(), calibration, pool)));
  HPML_TRY(const std::vector<float> logits,
           in_worker(options.library, size_t{kCompared} * nn::kClasses, [&](const auto& functions, float* out) {
             nn::ThreadPool own(1);
             auto student = QuantizedNetwork::make(options.weights, kEightBits, functions, calibration, own);
             if (!student.ok()) {
               _exit(worker::kOurFault);
             }
             for (int i = 0; i < kCompared; i += 100) {
               const auto found = student->network().infer(test.pixels.view().images(i, 100)).span();
               out = std::ranges::copy(found, out).out;
             }
           }));
  const FoldedNet folded = fold(network.network());
  const IntegerNet integers(folded, observe(folded, synthetic_images(kTrainSeed, 0, kCalibrationImages)));
  int same = 0;
  for (int i = 0; i < kCompared; ++i) {
    const auto own = std::span(logits).subspan(static_cast<size_t>(i) * nn::kClasses, nn::kClasses);
    same += integers.classify(test.pixels.view().images(i, 1).span()) == std::ranges::max_element(own) - own.begin();
  }
  fmt::print("{:.4f}\n", static_cast<double>(same) / kCompared);
  return Ok{};
}

}  // namespace hpml::lab5
