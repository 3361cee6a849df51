// P1, in training: the functions of prune.cpp that the grader's program lab5_trainer asks, in a process of their own.
#include <algorithm>

#include "../compress.hpp"

extern "C" {

// Masks of one layer after the other into `keep`: 0 layer-wise magnitude, 1 global magnitude, 2 two of four. Shapes: taps,
// ci, co per layer.
void prune_masks(int64_t method, double fraction, int64_t layers, const int64_t* shapes, const float* w, uint8_t* keep) {
  lab5::Layers all;
  for (int64_t i = 0; i < layers; ++i) {
    const int64_t* s = shapes + 3 * i;
    all.emplace_back(w, static_cast<std::size_t>(s[0] * s[1] * s[2]));
    w += s[0] * s[1] * s[2];
  }
  const std::vector<lab5::Mask> global = method == 1 ? lab5::global_mask(all, fraction) : std::vector<lab5::Mask>{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int64_t* s = shapes + 3 * i;
    const lab5::Mask mask = method == 0   ? lab5::magnitude_mask(all[i], fraction)
                            : method == 1 ? (i < global.size() ? global[i] : lab5::Mask{})
                                          : lab5::two_of_four_mask(all[i], static_cast<int>(s[1]), static_cast<int>(s[2]));
    std::copy_n(mask.begin(), std::min(mask.size(), all[i].size()), keep);
    keep += all[i].size();
  }
}

// After every step of the optimizer.
void prune_apply(int64_t n, float* w, const uint8_t* keep) {
  lab5::apply_mask(std::span(w, static_cast<std::size_t>(n)), std::span(keep, static_cast<std::size_t>(n)));
}
}
