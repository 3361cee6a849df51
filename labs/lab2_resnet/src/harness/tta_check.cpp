// tta THRESHOLD CURVE...: a curve is ACCURACY,ACCURACY,...@SAMPLES, one evaluation every SAMPLES samples.
#include <cinttypes>
#include <cstring>

#include "harness/check.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    check::fail("usage: tta THRESHOLD ACCURACY,ACCURACY,...@SAMPLES ...");
  }
  std::vector<lab2::Curve> curves;
  for (int i = 2; i < argc; ++i) {
    const char* at = std::strchr(argv[i], '@');
    if (at == nullptr) {
      check::fail("a curve ends in @SAMPLES");
    }
    const int64_t every = std::atoll(at + 1);
    lab2::Curve curve;
    for (const char* text = argv[i]; text < at;) {
      char* end = nullptr;
      const double accuracy = std::strtod(text, &end);
      const int64_t samples = every * static_cast<int64_t>(curve.size() + 1);
      curve.push_back({samples, static_cast<double>(samples) * 1e-4, accuracy});
      text = end + 1;
    }
    curves.push_back(curve);
  }
  const lab2::TtaSummary s = lab2::time_to_accuracy(curves, std::atof(argv[1]));
  std::printf("%d %d %.17g %.17g %d %.17g %.17g %.17g", s.runs, s.reached, s.mean, s.deviation, s.has_cov ? 1 : 0,
              s.cov, s.low, s.high);
  for (const int64_t samples : s.samples) {
    std::printf(" %" PRId64, samples);
  }
  std::printf("\n");
  return 0;
}
