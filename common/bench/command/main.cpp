// hpml-bench: what this machine is, how fast it computes and moves data, and which BLAS it has. JSON on stdout.
#include <fmt/format.h>
#include <stdlib.h>
#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <fstream>

#include "common/bench/blas.hpp"
#include "common/bench/engine.hpp"
#include "common/bench/guarded.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/bench/load.hpp"
#include "common/bench/machine.hpp"
#include "common/bench/report.hpp"
#include "common/bench/roof.hpp"
#include "common/bench/selftest.hpp"

namespace hpml::bench {
namespace {

using nlohmann::json;

constexpr double kSampleSeconds = 0.01;

int complain(int status, const std::string& line) {
  fmt::print(stderr, "hpml-bench: {}\n", line);
  return status;
}

int64_t free_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  int64_t kib = 0;
  while (file >> name >> kib) {
    if (name == "MemAvailable:") {
      return kib * 1024;
    }
    std::getline(file, unit);
  }
  return 0;
}

int print_blas() {
  json libraries = json::array();
  json result = {{"corename", ""}, {"says", ""}, {"mend", ""}};
  for (const std::string& path : installed_blas()) {
    const Result<BlasLibrary> library = BlasLibrary::open(path);
    if (!library.ok()) {
      libraries.push_back({{"path", path}, {"not_used", library.error().message}});
      continue;
    }
    libraries.push_back({{"path", path}, {"corename", library->corename()}, {"version", library->version()}});
    if (!library->corename().empty() && result["corename"] == "") {
      const CoreVerdict verdict = judge_core(library->corename(), processor_flags());
      result = {{"corename", library->corename()}, {"says", verdict.says}, {"mend", verdict.mend}};
    }
  }
  result["libraries"] = libraries;
  fmt::print("{}\n", result.dump(1));
  return 0;
}

struct DotOptions {
  std::string library;  // empty: all that are installed
  int64_t n = 1 << 16;
  int pairs = 31;
  std::vector<int64_t> offsets = {0, 0};  // elements between a cache line's start and each vector's
};

// A vector of ones that starts `offset` elements after the start of a cache line.
class Ones {
 public:
  static Result<Ones> make(int64_t n, int64_t offset) {
    HPML_TRY(GuardedVector memory, GuardedVector::make((n + offset + kLine - 1) / kLine * kLine));
    std::fill_n(memory.data(), memory.size(), 1.0F);
    return Ones(std::move(memory), offset);
  }
  const float* data() const { return memory_.data() + offset_; }

 private:
  static constexpr int64_t kLine = 16;  // floats of a cache line
  Ones(GuardedVector memory, int64_t offset) : memory_(std::move(memory)), offset_(offset) {}
  GuardedVector memory_;
  int64_t offset_;
};

// Our dot product against one library's, at one size; both in this process, one thread.
Result<json> measure_dot(const std::string& path, const DotOptions& options, const float* a, const float* b) {
  HPML_TRY(const BlasLibrary library, BlasLibrary::open(path));
  const KernelTable& table = *kernels_here().front();
  const int64_t n = options.n;
  const auto ours = 8 * n > kFarBytes ? table.dot_far : table.dot;
  const auto theirs = library.sdot();
  SystemClock clock;
  PairedPlan plan;
  plan.pairs = options.pairs;
  const Paired paired = compare(
      clock,
      [=] {
        float r = ours(n, a, b);
        keep(r);
      },
      [=] {
        float r = theirs(static_cast<int>(n), a, 1, b, 1);
        keep(r);
      },
      plan);
  json result = to_json(paired);
  result.update({{"name", "dot"},
                 {"size", n},
                 {"offsets", options.offsets},
                 {"level", table.level},
                 {"peer", path},
                 {"peer_corename", library.corename()},
                 {"gbs", 8.0 * static_cast<double>(n) / summarize(paired.cpu_a).min},
                 {"peer_gbs", 8.0 * static_cast<double>(n) / summarize(paired.cpu_b).min}});
  return result;
}

// Against one library, or against each that is installed: then `best` is the fastest of them, by its own rate.
int print_dot(const DotOptions& options) {
  const Result<Ones> a = Ones::make(options.n, options.offsets[0]), b = Ones::make(options.n, options.offsets[1]);
  if (!a.ok() || !b.ok()) {
    return complain(3, (a.ok() ? b : a).error().message);
  }
  if (!options.library.empty()) {
    const Result<json> result = measure_dot(options.library, options, a->data(), b->data());
    if (!result.ok()) {
      return complain(2, result.error().message);
    }
    fmt::print("{}\n", result->dump(1));
    return 0;
  }
  json all = {{"name", "dot"}, {"size", options.n}, {"peers", json::array()}, {"best", nullptr}};
  double best = 0;
  for (const std::string& path : installed_blas()) {
    const Result<json> result = measure_dot(path, options, a->data(), b->data());
    all["peers"].push_back(result.ok() ? *result : json{{"peer", path}, {"not_used", result.error().message}});
    if (result.ok() && result->at("peer_gbs") > best) {
      best = result->at("peer_gbs");
      all["best"] = {{"peer", path}, {"ratio", result->at("ratio")}, {"verdict", result->at("verdict")}};
    }
  }
  fmt::print("{}\n", all.dump(1));
  return 0;
}

int print_self_test(int trials, bool loaded) {
  SystemClock clock;
  const auto load = loaded ? std::make_unique<LoadGenerator>(2, 2) : nullptr;
  const SelfTest result = self_test(clock, trials, {});
  const json report = {{"trials", result.trials},
                       {"loaded", loaded},
                       {"equal_valid", result.equal_valid},
                       {"equal_right", result.equal_right},
                       {"slower_valid", result.slower_valid},
                       {"slower_seen", result.slower_seen},
                       {"cov_of_one_elapsed_time", result.wall_cov},
                       {"cov_of_smallest_processor_time", result.cpu_floor_cov},
                       {"cov_of_ratio", result.ratio_cov},
                       {"passed", result.passed()}};
  fmt::print("{}\n", report.dump(1));
  return result.passed() ? 0 : 1;
}

int print_roof(bool quick) {
  if (const Result<ClockReport> clock = check_clock(*std::make_unique<SystemClock>()); !clock.ok()) {
    return complain(3, clock.error().message);
  }
  SystemClock clock;
  GoogleEngine engine(quick ? kSampleSeconds / 4 : kSampleSeconds, quick ? 3 : 5);
  SeriesPlan plan;
  if (quick) {
    plan.max_rounds = 2;
    plan.min_samples = 6;
  }
  LadderPlan ladder = ladder_for(last_level_cache_bytes(), free_memory_bytes());
  json result = {
      {"schema", kSchema}, {"host", describe_machine()}, {"calibration", json::array()}, {"cases", json::array()}};
  result["calibration"].push_back({{"name", "clock_ghz"}, {"value", measured_ghz(clock)}});
  for (const LevelPeak& peak : measure_peaks(engine, plan)) {
    json entry = to_json(peak.flop, "flop");
    entry.update({{"level", peak.level}, {"lanes", peak.lanes}, {"fused", peak.fused}});
    result["cases"].push_back(entry);
  }
  for (const LadderStep& step : measure_ladder(engine, plan, ladder)) {
    for (const Measured& kernel : step.kernels) {
      json entry = to_json(kernel, "byte");
      entry["size"] = step.bytes;
      result["cases"].push_back(entry);
    }
  }
  result["host_after"] = describe_machine();
  fmt::print("{}\n", result.dump(1));
  return 0;
}

}  // namespace
}  // namespace hpml::bench

int main(int argc, char** argv) {
  using namespace hpml::bench;
  CLI::App app("what this machine is and how fast it runs, as JSON", "hpml-bench");
  app.require_subcommand(1);
  bool as_json = false, quick = false;
  DotOptions options;
  auto* machine = app.add_subcommand("machine", "describe it");
  auto* blas = app.add_subcommand("blas", "the installed libraries, and whether OpenBLAS knows this processor");
  for (auto* command : {machine, blas}) {
    command->add_flag("--json", as_json, "JSON (the only form there is)");
  }
  auto* roof = app.add_subcommand("roof", "clock, peak and bandwidth over the sizes of the memory hierarchy");
  roof->add_flag("--quick", quick, "fewer and shorter samples");
  auto* dot = app.add_subcommand("dot", "our dot product against a library's, side by side");
  dot->add_option("library", options.library, "its file; without it, every installed one");
  dot->add_option("--size", options.n, "elements of each vector")->check(CLI::Range(1, 1 << 30));
  dot->add_option("--offsets", options.offsets, "elements from the start of a cache line to that of each vector")
      ->expected(2)
      ->check(CLI::Range(0, 15));
  dot->add_option("--pairs", options.pairs, "pairs of samples")->check(CLI::Range(3, 1000));
  auto* self = app.add_subcommand("selftest", "can this machine's measurements be trusted now? 1 when not");
  int trials = 100;
  bool loaded = false;
  self->add_option("--trials", trials, "of equal work, and of work that is 30 % slower")->check(CLI::Range(1, 10000));
  self->add_flag("--load", loaded, "while two processes compute and two move memory");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(2, error.what());
  }
  if (*machine) {
    fmt::print("{}\n", describe_machine().dump(1));
    return 0;
  }
  if (*self) {
    return print_self_test(trials, loaded);
  }
  return *blas ? print_blas() : *roof ? print_roof(quick) : print_dot(options);
}
