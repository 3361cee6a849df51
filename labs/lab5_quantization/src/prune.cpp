// P1: masks that say which weights stay.
#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
// Prune the floor(fraction * n) weights of smallest magnitude; of equal ones, those with the smaller index.
Mask magnitude_mask(std::span<const float> w, double fraction) {
  (void)fraction;
  return Mask(w.size(), 1);
}

// The same over all layers together, n being the sum of their sizes. Of equal magnitudes the earlier layer's goes first.
std::vector<Mask> global_mask(const Layers& layers, double fraction) {
  (void)fraction;
  std::vector<Mask> masks;
  for (const std::span<const float> w : layers) {
    masks.emplace_back(w.size(), 1);
  }
  return masks;
}

// 2:4: of each four weights that follow each other along the INPUT channels (same tap, same output channel) keep the two
// largest magnitudes; of equal ones, those with the smaller index. ci must be a multiple of 4.
Mask two_of_four_mask(std::span<const float> w, int ci, int co) {
  (void)ci;
  (void)co;
  return Mask(w.size(), 1);
}

// Sets the pruned weights to 0. It is called after every step of the optimizer.
void apply_mask(std::span<float> w, std::span<const uint8_t> keep) {
  (void)w;
  (void)keep;
}

// Whole channels between the two convolutions of a block: prune the floor(fraction * mid) filters of conv1 with the smallest
// sum of magnitudes (in double, in the order of the weights), of equal ones those with the smaller index, and with each of
// them its entry of the batch norm and the matching input channel of conv2. Writes every byte of the three masks.
void channel_masks(const BlockShape& shape, std::span<const float> conv1, double fraction, const BlockMasks& masks) {
  (void)shape;
  (void)conv1;
  (void)fraction;
  (void)masks;
}

// What a 2:4 layer takes: two values of `bits` bits of every four, and two bits for the place of each. (weights: a multiple
// of four)
int64_t two_of_four_bits(int64_t weights, int bits) {
  (void)weights;
  (void)bits;
  return 0;
}

// How much to prune in which layer. All layers start at level 0. As long as fewer than `budget` weights are pruned
// (floor(fractions[level] * weights) in each layer), raise one layer by one level: the one that loses the least accuracy per
// weight pruned by that; of equal ones the first. Returns the level of each layer. A budget that all layers at their last
// level do not reach is an error.
std::vector<int> allocate(std::span<const Sensitivity> layers, std::span<const double> fractions, int64_t budget) {
  (void)fractions;
  (void)budget;
  return std::vector<int>(layers.size());
}
// END STUDENT

}  // namespace lab5
