#include "student.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <numeric>
#include <optional>

#include "common/worker/library.hpp"

namespace hpml::lab5 {
namespace {

using worker::Answer;

using MasksFunction = void(int64_t method, double fraction, int64_t layers, const int64_t* shapes, const float* w, uint8_t* keep);
using ApplyFunction = void(int64_t n, float* w, const uint8_t* keep);
using LossFunction = double(int64_t batch, int64_t classes, double temperature, double alpha, const float* teacher,
                            const float* student, const int32_t* labels, float* gradient);
enum Operation : uint32_t { masks, apply };

// In the worker; the libraries stay open until it ends.
template <class F>
F* load(const std::string& path, const char* symbol) {
  static std::optional<worker::Library> library;
  auto loaded = worker::Library::load(path, symbol, "void {}(...)");
  if (!loaded.ok()) {
    fmt::print(stderr, "lab5_trainer: {}\n", loaded.error().message);
    _exit(worker::kFailed);
  }
  library.emplace(std::move(*loaded));
  return library->function<F>();
}

std::span<std::byte> bytes_of(auto& values) { return std::as_writable_bytes(std::span(values)); }

}  // namespace

Answer<std::unique_ptr<Pruner>> Pruner::start(const std::string& library, std::vector<LayerShape> layers) {
  auto pruner = std::make_unique<Pruner>();
  pruner->layers_ = std::move(layers);
  for (const LayerShape& layer : pruner->layers_) {
    pruner->weights_ += layer.size();
  }
  const int64_t n = pruner->weights_, count = static_cast<int64_t>(pruner->layers_.size());
  const auto floats = static_cast<size_t>(n) * sizeof(float);
  // Inputs: weights, shapes, masks. Outputs: masks, weights.
  const worker::Layout layout{{floats, static_cast<size_t>(count) * sizeof(LayerShape), static_cast<size_t>(n)},
                              {static_cast<size_t>(n), floats}};
  HPML_TRY(pruner->process_, worker::Host::start(layout, [&](const worker::Buffers& buffers) -> worker::Function {
    auto* const make = load<MasksFunction>(library, "prune_masks");
    auto* const mask = load<ApplyFunction>(library, "prune_apply");
    return [=, &buffers](const worker::Request& request) {
      const float* w = buffers.input<float>(0, n);
      if (request.operation == Operation::masks) {
        make(request.words[0], std::bit_cast<double>(request.words[1]), count, buffers.input<int64_t>(1, 3 * count), w,
             buffers.output<uint8_t>(0, n));
        return;
      }
      float* masked = buffers.output<float>(1, n);
      std::copy_n(w, n, masked);
      mask(n, masked, buffers.input<uint8_t>(2, n));
    };
  }));
  std::copy_n(&pruner->layers_[0].taps, 3 * count, pruner->process_->buffers().input<int64_t>(1, 3 * count));
  return pruner;
}

Answer<std::vector<uint8_t>> Pruner::masks(Method method, double fraction, std::span<const float> w) {
  std::ranges::copy(w, process_->buffers().input<float>(0, weights_));
  std::vector<uint8_t> keep(static_cast<size_t>(weights_), 1);
  const worker::Output output{0, bytes_of(keep)};
  HPML_TRY_VOID(process_->ask(
      {.operation = Operation::masks, .words = {static_cast<int64_t>(method), std::bit_cast<int64_t>(fraction)}}, {&output, 1}));
  return keep;
}

Answer<Ok> Pruner::apply(std::span<float> w, std::span<const uint8_t> keep) {
  std::ranges::copy(w, process_->buffers().input<float>(0, weights_));
  std::ranges::copy(keep, process_->buffers().input<uint8_t>(2, weights_));
  const std::vector<float> before(w.begin(), w.end());
  const worker::Output output{1, bytes_of(w)};
  HPML_TRY_VOID(process_->ask({.operation = Operation::apply}, {&output, 1}));
  for (size_t i = 0; i < w.size(); ++i) {
    if (keep[i] != 0 && std::bit_cast<uint32_t>(w[i]) != std::bit_cast<uint32_t>(before[i])) {
      return worker::Failure{worker::kWrong, fmt::format("apply_mask() changes weight {}, which the mask keeps", i)};
    }
  }
  return Ok{};
}

Answer<std::unique_ptr<Distiller>> Distiller::start(const std::string& library, int64_t batch, int64_t classes) {
  auto distiller = std::make_unique<Distiller>();
  distiller->classes_ = classes;
  const size_t logits = static_cast<size_t>(batch * classes) * sizeof(float);
  // Inputs: teacher, student, labels. Outputs: gradient, loss.
  const worker::Layout layout{{logits, logits, static_cast<size_t>(batch) * sizeof(int32_t)}, {logits, sizeof(double)}};
  HPML_TRY(distiller->process_, worker::Host::start(layout, [&](const worker::Buffers& buffers) -> worker::Function {
    auto* const loss = load<LossFunction>(library, "distill_loss");
    return [=, &buffers](const worker::Request& request) {
      const int64_t n = request.words[0], count = n * classes;
      *buffers.output<double>(1, 1) =
          loss(n, classes, std::bit_cast<double>(request.words[1]), std::bit_cast<double>(request.words[2]),
               buffers.input<float>(0, count), buffers.input<float>(1, count), buffers.input<int32_t>(2, n),
               buffers.output<float>(0, count));
    };
  }));
  return distiller;
}

Answer<double> Distiller::loss(const DistillationSettings& settings, std::span<const float> teacher,
                               std::span<const float> student, std::span<const int32_t> labels, std::span<float> gradient) {
  const auto n = static_cast<int64_t>(labels.size());
  const worker::Buffers& buffers = process_->buffers();
  std::ranges::copy(teacher, buffers.input<float>(0, n * classes_));
  std::ranges::copy(student, buffers.input<float>(1, n * classes_));
  std::ranges::copy(labels, buffers.input<int32_t>(2, n));
  double value = 0;
  const worker::Output outputs[] = {{0, std::as_writable_bytes(gradient)}, {1, std::as_writable_bytes(std::span(&value, 1))}};
  HPML_TRY_VOID(process_->ask(
      {.words = {n, std::bit_cast<int64_t>(settings.temperature), std::bit_cast<int64_t>(settings.alpha)}}, outputs));
  return value;
}

}  // namespace hpml::lab5
