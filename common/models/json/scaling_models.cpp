#include "common/models/json/registry.hpp"
#include "common/models/means.hpp"
#include "common/models/scaling.hpp"

namespace hpml::models {

namespace {

Result<Json> amdahl(Args& a) {
  const double serial = a.number("serial_fraction", between(0, 1));
  const double processors = a.number("processors", at_least(1));
  const double overhead = a.number("overhead_per_processor", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  const double speedup = amdahl_speedup(serial, processors, overhead);
  return Json{{"speedup", speedup}, {"efficiency", speedup / processors}};
}

Result<Json> amdahl_best(Args& a) {
  const double serial = a.number("serial_fraction", between(0, 1));
  const double overhead = a.number("overhead_per_processor", at_least(1e-18));
  HPML_MODEL_INPUTS_READ(a);
  const int64_t best = amdahl_best_processors(serial, overhead);
  return Json{{"processors", best}, {"speedup", amdahl_speedup(serial, static_cast<double>(best), overhead)}};
}

Result<Json> gustafson(Args& a) {
  const double serial = a.number("serial_fraction", between(0, 1));
  const double processors = a.number("processors", at_least(1));
  HPML_MODEL_INPUTS_READ(a);
  const double speedup = gustafson_speedup(serial, processors);
  return Json{{"speedup", speedup}, {"efficiency", speedup / processors}};
}

Result<Json> part(Args& a) {
  const double total = a.number("total", at_least(kTiny));
  const double share = a.number("share", between(0, 1));
  const double target = a.number("target", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  const std::optional<double> speedup = part_speedup(total, share, target);
  return Json{{"possible", speedup.has_value()}, {"speedup", speedup.value_or(0)}};
}

Result<Json> efficiencies(Args& a) {
  const double time_1 = a.number("time_1_s", at_least(kTiny));
  const double time_p = a.number("time_p_s", at_least(kTiny));
  const double processors = a.number("processors", at_least(1));
  HPML_MODEL_INPUTS_READ(a);
  const Efficiency e = efficiency(time_1, time_p, processors);
  return Json{{"speedup", e.speedup}, {"strong_efficiency", e.strong}, {"weak_efficiency", e.weak}};
}

Result<Json> cpu_time(Args& a) {
  const double real = a.number("real_s", at_least(kTiny));
  const double user = a.number("user_s", at_least(0));
  const double sys = a.number("sys_s", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  const Clocks c = clocks(real, user, sys);
  return Json{{"cpu_s", c.cpu_s}, {"waiting_s", c.waiting_s}, {"busy_cpus", c.busy_cpus}};
}

Result<Json> elapsed(Args& a) {
  const double cpu = a.number("cpu_s", at_least(0));
  const double processors = a.number("processors", at_least(1));
  const double wait = a.number("wait_s", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"elapsed_s", elapsed_s(cpu, processors, wait)}};
}

Result<Json> growth_factor(Args& a) {
  const double time = a.number("time", at_least(0));
  const double doubling = a.number("doubling_time", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"factor", growth(time, doubling)}};
}

Result<Json> pipelined(Args& a) {
  const auto stages = static_cast<double>(a.integer("stages", at_least(1)));
  const auto batches = static_cast<double>(a.integer("micro_batches", at_least(1)));
  HPML_MODEL_INPUTS_READ(a);
  const Pipeline p = pipeline(stages, batches);
  return Json{{"speedup", p.speedup}, {"bubble", p.bubble}};
}

Result<Json> means(Args& a) {
  const std::vector<double> values = a.numbers("values", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"arithmetic", arithmetic_mean(values)},
              {"harmonic", harmonic_mean(values)},
              {"geometric", geometric_mean(values)},
              {"median", median(values)},
              {"variation", variation(values)}};
}

Result<Json> rate(Args& a) {
  const double operations = a.number("operations_per_run", at_least(kTiny));
  const std::vector<double> times = a.numbers("times_s", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"operations_per_s", throughput(operations, times)}};
}

}  // namespace

std::vector<Model> scaling_models() {
  return {
      {"amdahl", "1 / (s + (1-s)/p + k p)", {"speedup", "efficiency"}, amdahl},
      {"amdahl_best", "the p with the largest 1 / (s + (1-s)/p + k p)", {"processors", "speedup"}, amdahl_best},
      {"gustafson", "p - s (p-1)", {"speedup", "efficiency"}, gustafson},
      {"part_speedup", "share total / (target - (1-share) total)", {"possible", "speedup"}, part},
      {"scaling_efficiency",
       "strong t1/(p tp), weak t1/tp",
       {"speedup", "strong_efficiency", "weak_efficiency"},
       efficiencies},
      {"cpu_time", "cpu = user + sys; waiting = real - cpu", {"cpu_s", "waiting_s", "busy_cpus"}, cpu_time},
      {"elapsed_time", "cpu / p + wait", {"elapsed_s"}, elapsed},
      {"growth", "2^(time / doubling time)", {"factor"}, growth_factor},
      {"pipeline", "m p / (m+p-1); idle (p-1)/(m+p-1)", {"speedup", "bubble"}, pipelined},
      {"means",
       "three means, median and coefficient of variation",
       {"arithmetic", "harmonic", "geometric", "median", "variation"},
       means},
      {"throughput", "all operations / all time", {"operations_per_s"}, rate},
  };
}

}  // namespace hpml::models
