#include "common/worker/beside.hpp"

#include "common/bench/clock.hpp"

namespace hpml::worker {
namespace {

using nlohmann::json;

constexpr int kCalls = 5;  // of each reference before each run; the fastest of all counts

json to_json(const Times& times) { return {{"wall_ns", times.wall_ns}, {"cpu_ns", times.cpu_ns}}; }

// In turn, as a student's program calls them: what one kernel leaves in the caches is where the next one begins.
Answer<Ok> measure(const std::vector<Reference>& references, json& result) {
  for (int call = 0; call < kCalls; ++call) {
    for (const Reference& reference : references) {
      HPML_TRY(Times best, reference.ways.front()());
      for (size_t way = 1; way < reference.ways.size(); ++way) {
        HPML_TRY(const Times times, reference.ways[way]());
        best = times.wall_ns < best.wall_ns ? times : best;
      }
      result["samples"][reference.name].push_back(to_json(best));
      result["units"][reference.name] = reference.units;
    }
  }
  return Ok{};
}

}  // namespace

Work timed(const std::function<void()>& work) {
  return [work]() -> Answer<Times> {
    bench::SystemClock clock;
    const int64_t wall = clock.wall_ns(), cpu = clock.cpu_ns();
    work();
    const int64_t cpu_spent = clock.cpu_ns() - cpu;
    return Times{clock.wall_ns() - wall, cpu_spent};
  };
}

Answer<json> beside(const std::vector<Reference>& references, const std::vector<std::string>& command, int rounds) {
  json result = {
      {"outputs", json::array()}, {"runs", json::array()}, {"samples", json::object()}, {"units", json::object()}};
  for (int round = 0; round < rounds; ++round) {
    HPML_TRY_VOID(measure(references, result));
    const ProgramRun run = run_program(command);
    result["outputs"].push_back(run.output);
    result["runs"].push_back(to_json(run.times));
  }
  return result;
}

}  // namespace hpml::worker
