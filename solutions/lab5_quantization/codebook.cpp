// E4: k-means. 2^bits values stand for all weights, which become indices. HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>

#include "lab5.hpp"

namespace lab5 {

namespace {

constexpr int kRounds = 300;

// Nearest centroid, the lower one of equals. Returns the sum of the squared distances; says whether a code changed.
double assign(std::span<const float> w, Codebook& book, bool& changed) {
  double inertia = 0;
  changed = false;
  for (size_t i = 0; i < w.size(); ++i) {
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t j = 0; j < book.centroids.size(); ++j) {
      const double distance = double{w[i]} - book.centroids[j];
      if (distance * distance < least) {
        least = distance * distance;
        nearest = j;
      }
    }
    changed |= book.codes[i] != nearest;
    book.codes[i] = static_cast<uint8_t>(nearest);
    inertia += least;
  }
  return inertia;
}

void move_centroids(std::span<const float> w, Codebook& book) {
  std::vector<double> sums(book.centroids.size());
  std::vector<int64_t> members(book.centroids.size());
  for (size_t i = 0; i < w.size(); ++i) {
    sums[book.codes[i]] += w[i];
    ++members[book.codes[i]];
  }
  for (size_t j = 0; j < sums.size(); ++j) {
    if (members[j] > 0) {
      book.centroids[j] = static_cast<float>(sums[j] / static_cast<double>(members[j]));
    }
  }
}

}  // namespace

Codebook make_codebook(std::span<const float> w, int bits) {
  const auto k = size_t{1} << bits;
  const auto [min, max] = std::ranges::minmax(w);
  Codebook book;
  for (size_t j = 0; j < k; ++j) {
    const double part = static_cast<double>(j) / static_cast<double>(k - 1);
    book.centroids.push_back(static_cast<float>(min + part * (double{max} - min)));
  }
  book.codes.assign(w.size(), 0);
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    book.inertia.push_back(assign(w, book, changed));
    if (!changed && round > 0) {
      break;
    }
    move_centroids(w, book);
  }
  return book;
}

std::vector<float> codebook_gradient(const Codebook& book, std::span<const float> dw) {
  std::vector<double> sums(book.centroids.size());
  for (size_t i = 0; i < dw.size(); ++i) {
    sums[book.codes[i]] += dw[i];
  }
  return {sums.begin(), sums.end()};
}

double bits_per_weight(int bits, int64_t weights) {
  return bits + 32.0 * static_cast<double>(int64_t{1} << bits) / static_cast<double>(weights);
}

}  // namespace lab5
