#pragma once
// Laws of parallel speedup and the two clocks of a program.
#include <cstdint>
#include <optional>

namespace hpml::models {

// Amdahl 1967, with an optional cost of communication that grows with the processors, as a fraction of the serial time:
// 1 / (s + (1-s)/p + k p).
double amdahl_speedup(double serial_fraction, double processors, double overhead_per_processor);

// Where the law with overhead has its maximum: one of the two whole numbers beside sqrt((1-s)/k).
int64_t amdahl_best_processors(double serial_fraction, double overhead_per_processor);

// Gustafson 1988: the work grows with the processors, s is measured on the parallel machine.
double gustafson_speedup(double serial_fraction, double processors);

// How much faster the part that takes `share` of `total` must become for the whole to take `target`; nothing when even
// an infinitely fast part would not do.
std::optional<double> part_speedup(double total, double share, double target);

struct Efficiency {
  double speedup = 0, strong = 0, weak = 0;
};
// strong: same problem on p processors; weak: p times the problem on p processors.
Efficiency efficiency(double time_1_s, double time_p_s, double processors);

struct Clocks {
  double cpu_s = 0;      // user + sys
  double waiting_s = 0;  // real - cpu, of a single thread
  double busy_cpus = 0;  // cpu / real
};
Clocks clocks(double real_s, double user_s, double sys_s);

double elapsed_s(double cpu_s, double processors, double wait_s);

// What doubles every `doubling` grows by this factor in `time` (both in one unit).
double growth(double time, double doubling);

// m micro-batches through p equal stages. bubble: idle share of the stages' time.
struct Pipeline {
  double speedup = 0, bubble = 0;
};
Pipeline pipeline(double stages, double micro_batches);

}  // namespace hpml::models
