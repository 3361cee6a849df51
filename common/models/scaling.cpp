#include "common/models/scaling.hpp"

#include <algorithm>
#include <cmath>

namespace hpml::models {

double amdahl_speedup(double serial_fraction, double processors, double overhead_per_processor) {
  return 1 / (serial_fraction + (1 - serial_fraction) / processors + overhead_per_processor * processors);
}

int64_t amdahl_best_processors(double serial_fraction, double overhead_per_processor) {
  const double below = std::max(1.0, std::floor(std::sqrt((1 - serial_fraction) / overhead_per_processor)));
  const double at_below = amdahl_speedup(serial_fraction, below, overhead_per_processor);
  const double at_above = amdahl_speedup(serial_fraction, below + 1, overhead_per_processor);
  return static_cast<int64_t>(at_above > at_below ? below + 1 : below);
}

double gustafson_speedup(double serial_fraction, double processors) {
  return processors - serial_fraction * (processors - 1);
}

std::optional<double> part_speedup(double total, double share, double target) {
  const double left = target - (1 - share) * total;
  if (left <= total * 1e-12) {  // as good as zero: shares are rounded decimals
    return std::nullopt;
  }
  return share * total / left;
}

Efficiency efficiency(double time_1_s, double time_p_s, double processors) {
  const double ratio = time_1_s / time_p_s;
  return {.speedup = ratio, .strong = ratio / processors, .weak = ratio};
}

Clocks clocks(double real_s, double user_s, double sys_s) {
  const double cpu = user_s + sys_s;
  return {.cpu_s = cpu, .waiting_s = real_s - cpu, .busy_cpus = cpu / real_s};
}

double elapsed_s(double cpu_s, double processors, double wait_s) { return cpu_s / processors + wait_s; }

double growth(double time, double doubling) { return std::exp2(time / doubling); }

Pipeline pipeline(double stages, double micro_batches) {
  const double slots = micro_batches + stages - 1;
  return {.speedup = micro_batches * stages / slots, .bubble = (stages - 1) / slots};
}

}  // namespace hpml::models
