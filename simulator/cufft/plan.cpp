#include "simulator/cufft/plan.hpp"

#include <cmath>

namespace hpml::sim::cufft {
namespace {

int64_t place(const Side& side, int64_t b, int64_t i0, int64_t i1, int64_t i2) {
  return b * side.distance + ((i0 * side.embed[1] + i1) * side.embed[2] + i2) * side.stride;
}

Complex read(const void* data, int64_t at, bool is_double, bool real) {
  if (real) {
    return is_double ? static_cast<const double*>(data)[at] : static_cast<const float*>(data)[at];
  }
  return is_double ? static_cast<const Complex*>(data)[at] : Complex(static_cast<const std::complex<float>*>(data)[at]);
}

void write(void* data, int64_t at, bool is_double, bool real, const Complex& value) {
  if (real) {
    if (is_double) {
      static_cast<double*>(data)[at] = value.real();
    } else {
      static_cast<float*>(data)[at] = static_cast<float>(value.real());
    }
  } else if (is_double) {
    static_cast<Complex*>(data)[at] = value;
  } else {
    static_cast<std::complex<float>*>(data)[at] = std::complex<float>(value);
  }
}

template <class Shape, class Body>
void each(const Shape& shape, Body body) {
  for (int64_t i0 = 0; i0 < shape[0]; ++i0) {
    for (int64_t i1 = 0; i1 < shape[1]; ++i1) {
      for (int64_t i2 = 0; i2 < shape[2]; ++i2) {
        body(i0, i1, i2);
      }
    }
  }
}

}  // namespace

bool known(int type) {
  return type == kC2c || type == kR2c || type == kC2r || type == kZ2z || type == kD2z || type == kZ2d;
}

Plan::Plan(int type, const std::vector<int64_t>& lengths, int64_t batch,
           const std::optional<std::array<Side, 2>>& sides)
    : type_(type), batch_(batch), sides_(sides) {
  std::copy(lengths.rbegin(), lengths.rend(), lengths_.rbegin());
  for (const int64_t length : lengths_) {
    transforms_.emplace_back(static_cast<size_t>(length));
  }
}

Plan::Shape Plan::shape(bool whole) const {
  return {lengths_[0], lengths_[1], whole ? lengths_[2] : lengths_[2] / 2 + 1};
}

Side Plan::dense(bool real, bool padded) const {
  const bool half = real_input() || real_output();
  Side side;
  side.embed = shape(!half || (real && !padded));
  if (real && padded) {
    side.embed[2] *= 2;
  }
  side.distance = side.embed[0] * side.embed[1] * side.embed[2];
  return side;
}

Side Plan::input(bool in_place) const { return sides_ ? (*sides_)[0] : dense(real_input(), in_place); }
Side Plan::output(bool in_place) const { return sides_ ? (*sides_)[1] : dense(real_output(), in_place); }

uint64_t Plan::bytes(const Side& side, const Shape& shape, bool real) const {
  const int64_t last = place(side, batch_ - 1, shape[0] - 1, shape[1] - 1, shape[2] - 1);
  return static_cast<uint64_t>(last + 1) * (is_double() ? 8 : 4) * (real ? 1 : 2);
}

double Plan::flops() const {
  const auto n = static_cast<double>(elements());
  const double all = 5 * n * std::log2(std::max(2.0, n / static_cast<double>(batch_)));
  return real_input() || real_output() ? all / 2 : all;
}

// A block transforms up to 4096 numbers in shared memory: a longer line, like a further dimension, is another pass.
int Plan::passes() const {
  constexpr double kBitsOfPass = 12;
  int passes = 0;
  for (const int64_t length : lengths_) {
    passes += static_cast<int>(std::ceil(std::log2(static_cast<double>(length)) / kBitsOfPass));
  }
  return std::max(1, passes);
}

void Plan::along(size_t dimension, std::vector<Complex>& data, bool inverse) const {
  const auto length = static_cast<size_t>(lengths_[dimension]);
  if (length == 1) {
    return;
  }
  size_t stride = 1;
  for (size_t inner = dimension + 1; inner < 3; ++inner) {
    stride *= static_cast<size_t>(lengths_[inner]);
  }
  std::vector<Complex> line(length);
  for (size_t begin = 0; begin < data.size(); begin += stride * length) {
    for (size_t offset = begin; offset < begin + stride; ++offset) {
      for (size_t i = 0; i < length; ++i) {
        line[i] = data[offset + i * stride];
      }
      transforms_[dimension](line, inverse);
      for (size_t i = 0; i < length; ++i) {
        data[offset + i * stride] = line[i];
      }
    }
  }
}

void Plan::execute(const void* input_data, void* output_data, bool inverse) const {
  const bool in_place = input_data == output_data;
  const Side from = input(in_place), to = output(in_place);
  std::vector<Complex> data(static_cast<size_t>(elements() / batch_));
  const auto at = [&](int64_t i0, int64_t i1, int64_t i2) -> Complex& {
    return data[static_cast<size_t>((i0 * lengths_[1] + i1) * lengths_[2] + i2)];
  };
  const auto mirrored = [](int64_t i, int64_t n) { return i == 0 ? 0 : n - i; };
  for (int64_t b = 0; b < batch_; ++b) {
    each(shape(true), [&](int64_t i0, int64_t i1, int64_t i2) {
      // Of a real result's spectrum the second half is the first one's conjugate.
      const bool second = real_output() && i2 > lengths_[2] / 2;
      const Complex value =
          second
              ? std::conj(read(input_data,
                               place(from, b, mirrored(i0, lengths_[0]), mirrored(i1, lengths_[1]), lengths_[2] - i2),
                               is_double(), false))
              : read(input_data, place(from, b, i0, i1, i2), is_double(), real_input());
      at(i0, i1, i2) = value;
    });
    for (size_t dimension = 0; dimension < 3; ++dimension) {
      along(dimension, data, inverse);
    }
    each(shape(!real_input()), [&](int64_t i0, int64_t i1, int64_t i2) {
      write(output_data, place(to, b, i0, i1, i2), is_double(), real_output(), at(i0, i1, i2));
    });
  }
}

}  // namespace hpml::sim::cufft
