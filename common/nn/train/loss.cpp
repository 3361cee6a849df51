// Mean softmax cross-entropy: loss = -1/N sum log softmax(logits)[label], gradient (softmax - onehot) / N. Sums are
// made in double and in the order of the images.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/check.hpp"
#include "common/nn/train/network.hpp"

namespace hpml::nn {

StepResult softmax_cross_entropy(View<const float> logits, std::span<const int32_t> labels, View<float> dlogits) {
  const int64_t classes = logits.shape.image_size();
  const double images = logits.shape.n;
  StepResult result;
  for (int n = 0; n < logits.shape.n; ++n) {
    const float* row = logits.data + n * classes;
    const int32_t label = labels[static_cast<size_t>(n)];
    HPML_CHECK(label >= 0 && label < classes, fmt::format("label {} of {} classes", label, classes));
    const float* largest = std::max_element(row, row + classes);
    double sum = 0;  // subtracting the largest logit keeps exp() finite
    for (int64_t c = 0; c < classes; ++c) {
      sum += std::exp(static_cast<double>(row[c]) - *largest);
    }
    result.loss += std::log(sum) + *largest - row[label];
    result.correct += largest - row == label ? 1 : 0;
    for (int64_t c = 0; c < classes && !dlogits.empty(); ++c) {
      const double probability = std::exp(static_cast<double>(row[c]) - *largest) / sum;
      dlogits.data[n * classes + c] = static_cast<float>((probability - (c == label ? 1.0 : 0.0)) / images);
    }
  }
  result.loss /= images;
  return result;
}

}  // namespace hpml::nn
