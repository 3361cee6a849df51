// analysis tables: of each table in LAB6_TABLES (a list of {metric, runs}), a line of JSON: scores, best run,
// importance. analysis kill SEED N: a child process appends N records and is killed (SIGKILL) after the last; prints
// what the file holds. analysis torn SEED: appends to a file whose last line an earlier process left unfinished; prints
// what the file holds.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/sweep_json.hpp"

namespace {

using namespace lab6::sweep;
using nlohmann::json;

void print_tables() {
  for (const json& table : json_from_environment("LAB6_TABLES")) {
    const Metric metric = metric_of(table.at("metric"));
    std::vector<RunRecord> runs;
    json scores = json::array(), rows = json::array();
    for (const json& run : table.at("runs")) {
      runs.push_back(record_of(run));
      const auto score = score_of(metric, runs.back());
      scores.push_back(score ? json(*score) : json(nullptr));
    }
    for (const Importance& row : importance(metric, runs)) {
      rows.push_back({row.parameter, row.measure, row.value, row.runs});
    }
    const auto best = best_run(metric, runs);
    std::printf("%s\n",
                json{{"scores", scores}, {"best", best ? json(*best) : json(nullptr)}, {"rows", rows}}.dump().c_str());
  }
}

std::string scratch_file() {
  const auto path = std::filesystem::temp_directory_path() / ("lab6_log_" + std::to_string(::getpid()) + ".jsonl");
  std::filesystem::remove(path);
  return path.string();
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The bytes of the file and what the student's reader makes of them.
void print_file(const std::string& path) {
  std::printf("%s\n", json{{"file", contents(path)}, {"lines", read_lines(path)}}.dump().c_str());
  std::filesystem::remove(path);
}

// As judges/lab6_analysis.py has it.
std::string record_line(uint64_t seed, int run) {
  const auto seconds = static_cast<int>(1e6 * uniform_of(seed, static_cast<uint64_t>(run), 0));
  return "{\"run\":" + std::to_string(run) + ",\"seconds\":" + std::to_string(seconds) + "}";
}

int kill_test(uint64_t seed, int records) {
  const std::string path = scratch_file();
  const pid_t child = ::fork();
  if (child == 0) {
    for (int i = 0; i < records; ++i) {
      append_line(path, record_line(seed, i));
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (child < 0 || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
    std::fprintf(stderr, "append_line() ended the process that called it\n");
    return 1;
  }
  print_file(path);
  return 0;
}

void torn_test(uint64_t seed) {
  const std::string path = scratch_file();
  const std::string torn = record_line(seed, 2);
  std::ofstream(path) << record_line(seed, 0) << '\n'
                      << record_line(seed, 1) << '\n'
                      << torn.substr(0, torn.size() / 2);
  const auto before = read_lines(path);
  std::printf("%s\n", json{{"lines", before}}.dump().c_str());
  append_line(path, torn);
  print_file(path);
  std::printf("%s\n", json{{"lines", read_lines(path + ".missing")}}.dump().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (argc == 2 && std::strcmp(argv[1], "tables") == 0) {
    print_tables();
  } else if (argc == 4 && std::strcmp(argv[1], "kill") == 0) {
    return kill_test(seed, std::atoi(argv[3]));
  } else if (argc == 3 && std::strcmp(argv[1], "torn") == 0) {
    torn_test(seed);
  } else {
    std::fprintf(stderr, "usage: analysis tables | kill SEED N | torn SEED\n");
    return 2;
  }
  return 0;
}
