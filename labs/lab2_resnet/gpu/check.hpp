// Included by resnet_gpu.cu: every result of a line by its definition, in double. For small shapes.

using Doubles = std::vector<double>;

bool near(const Line& line, const char* what, const Numbers& got, const Doubles& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(got[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) {
      std::fprintf(stderr, "%s %s, %s: element %zu is %g, expected %g\n", line.name.c_str(), line.pass.c_str(), what, i,
                   got[i], expected[i]);
      return false;
    }
  }
  return true;
}

// Calls visit(place in x without channel, tap, place in y without channel) for every tap inside an image.
template <class Visit>
void each_tap(const Conv& c, const Visit& visit) {
  for (int p = 0; p < c.pixels(); ++p) {
    for (int tap = 0; tap < c.k * c.k; ++tap) {
      const int i = p / c.ow() % c.oh() * c.stride - c.pad + tap / c.k, j = p % c.ow() * c.stride - c.pad + tap % c.k;
      if (i >= 0 && i < c.h && j >= 0 && j < c.w) {
        visit((p / (c.oh() * c.ow()) * c.h + i) * c.w + j, tap, p);
      }
    }
  }
}

// factor(x place, w place, y place) -> the sum that a product is added to, and the product.
template <class Add>
void each_product(const Conv& c, const Add& add) {
  each_tap(c, [&](int pixel, int tap, int out) {
    for (int i = 0; i < c.ci; ++i) {
      for (int o = 0; o < c.co; ++o) {
        add(static_cast<size_t>(pixel) * c.ci + i, (static_cast<size_t>(tap) * c.ci + i) * c.co + o,
            static_cast<size_t>(out) * c.co + o);
      }
    }
  });
}

bool check_convolution(const Line& line, const Memory& m) {
  const Conv& c = line.shape;
  const size_t images = size_t(c.n) * c.h * c.w * c.ci, weights = size_t(c.k) * c.k * c.ci * c.co,
               outputs = size_t(c.pixels()) * c.co;
  const Numbers x = m.x.read(images), w = m.w.read(weights), y = m.y.read(outputs);
  Doubles of_y(outputs), dx(images), dw(weights);
  each_product(c, [&](size_t i, size_t j, size_t o) {
    of_y[o] += double{x[i]} * w[j];
    dx[i] += double{w[j]} * y[o];
    dw[j] += double{x[i]} * y[o];
  });
  if (!line.backward()) {
    return near(line, "y", y, of_y);
  }
  return near(line, "dw", m.dw.read(weights), dw) &&
         (line.pass == "weights" || near(line, "dx", m.dx.read(images), dx));
}

bool check_batch_norm(const Line& line, const Memory& m) {
  const Conv& c = line.shape;
  const size_t pixels = size_t(c.n) * c.h * c.w, channels = c.ci, size = pixels * channels;
  const Numbers x = m.x.read(size), y = m.y.read(size);
  Doubles mean(channels), squares(channels), sum(channels), weighted(channels), expected(size);
  for (size_t i = 0; i < size; ++i) {
    mean[i % channels] += x[i] / double(pixels);
    squares[i % channels] += double{x[i]} * x[i] / double(pixels);
  }
  const auto normal = [&](size_t i) {
    const size_t ch = i % channels;
    return (x[i] - mean[ch]) / std::sqrt(squares[ch] - mean[ch] * mean[ch] + 1e-5);
  };
  for (size_t i = 0; i < size; ++i) {
    sum[i % channels] += y[i] / double(pixels);
    weighted[i % channels] += y[i] * normal(i) / double(pixels);
  }
  for (size_t i = 0; i < size; ++i) {
    const size_t ch = i % channels;
    expected[i] = line.backward() ? (y[i] - sum[ch] - normal(i) * weighted[ch]) /
                                        std::sqrt(squares[ch] - mean[ch] * mean[ch] + 1e-5)
                                  : normal(i);
  }
  return line.backward() ? near(line, "dx", m.dx.read(size), expected) : near(line, "y", y, expected);
}

bool check_elementwise(const Line& line, const Memory& m) {
  const Conv& c = line.shape;
  const size_t pixels = size_t(c.h) * c.w, channels = c.ci, size = c.n * pixels * channels;
  const bool pool = line.op == "avg_pool";
  const Numbers x = m.x.read(size), y = m.y.read(pool ? c.n * channels : size), dx = m.dx.read(size);
  Doubles expected(pool && !line.backward() ? c.n * channels : size);
  for (size_t i = 0; i < size; ++i) {
    const size_t pooled = i / (pixels * channels) * channels + i % channels;
    if (line.op == "add") {
      expected[i] = double{x[i]} + dx[i];
    } else if (line.op == "relu") {
      expected[i] = x[i] > 0 ? (line.backward() ? y[i] : x[i]) : 0;
    } else if (line.backward()) {
      expected[i] = y[pooled] / double(pixels);
    } else {
      expected[pooled] += x[i] / double(pixels);
    }
  }
  return line.backward() && line.op != "add" ? near(line, "dx", dx, expected) : near(line, "y", y, expected);
}

bool check_line(const Line& line, const Memory& m) {
  if (line.op == "conv2d" || line.op == "linear") {
    return check_convolution(line, m);
  }
  return line.op == "batch_norm" ? check_batch_norm(line, m) : check_elementwise(line, m);
}
