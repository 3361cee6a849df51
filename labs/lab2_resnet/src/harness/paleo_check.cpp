// paleo time MACS BYTES PEAK BANDWIDTH CLOCK PPP | exchange KIND N BYTES BANDWIDTH | fit PEAK BANDWIDTH MACS:BYTES:S...
#include <string_view>

#include "harness/check.hpp"

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const auto real = [&](int i) { return std::atof(argv[i]); };
  if (what == "time" && argc == 8) {
    const lab2::PaleoTime t =
        lab2::paleo(std::atoll(argv[2]), std::atoll(argv[3]), {real(4), real(5), real(6)}, real(7));
    std::printf("%.17g %.17g\n", t.compute_s, t.memory_s);
  } else if (what == "exchange" && argc == 6) {
    const auto kind = static_cast<lab2::Exchange>(std::atoi(argv[2]));
    std::printf("%.17g\n", lab2::exchange_s(kind, std::atoi(argv[3]), std::atoll(argv[4]), real(5)));
  } else if (what == "fit" && argc > 4) {
    std::vector<lab2::Layer> layers;
    for (int i = 4; i < argc; ++i) {
      long long macs = 0, bytes = 0;
      double seconds = 0;
      if (std::sscanf(argv[i], "%lld:%lld:%lf", &macs, &bytes, &seconds) != 3) {
        check::fail("a layer is MACS:BYTES:SECONDS");
      }
      layers.push_back({macs, bytes, seconds});
    }
    const lab2::Fit fit = lab2::fit_ppp(layers, {real(2), real(3), 1e9});
    std::printf("%.17g %.17g %d\n", fit.ppp, fit.r2, fit.worst);
  } else {
    check::fail(
        "usage: paleo time MACS BYTES PEAK BANDWIDTH CLOCK PPP | exchange KIND N BYTES BANDWIDTH | "
        "fit PEAK BANDWIDTH MACS:BYTES:SECONDS...");
  }
  return 0;
}
