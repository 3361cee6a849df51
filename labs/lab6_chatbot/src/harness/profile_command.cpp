// chatbot profile and costs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/commands.hpp"
#include "harness/compute.hpp"
#include "harness/costs.hpp"
#include "harness/options.hpp"
#include "harness/recorder.hpp"
#include "harness/step.hpp"

namespace lab6 {

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw BadInput(path + ": cannot be written");
  }
  std::printf("Written: %s\n", path.c_str());
}

// An operator without multiplications has no rate.
std::string rate(const OperatorRow& row) {
  if (row.self_flops == 0 || row.self_ns <= 0) {
    return "-";
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", static_cast<double>(row.self_flops) / static_cast<double>(row.self_ns));
  return text;
}

std::string threads_of(int threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

// Bars are as long as the shares, the longest of them being that of the first row.
std::string page(const std::string& title, const std::vector<OperatorRow>& rows) {
  const double longest = rows.empty() || rows.front().share <= 0 ? 1 : rows.front().share;
  std::string text = "<!doctype html><meta charset=\"utf-8\"><title>" + title +
                     "</title><style>body{font:15px sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:right;white-space:nowrap}"
                     "td:first-child,td:nth-child(2),th:first-child,th:nth-child(2){text-align:left}"
                     "h1{font-size:1.3em}.bar{background:#4477aa;height:1em;display:inline-block}</style><h1>" +
                     title + "</h1><p>Self time: the time of an operator without the operators inside it. All rows together "
                     "are the whole step. GFLOP/s counts matrix products; an operator without products has none.</p><table>"
                     "<tr><th>operator<th>pass<th>calls<th>self ms<th>share<th><th>GFLOP/s</tr>\n";
  char line[512];
  for (const OperatorRow& row : rows) {
    std::snprintf(line, sizeof(line),
                  "<tr><td>%s<td>%s<td>%lld<td>%.3f<td>%.1f %%<td style=\"text-align:left\"><span class=\"bar\" "
                  "style=\"width:%.0fpx\"></span><td>%s</tr>\n",
                  row.name.c_str(), row.pass.c_str(), static_cast<long long>(row.calls), static_cast<double>(row.self_ns) / 1e6,
                  100 * row.share, 400 * row.share / longest, rate(row).c_str());
    text += line;
  }
  return text + "</table>\n";
}

double milliseconds(Step& step, Recorder* recorder) {
  const auto start = std::chrono::steady_clock::now();
  step.run(recorder);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The spans of the fastest of `count` steps: the one that other programs disturbed least.
std::vector<Event> fastest(Step& step, int count, PoolCompute& compute) {
  std::vector<Event> events;
  double least = 0;
  for (int i = 0; i < count; ++i) {
    Recorder recorder(compute);
    const double time = milliseconds(step, &recorder);
    if (i == 0 || time < least) {
      least = time;
      events = recorder.events();
    }
  }
  return events;
}

// The middle of the times of `count` steps, in ms.
double median_ms(Step& step, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    times.push_back(milliseconds(step, nullptr));
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[static_cast<size_t>(count / 2)];
}

}  // namespace

int profile_command(int argc, char** argv) {
  CLI::App app{"Profiles one training step: a table of its operators, a page and a Chrome trace.", "chatbot profile"};
  Config config;
  config.hidden = 256;
  int vocabulary = 7826, steps = kMaxTokens, threads = 1, repeat = 5;
  std::string out;
  app.add_option("--hidden", config.hidden)->check(CLI::Range(1, 2048))->capture_default_str();
  app.add_option("--vocabulary", vocabulary)->check(CLI::Range(4, 100000))->capture_default_str();
  app.add_option("--batch", config.batch)->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--steps", steps, "words of each side, EOS included")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--threads", threads)->check(CLI::Range(1, 256))->capture_default_str();
  app.add_option("--repeat", repeat, "steps: the fastest is shown, the median time is printed")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--out", out, "folder for profile.html and profile.trace.json");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  PoolCompute compute(threads);
  Step step(vocabulary, config, steps, compute);
  step.run(nullptr);
  const std::vector<Event> events = fastest(step, repeat, compute);
  const std::vector<OperatorRow> rows = top_operators(events);
  std::printf("%-18s %-9s %5s %10s %7s %9s\n", "operator", "pass", "calls", "self ms", "share", "GFLOP/s");
  for (const OperatorRow& row : rows) {
    std::printf("%-18s %-9s %5lld %10.3f %6.1f%% %9s\n", row.name.c_str(), row.pass.c_str(), static_cast<long long>(row.calls),
                static_cast<double>(row.self_ns) / 1e6, 100 * row.share, rate(row).c_str());
  }
  std::printf("step: median of %d is %.2f ms with %s\n", repeat, median_ms(step, repeat), threads_of(threads).c_str());
  if (!out.empty()) {
    std::error_code error;
    std::filesystem::create_directories(out, error);
    const std::string title = "One training step, H = " + std::to_string(config.hidden) + ", V = " + std::to_string(vocabulary) +
                              ", batch " + std::to_string(config.batch) + ", " + threads_of(threads);
    write(out + "/profile.html", page(title, rows));
    write(out + "/profile.trace.json", chrome_trace(events));
  }
  return 0;
}

int costs_command(int argc, char** argv) {
  CLI::App app{"Parameters and forward multiplications of a network.", "chatbot costs"};
  CostShape shape;
  app.add_option("--vocabulary", shape.vocabulary)->capture_default_str();
  app.add_option("--hidden", shape.hidden)->capture_default_str();
  app.add_option("--batch", shape.batch)->capture_default_str();
  app.add_option("--question-steps", shape.question_steps)->capture_default_str();
  app.add_option("--answer-steps", shape.answer_steps)->capture_default_str();
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  std::printf("%-10s %14s %18s\n", "part", "parameters", "forward MAC");
  for (const CostRow& row : cost_table(shape)) {
    std::printf("%-10s %14lld %18lld\n", row.part.c_str(), static_cast<long long>(row.parameters), static_cast<long long>(row.macs));
  }
  return 0;
}

}  // namespace lab6
