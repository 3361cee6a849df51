// C5: the layers of a network on a GPU: predicted, bounded, simulated; and on the CPU, measured.
#include <algorithm>

#include "lab2.hpp"

namespace lab2 {

namespace {

LayerTimes modelled(const Cost& cost, int batch, int times, const Device& device, double ppp) {
  const int64_t macs = times * batch * cost.macs,
                bytes = times * (batch * (cost.bytes_in + cost.bytes_out) + cost.bytes_w);
  const PaleoTime predicted = paleo(macs, bytes, device, ppp), at_peak = paleo(macs, bytes, device, 1);
  return {.paleo = predicted.compute_s + predicted.memory_s, .bound = std::max(at_peak.compute_s, at_peak.memory_s)};
}

void add(const LayerTimes& row, LayerTimes& sum) {
  sum.paleo += row.paleo;
  sum.bound += row.bound;
  sum.gpu += row.gpu;
  sum.cpu += row.cpu;
}

}  // namespace

Comparison compare(std::span<const Node> layers, int batch, const Device& device, double ppp,
                   std::span<const Timed> gpu, std::span<const Timed> cpu) {
  Comparison result;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Cost one = cost(layers[i]);
    result.forward.push_back(modelled(one, batch, 1, device, ppp));
    result.backward.push_back(modelled(one, batch, i == 0 ? 1 : 2, device, ppp));
  }
  const auto row_of = [&](const Timed& span) -> LayerTimes& {
    return (span.backward ? result.backward : result.forward)[static_cast<size_t>(span.layer)];
  };
  for (const Timed& kernel : gpu) {
    row_of(kernel).gpu += kernel.seconds;
  }
  for (const Timed& span : cpu) {
    row_of(span).cpu += span.seconds;
  }
  for (const auto& pass : {result.forward, result.backward}) {
    for (const LayerTimes& row : pass) {
      add(row, result.total);
    }
  }
  return result;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
