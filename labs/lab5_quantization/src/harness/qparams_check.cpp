// qparams choose LO HI QMIN QMAX SYMMETRIC ...: a line "SCALE-BITS ZERO" for each five words, or "refused REASON".
// qparams quantize SCALE ZERO QMIN QMAX X ...: the integers.
// qparams random SEED COUNT: scales, zeros, integers and dequantised values of random tensors.
// qparams weights SEED ROWS CO BITS SKEWED: statistics, histograms, weights per tensor and per channel, SQNR.
#include "harness/check.hpp"
#include "lab5.hpp"

namespace {

void choose(const check::Words& words) {
  for (size_t i = 1; i + 4 < words.size(); i += 5) {
    try {
      const lab5::QParams p = lab5::choose_qparams(
          "tensor7", words.real(i), words.real(i + 1),
          {words.number(i + 2), words.number(i + 3), words.number(i + 4) != 0});
      std::printf("%08x %d\n", check::float_bits(p.scale), p.zero);
    } catch (const std::invalid_argument& error) {
      std::printf("refused %s\n", error.what());
    }
  }
}

void quantize(const check::Words& words) {
  const lab5::QParams p{std::strtof(words.text(1).c_str(), nullptr), words.number(2), words.number(3), words.number(4)};
  for (size_t i = 5; i < words.size(); ++i) {
    std::printf("%d\n", lab5::quantize(std::strtof(words.text(i).c_str(), nullptr), p));
  }
}

void random_tensors(const check::Words& words) {
  constexpr int64_t kValues = 64;
  constexpr lab5::QType kTypes[] = {lab5::kU8, lab5::kS8, lab5::kS8Narrow, lab5::unsigned_type(4),
                                    lab5::narrow_type(3)};
  const uint64_t seed = words.seed(1);
  check::Results results;
  for (int64_t t = 0; t < words.integer(2); ++t) {
    const auto stream = static_cast<uint64_t>(2 * t);
    const std::vector<float> limits = check::values(seed, stream, 2), x = check::values(seed, stream + 1, kValues);
    const float lo = std::min(limits[0], limits[1]), hi = std::max(limits[0], limits[1]);
    const lab5::QParams p = lab5::choose_qparams("random", lo, hi, kTypes[t % 5]);
    results.write_one(p.scale);
    results.write_one(p.zero);
    for (const float value : x) {
      const int32_t q = lab5::quantize(value, p);
      const float back = lab5::dequantize(q, p);
      results.write_one(q);
      results.write_one(back);
      results.write_one(lab5::quantize(back, p));
    }
  }
}

void write_histogram(check::Results& results, const std::vector<int64_t>& counts, size_t bins) {
  std::vector<int64_t> exactly(counts);
  exactly.resize(bins, -1);
  results.write(exactly);
}

void write_quantized(check::Results& results, const std::vector<float>& w, const lab5::QuantizedWeights& q, int co,
                     size_t scales) {
  std::vector<int8_t> integers(q.q);
  std::vector<float> factors(q.scales), values = lab5::dequantize_weights(q, co);
  integers.resize(w.size());
  factors.resize(scales);
  values.resize(w.size());
  results.write(integers);
  results.write(factors);
  results.write(values);
  results.write_one(lab5::sqnr_db(w, values));
}

HPML_GIVEN void weights(const check::Words& words) {
  constexpr int kBars = 40;
  const uint64_t seed = words.seed(1);
  const int64_t rows = words.integer(2);
  const int co = words.number(3), bits = words.number(4);
  std::vector<float> w = check::values(seed, 0, rows * co);
  for (size_t i = 0; i < w.size() && words.number(5) != 0; ++i) {
    w[i] *= static_cast<float>(1 << (i % static_cast<size_t>(co) % 8));
  }
  check::Results results;
  const lab5::WeightStatistics s = lab5::weight_statistics(w);
  results.write(std::vector<double>{s.min, s.max, s.mean, s.sigma});
  write_histogram(results, lab5::histogram(w, s.min, s.max, kBars), kBars);
  write_histogram(results, lab5::histogram(w, -0.5F, 0.25F, kBars), kBars);
  write_quantized(results, w, lab5::quantize_weights(w, co, bits, false), co, 1);
  write_quantized(results, w, lab5::quantize_weights(w, co, bits, true), co, static_cast<size_t>(co));
  results.write_one(lab5::sqnr_db(w, w));
}

}  // namespace

int main(int argc, char** argv) {
  const check::Words words(argc, argv);
  if (words.command() == "choose") {
    choose(words);
  } else if (words.command() == "quantize") {
    quantize(words);
  } else if (words.command() == "random") {
    random_tensors(words);
  } else if (words.command() == "weights") {
    weights(words);
  } else {
    check::fail("usage: qparams choose|quantize|random|weights NUMBER...");
  }
  return 0;
}
