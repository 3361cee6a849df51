#include "common/models/roofline.hpp"

#include "common/models/json/registry.hpp"

namespace hpml::models {

namespace {

const char* word_of(Bound bound) { return bound == Bound::memory ? "memory" : "compute"; }

const char* word_of(Reach reach) {
  switch (reach) {
    case Reach::feasible: return "feasible";
    case Reach::above_bandwidth: return "above_bandwidth";
    case Reach::above_peak: return "above_peak";
  }
  return "";
}

Roof roof_of(Args& a) {
  const double peak = a.number("peak_gflops", at_least(kTiny));
  return {.peak_gflops = peak, .bandwidth_gbs = a.number("bandwidth_gbs", at_least(kTiny))};
}

Result<Json> intensity(Args& a) {
  const double flop = a.number("flop", at_least(0));
  const double bytes = a.number("bytes", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"flop_per_byte", arithmetic_intensity(flop, bytes)}};
}

Result<Json> roofline(Args& a) {
  const Roof roof = roof_of(a);
  const double ai = a.number("flop_per_byte", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"ridge_flop_per_byte", ridge(roof)},
              {"attainable_gflops", attainable_gflops(roof, ai)},
              {"bound", word_of(bound_at(roof, ai))}};
}

Result<Json> point(Args& a) {
  const Roof roof = roof_of(a);
  const double ai = a.number("flop_per_byte", at_least(kTiny));
  const double gflops = a.number("gflops", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  const Reach reach = reach_of(roof, ai, gflops);
  return Json{{"attainable_gflops", attainable_gflops(roof, ai)},
              {"feasible", reach == Reach::feasible},
              {"reach", word_of(reach)},
              {"bound", word_of(bound_at(roof, ai))}};
}

Result<Json> peak(Args& a) {
  const double units = a.number("units", at_least(kTiny));
  const double per_cycle = a.number("flop_per_cycle", at_least(kTiny));
  const double clock = a.number("clock_ghz", at_least(kTiny));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"gflops", peak_gflops(units, per_cycle, clock)}};
}

}  // namespace

std::vector<Model> roofline_models() {
  return {
      {"arithmetic_intensity", "flop / bytes", {"flop_per_byte"}, intensity},
      {"roofline",
       "min(peak, bandwidth * intensity); ridge = peak / bandwidth",
       {"ridge_flop_per_byte", "attainable_gflops", "bound"},
       roofline},
      {"roofline_point",
       "a measured point against the roof",
       {"attainable_gflops", "feasible", "reach", "bound"},
       point},
      {"peak_flops", "units * FLOP per cycle * clock", {"gflops"}, peak},
  };
}

}  // namespace hpml::models
