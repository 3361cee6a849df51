// hyperband: of each table in LAB6_TABLES (a list of {rule, goal, runs: [{history, running}]}), a line of JSON: bands,
// the threshold of each band that a history can reach (null is infinity), and which runs are stopped.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/sweep_json.hpp"

int main() {
  using namespace lab6::sweep;
  using nlohmann::json;
  for (const json& table : json_from_environment("LAB6_TABLES")) {
    const EarlyTerminate rule = early_terminate_of(table.at("rule"));
    const Goal goal = table.at("goal") == "maximize" ? Goal::maximize : Goal::minimize;
    std::vector<History> runs;
    size_t longest = 0;
    for (const json& run : table.at("runs")) {
      runs.push_back({numbers_of(run.at("history")), run.at("running").get<bool>()});
      longest = std::max(longest, runs.back().values.size());
    }
    std::vector<int64_t> near;
    json thresholds = json::array(), stop = json::array();
    for (const int64_t band : bands(rule)) {
      near.push_back(band);
      if (band > static_cast<int64_t>(longest)) {
        break;
      }
      const double threshold = threshold_at(rule, goal, runs, band);
      thresholds.push_back(std::isfinite(threshold) ? json(threshold) : json(nullptr));
    }
    for (const bool one : stop_runs(rule, goal, runs)) {
      stop.push_back(one);
    }
    std::printf("%s\n", json{{"bands", near}, {"thresholds", thresholds}, {"stop", stop}}.dump().c_str());
  }
  return 0;
}
