// Runs a student's program some times, and before each of its runs measures a reference: what disturbs the machine for a
// while disturbs both.
#include <fmt/format.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/bench/paired.hpp"
#include "kernel.hpp"

namespace hpml::lab1 {
namespace {

using nlohmann::json;
using Work = std::function<void()>;

struct Reference {
  std::string name;
  double units = 0;  // per call
  Work work;
};

constexpr int kCalls = 5;  // of each reference before each run; the fastest of all counts

Result<std::vector<Reference>> dot_reference(const BesideOptions& options, std::optional<Kernel>& kernel) {
  HPML_TRY(Kernel loaded, Kernel::load(options.library, options.symbol));
  kernel.emplace(std::move(loaded));
  const auto n = static_cast<size_t>(options.size);
  const auto x = std::make_shared<std::vector<float>>(n, 1.0F), y = std::make_shared<std::vector<float>>(n, 1.0F);
  return std::vector<Reference>{{"kernel", 1, [x, y, f = kernel->function()] {
                                   float r = f(static_cast<long>(x->size()), x->data(), y->data());
                                   bench::keep(r);
                                 }}};
}

std::vector<Reference> stream_reference(int64_t bytes) {
  const bench::KernelTable& table = *bench::kernels_here().front();
  const auto n = bytes / 8;
  struct Arrays {
    std::vector<double> a, b, c;
  };
  const auto size = static_cast<size_t>(n);
  const auto v = std::make_shared<Arrays>(Arrays{std::vector<double>(size, 1.0), std::vector<double>(size, 2.0),
                                                 std::vector<double>(size, 0.0)});
  const auto units = [n](int per_element) { return static_cast<double>(per_element * n); };
  return {{"Copy", units(16), [=] { table.copy(n, v->c.data(), v->a.data()); }},
          {"Scale", units(16), [=] { table.scale(n, 3.0, v->b.data(), v->c.data()); }},
          {"Add", units(24), [=] { table.add(n, v->c.data(), v->a.data(), v->b.data()); }},
          {"Triad", units(24), [=] { table.triad(n, 3.0, v->a.data(), v->b.data(), v->c.data()); }}};
}

std::vector<Reference> peak_reference() {
  constexpr int64_t kRounds = 20000;
  const bench::KernelTable& table = *bench::kernels_here().front();
  return {{"peak", static_cast<double>(kRounds * table.peak_flop_per_round), [&table] {
             float r = table.peak(kRounds);
             bench::keep(r);
           }}};
}

// Standard output of the command; empty when it does not end well.
std::string output_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += "'" + word + "' ";
  }
  std::string text;
  std::FILE* pipe = popen(line.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (pipe != nullptr && text.size() < (1U << 16)) {
    const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe);
    if (got == 0) {
      break;
    }
    text.append(buffer.data(), got);
  }
  return pipe != nullptr && pclose(pipe) == 0 ? text : "";
}

void measure(const Reference& reference, json& samples) {
  bench::SystemClock clock;
  for (int call = 0; call < kCalls; ++call) {
    const int64_t wall = clock.wall_ns(), cpu = clock.cpu_ns();
    reference.work();
    const int64_t cpu_spent = clock.cpu_ns() - cpu;
    samples[reference.name].push_back({{"wall_ns", clock.wall_ns() - wall}, {"cpu_ns", cpu_spent}});
  }
}

}  // namespace

int run_beside(const BesideOptions& options) {
  std::optional<Kernel> kernel;
  Result<std::vector<Reference>> references = std::vector<Reference>{};
  if (options.reference == "dot") {
    references = dot_reference(options, kernel);
  } else {
    references = options.reference == "stream" ? stream_reference(options.size) : peak_reference();
  }
  if (!references.ok()) {
    return complain(1, references.error().message);
  }
  json result = {{"outputs", json::array()}, {"samples", json::object()}, {"units", json::object()}};
  for (int round = 0; round < options.rounds; ++round) {
    for (const Reference& reference : *references) {
      measure(reference, result["samples"]);
      result["units"][reference.name] = reference.units;
    }
    result["outputs"].push_back(output_of(options.command));
  }
  fmt::print("{}\n", result.dump());
  return 0;
}

}  // namespace hpml::lab1
