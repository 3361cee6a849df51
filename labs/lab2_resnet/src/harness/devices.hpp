#pragma once
// GPUs by name, at their peaks: PALEO's inputs for `resnet paleo` and `--device sim:NAME`.
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lab2.hpp"

namespace devices {

struct Gpu {
  std::string_view name;
  double processors, lanes;  // FP32 lanes of each multiprocessor; a lane does one multiply-add, 2 FLOP, per cycle
  double megahertz, gigabytes_per_s;
  lab2::Device figures() const {
    return {.peak = processors * lanes * 2 * megahertz * 1e6, .bandwidth = gigabytes_per_s * 1e9, .clock = megahertz * 1e6};
  }
};

// Boost clocks of the data sheets; k80 is one GPU of the board's two, rtx8000 has the clock seen under load.
inline constexpr std::array kGpus{Gpu{"k80", 13, 192, 875, 240},    Gpu{"t4", 40, 64, 1590, 320},
                                  Gpu{"v100", 80, 64, 1530, 900},   Gpu{"rtx8000", 72, 64, 1620, 672},
                                  Gpu{"a100", 108, 64, 1410, 1555}, Gpu{"h100", 132, 128, 1980, 3350}};

static inline const Gpu& by_name(std::string_view name) {
  std::string known;
  for (const Gpu& gpu : kGpus) {
    if (gpu.name == name) {
      return gpu;
    }
    known += (known.empty() ? "" : ", ") + std::string(gpu.name);
  }
  throw std::invalid_argument("there is no GPU '" + std::string(name) + "'; known: " + known);
}

}  // namespace devices
