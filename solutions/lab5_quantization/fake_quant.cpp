// E7: quantised values in float, for training. HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>

#include "lab5.hpp"

namespace {

// dequantize(quantize(x)) and whether the integer was in the range before it was clamped.
float fake_quant(float x, float scale, float zero, float qmin, float qmax, uint8_t& inside) {
  const float q = std::nearbyint(x / scale) + zero;
  inside = q >= qmin && q <= qmax;
  return scale * (std::clamp(q, qmin, qmax) - zero);
}

}  // namespace

void fake_quant_forward(int64_t n, const float* x, float scale, int32_t zero, int32_t qmin, int32_t qmax, float* y,
                        uint8_t* mask) {
  const auto z = static_cast<float>(zero), lo = static_cast<float>(qmin), hi = static_cast<float>(qmax);
  for (int64_t i = 0; i < n; ++i) {
    y[i] = fake_quant(x[i], scale, z, lo, hi, mask[i]);
  }
}

void fake_quant_backward(int64_t n, const uint8_t* mask, const float* dy, float* dx) {
  for (int64_t i = 0; i < n; ++i) {
    dx[i] = mask[i] != 0 ? dy[i] : 0.0F;
  }
}

void fake_quant_weights(int64_t n, int32_t co, const float* w, const float* factor, const float* scales, int32_t bits,
                        float* y, uint8_t* mask) {
  const lab5::QType type = lab5::narrow_type(bits);
  const auto lo = static_cast<float>(type.qmin), hi = static_cast<float>(type.qmax);
  for (int64_t i = 0; i < n; ++i) {
    const float k = factor[i % co];
    if (k == 0) {
      y[i] = 0;
      mask[i] = 0;
      continue;
    }
    y[i] = fake_quant(w[i] * k, scales[i % co], 0, lo, hi, mask[i]) / k;
  }
}
