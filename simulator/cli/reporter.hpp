#pragma once
// simulator/report: the Python program that turns metrics.json into text, charts and pages.
#include <string>
#include <vector>

namespace hpml::sim::cli {

// Becomes the reporter; comes back only when it cannot be started, with an exit code.
int become_reporter(const std::vector<std::string>& arguments);

// Runs the reporter and waits for it; its exit code.
int run_reporter(const std::vector<std::string>& arguments);

}  // namespace hpml::sim::cli
