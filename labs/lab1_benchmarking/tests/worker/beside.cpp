// Runs a student's program some times, and before each of its runs measures a reference: what disturbs the machine for a
// while disturbs both.
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "common/bench/paired.hpp"
#include "fresh.hpp"
#include "host.hpp"

namespace hpml::lab1 {
namespace {

using nlohmann::json;

struct Sample {
  int64_t wall_ns = 0, cpu_ns = 0;
};
using Work = std::function<Answer<Sample>()>;  // does it once

struct Reference {
  std::string name;
  double units = 0;             // per call
  std::vector<Work> ways = {};  // of doing the same; in each call the fastest is the reference
};

constexpr int kCalls = 5;  // of each reference before each run; the fastest of all counts

// Of work in this process.
Work timed(const std::function<void()>& work) {
  return [work]() -> Answer<Sample> {
    bench::SystemClock clock;
    const int64_t wall = clock.wall_ns(), cpu = clock.cpu_ns();
    work();
    const int64_t cpu_spent = clock.cpu_ns() - cpu;
    return Sample{clock.wall_ns() - wall, cpu_spent};
  };
}

Answer<std::vector<Reference>> dot_reference(const BesideOptions& options) {
  HPML_TRY(auto started, KernelHost::start({options.library, options.symbol, KernelHost::Kind::dot, options.size}));
  const std::shared_ptr<KernelHost> host = std::move(started);
  const auto data = std::make_shared<FreshVectors>(*host, options.size);
  const Work work = [host, data]() -> Answer<Sample> {
    const int64_t busy = host->busy_ns();
    HPML_TRY_VOID(data->timed_dot());
    return Sample{host->wall_ns(), host->busy_ns() - busy};
  };
  return std::vector<Reference>{{"kernel", 1, {work}}};
}

// Aligned to what the processor fetches at once: wider vectors would otherwise reach over two lines each.
std::shared_ptr<double> filled(int64_t n, double value) {
  constexpr size_t kLine = 64;
  const size_t bytes = (static_cast<size_t>(n) * sizeof(double) + kLine - 1) / kLine * kLine;
  std::shared_ptr<double> array(static_cast<double*>(std::aligned_alloc(kLine, bytes)), std::free);
  std::fill_n(array.get(), array != nullptr ? n : 0, value);
  return array;
}

// Every vector length of this processor, and the library's copy, which a compiler puts in the place of such a loop.
Answer<std::vector<Reference>> stream_reference(int64_t bytes) {
  const int64_t n = bytes / 8;
  const auto a = filled(n, 1.0), b = filled(n, 2.0), c = filled(n, 0.0);
  if (a == nullptr || b == nullptr || c == nullptr) {
    return Failure{kOurFault, fmt::format("no memory for three arrays of {} bytes", bytes)};
  }
  const auto units = [n](int per_element) { return static_cast<double>(per_element * n); };
  Reference copy{"Copy", units(16)}, scale{"Scale", units(16)}, add{"Add", units(24)}, triad{"Triad", units(24)};
  copy.ways.push_back(timed([=] { std::memcpy(c.get(), a.get(), static_cast<size_t>(n) * sizeof(double)); }));
  for (const bench::KernelTable* table : bench::kernels_here()) {
    copy.ways.push_back(timed([=] { table->copy(n, c.get(), a.get()); }));
    scale.ways.push_back(timed([=] { table->scale(n, 3.0, b.get(), c.get()); }));
    add.ways.push_back(timed([=] { table->add(n, c.get(), a.get(), b.get()); }));
    triad.ways.push_back(timed([=] { table->triad(n, 3.0, a.get(), b.get(), c.get()); }));
  }
  return std::vector<Reference>{copy, scale, add, triad};
}

Answer<std::vector<Reference>> peak_reference() {
  constexpr int64_t kRounds = 20000;
  const bench::KernelTable& table = *bench::kernels_here().front();
  const Work work = timed([&table] {
    float r = table.peak(kRounds);
    bench::keep(r);
  });
  return std::vector<Reference>{{"peak", static_cast<double>(kRounds * table.peak_flop_per_round), {work}}};
}

json to_json(const Sample& sample) { return {{"wall_ns", sample.wall_ns}, {"cpu_ns", sample.cpu_ns}}; }

// Of all processes that this one has waited for.
int64_t children_cpu_ns() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto ns = [](const timeval& time) { return time.tv_sec * 1'000'000'000LL + time.tv_usec * 1000LL; };
  return ns(used.ru_utime) + ns(used.ru_stime);
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

// In turn, as a student's program calls them: what one kernel leaves in the caches is where the next one begins.
Answer<Ok> measure(const std::vector<Reference>& references, json& result) {
  for (int call = 0; call < kCalls; ++call) {
    for (const Reference& reference : references) {
      HPML_TRY(Sample best, reference.ways.front()());
      for (size_t way = 1; way < reference.ways.size(); ++way) {
        HPML_TRY(const Sample sample, reference.ways[way]());
        best = sample.wall_ns < best.wall_ns ? sample : best;
      }
      result["samples"][reference.name].push_back(to_json(best));
      result["units"][reference.name] = reference.units;
    }
  }
  return Ok{};
}

Answer<std::vector<Reference>> references_of(const BesideOptions& options) {
  if (options.reference == "dot") {
    return dot_reference(options);
  }
  return options.reference == "stream" ? stream_reference(options.size) : peak_reference();
}

}  // namespace

int run_beside(const BesideOptions& options) {
  const Answer<std::vector<Reference>> references = references_of(options);
  if (!references.ok()) {
    return complain(references.error());
  }
  json result = {
      {"outputs", json::array()}, {"runs", json::array()}, {"samples", json::object()}, {"units", json::object()}};
  for (int round = 0; round < options.rounds; ++round) {
    if (const Answer<Ok> done = measure(*references, result); !done.ok()) {
      return complain(done.error());
    }
    bench::SystemClock clock;
    const int64_t wall = clock.wall_ns(), cpu = children_cpu_ns();
    result["outputs"].push_back(output_of(options.command));
    result["runs"].push_back(to_json({clock.wall_ns() - wall, children_cpu_ns() - cpu}));
  }
  fmt::print("{}\n", result.dump());
  return 0;
}

}  // namespace hpml::lab1
