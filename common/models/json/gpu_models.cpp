#include <numeric>

#include "common/models/json/registry.hpp"
#include "common/models/occupancy.hpp"
#include "common/models/quantization.hpp"
#include "common/models/tree_rule.hpp"
#include "common/models/warp_access.hpp"

namespace hpml::models {

namespace {

constexpr int64_t kWarp = 32;

Result<Json> sectors(Args& a) {
  const int64_t lanes = a.integer("lanes", between(1, 32));
  const int64_t element = a.integer("element_bytes", between(1, 16));
  const int64_t stride = a.integer("stride", between(0, 1e6));
  const int64_t offset = a.integer("offset", between(0, 1e9));
  HPML_MODEL_INPUTS_READ(a);
  const std::vector<int64_t> addresses = strided_addresses(lanes, element, stride, offset);
  const int64_t count = sectors_touched(addresses, element);
  const int64_t useful = stride == 0 ? element : lanes * element;
  return Json{{"sectors", count},
              {"useful_bytes", useful},
              {"moved_bytes", count * 32},
              {"efficiency", static_cast<double>(useful) / static_cast<double>(count * 32)}};
}

Result<Json> banks(Args& a) {
  const int64_t stride = a.integer("stride_words", between(0, 1e6));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"ways", bank_conflict_ways(strided_addresses(kWarp, 1, stride, 0))}};
}

Result<Json> resident_blocks(Args& a) {
  constexpr Bounds kCount{1, 1e6};
  SmLimits limits;
  limits.max_warps = static_cast<uint32_t>(a.integer("sm_warps", kCount));
  limits.max_blocks = static_cast<uint32_t>(a.integer("sm_blocks", kCount));
  limits.registers = static_cast<uint32_t>(a.integer("sm_registers", kCount));
  limits.registers_per_block = limits.registers;
  limits.register_unit_per_warp = static_cast<uint32_t>(a.integer("register_unit_per_warp", kCount));
  limits.sub_partitions = static_cast<uint32_t>(a.integer("sub_partitions", between(1, 16)));
  limits.shared_bytes = static_cast<uint32_t>(a.integer("sm_shared_bytes", kCount));
  limits.shared_unit_bytes = static_cast<uint32_t>(a.integer("shared_unit_bytes", kCount));
  BlockNeeds needs;
  needs.threads = static_cast<uint32_t>(a.integer("threads", between(1, 1024)));
  needs.registers_per_thread = static_cast<uint32_t>(a.integer("registers_per_thread", between(0, 255)));
  needs.shared_bytes = static_cast<uint32_t>(a.integer("shared_bytes", between(0, 1e6)));
  HPML_MODEL_INPUTS_READ(a);
  const Occupancy fit = occupancy(limits, needs);
  const int64_t warps = int64_t{fit.blocks_per_sm} * fit.warps_per_block;
  return Json{
      {"blocks", fit.blocks_per_sm}, {"warps", warps}, {"occupancy", static_cast<double>(warps) / limits.max_warps}};
}

Result<Json> managed(Args& a) {
  const int64_t bytes = a.integer("bytes", between(1, 1e11));
  const int64_t threshold = a.integer("threshold_percent", between(1, 100));
  HPML_MODEL_INPUTS_READ(a);
  const auto kib = sequential_migrations_kib(static_cast<uint64_t>(bytes), static_cast<uint32_t>(threshold));
  return Json{
      {"migrations", kib.size()},
      {"total_kib", std::accumulate(kib.begin(), kib.end(), uint64_t{0})},
      {"first_block_kib", std::vector<uint64_t>(kib.begin(), kib.begin() + std::min<long>(std::ssize(kib), 6))}};
}

Result<Json> counter(Args& a) {
  const int64_t count = a.integer("count", between(0, 1e12));
  const int64_t step = a.integer("step", between(1, 1 << 20));
  a.require((step & (step - 1)) == 0 || count <= 100'000'000, "count", "is too large for a step that is no power of 2");
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"sum", float_counter(count, step)}};
}

Json grid_record(const Grid& grid, double x) {
  const int64_t q = quantise(grid, x);
  return Json{
      {"scale", grid.scale}, {"zero_point", grid.zero_point}, {"quantised", q}, {"dequantised", dequantise(grid, q)}};
}

Result<Json> asymmetric(Args& a) {
  const double low = a.number("x_min", between(-1e9, 1e9));
  const double high = a.number("x_max", between(-1e9, 1e9));
  const auto bits = static_cast<int>(a.integer("bits", between(2, 16)));
  const bool is_signed = a.flag("signed");
  const double x = a.number("x", between(-1e9, 1e9));
  a.require(low < high, "x_min", "must be less than x_max");
  HPML_MODEL_INPUTS_READ(a);
  return grid_record(asymmetric_grid(low, high, bits, is_signed), x);
}

Result<Json> symmetric(Args& a) {
  const double largest = a.number("largest", between(1e-9, 1e9));
  const auto bits = static_cast<int>(a.integer("bits", between(2, 16)));
  const double x = a.number("x", between(-1e9, 1e9));
  HPML_MODEL_INPUTS_READ(a);
  return grid_record(symmetric_grid(largest, bits), x);
}

}  // namespace

std::vector<Model> gpu_models() {
  const std::vector<std::string_view> grid = {"scale", "zero_point", "quantised", "dequantised"};
  return {
      {"sectors",
       "distinct 32-byte sectors of one warp's request, lane i at element offset + i stride",
       {"sectors", "useful_bytes", "moved_bytes", "efficiency"},
       sectors},
      {"bank_conflicts", "largest number of different words in one of 32 banks", {"ways"}, banks},
      {"occupancy",
       "blocks and warps per SM: the tightest of four limits",
       {"blocks", "warps", "occupancy"},
       resident_blocks},
      {"unified_memory",
       "migrations of a first touch from end to end: 64 KiB leaves, density rule in 2 MiB blocks",
       {"migrations", "total_kib", "first_block_kib"},
       managed},
      {"float_counter", "sum of equal steps in 32-bit floats", {"sum"}, counter},
      {"quantise_asymmetric", "s = (max-min)/(2^n-1), z = round(qmin - min/s), q = round(x/s)+z", grid, asymmetric},
      {"quantise_symmetric", "s = largest/(2^(n-1)-1), z = 0, q = round(x/s)", grid, symmetric},
  };
}

}  // namespace hpml::models
