// chatbot sweep FILE: reads a sweep file, trains every run, writes runs.jsonl, runs.csv and sweep.json.
#include "harness/sweep_command.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "harness/executor.hpp"
#include "harness/options.hpp"
#include "harness/sweep_json.hpp"
#include "harness/training.hpp"

namespace lab6 {

namespace {

volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw BadInput(path + ": cannot be read");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

sweep::Sweep read_sweep(const std::string& path) {
  try {
    return sweep::parse_sweep(contents(path));
  } catch (const sweep::SweepError& error) {
    throw BadInput(path + ":" + std::to_string(error.line) + ": " + error.what());
  }
}

double real(const std::string& name, const sweep::Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  if (const auto* number = std::get_if<double>(&value)) {
    return *number;
  }
  throw BadInput("parameter '" + name + "' must be a number, not " + sweep::json_of(value).dump());
}

int whole(const std::string& name, const sweep::Value& value) {
  const double number = real(name, value);
  if (number < 1 || number > 1e6 || number != static_cast<int>(number)) {
    throw BadInput("parameter '" + name + "' must be an integer above 0, not " + sweep::json_of(value).dump());
  }
  return static_cast<int>(number);
}

// What a run trains with. Parameters that no training knows are refused: they would change nothing.
Config config_of(const sweep::Config& chosen) {
  Config config;
  for (const auto& [name, value] : chosen) {
    if (name == "lr") {
      config.lr = real(name, value);
    } else if (name == "decoder_learning_ratio") {
      config.decoder_learning_ratio = real(name, value);
    } else if (name == "teacher_forcing_ratio") {
      config.teacher_forcing_ratio = real(name, value);
    } else if (name == "clip") {
      config.clip = std::holds_alternative<std::monostate>(value) ? std::nullopt : std::optional(real(name, value));
    } else if (name == "optimizer") {
      const auto* word = std::get_if<std::string>(&value);
      if (word == nullptr || (*word != "adam" && *word != "sgd")) {
        throw BadInput("parameter 'optimizer' must be adam or sgd, not " + sweep::json_of(value).dump());
      }
      config.optimizer = *word == "adam" ? OptimizerKind::adam : OptimizerKind::sgd;
    } else if (name == "dropout") {
      config.dropout = real(name, value);
      if (!(config.dropout >= 0 && config.dropout < 1)) {
        throw BadInput("parameter 'dropout' must be at least 0 and less than 1, not " + sweep::json_of(value).dump());
      }
    } else if (name == "hidden") {
      config.hidden = whole(name, value);
    } else if (name == "batch") {
      config.batch = whole(name, value);
    } else if (name == "epochs") {
      config.epochs = whole(name, value);
    } else if (name == "seed") {
      config.seed = static_cast<uint64_t>(whole(name, value));
    } else {
      throw BadInput(
          "training has no parameter '" + name +
          "': lr, decoder_learning_ratio, teacher_forcing_ratio, clip, dropout, optimizer, hidden, batch, epochs, seed");
    }
  }
  return config;
}

std::string clock_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  return text;
}

// One line per ended run; on a terminal it begins with the state of the whole sweep.
void show(const sweep::Progress& progress, const sweep::Metric& metric) {
  const auto score = sweep::score_of(metric, *progress.last);
  std::printf("[%3lld/%lld] run %3lld %-8s %2zu epochs", static_cast<long long>(progress.done),
              static_cast<long long>(progress.total), static_cast<long long>(progress.last->index),
              progress.last->state.c_str(), progress.last->history.size());
  score ? std::printf("  %s %8.4f", metric.name.c_str(), *score) : std::printf("  %s        -", metric.name.c_str());
  if (progress.best != nullptr) {
    std::printf("  best so far: run %lld, %.4f", static_cast<long long>(progress.best->index),
                *sweep::score_of(metric, *progress.best));
  }
  std::printf("  %s gone, about %s left\n", clock_text(progress.seconds).c_str(),
              clock_text(progress.seconds_left).c_str());
  std::fflush(stdout);
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    throw BadInput(path + ": cannot be written");
  }
}

void print_importance(const sweep::Metric& metric, std::span<const sweep::RunRecord> runs, nlohmann::json& summary) {
  std::printf("\n%-24s %-12s %10s %6s\n", "parameter", "measure", "importance", "runs");
  summary["importance"] = nlohmann::json::array();
  for (const sweep::Importance& row : sweep::importance(metric, runs)) {
    std::printf("%-24s %-12s %10.3f %6lld\n", row.parameter.c_str(), row.measure.c_str(), row.value,
                static_cast<long long>(row.runs));
    summary["importance"].push_back(
        {{"parameter", row.parameter}, {"measure", row.measure}, {"value", row.value}, {"runs", row.runs}});
  }
}

void print_result(const sweep::Sweep& swept, const sweep::Metric& metric, std::span<const sweep::RunRecord> runs,
                  const std::string& stem) {
  nlohmann::json summary = {{"metric", metric.name},
                            {"goal", metric.goal == sweep::Goal::maximize ? "maximize" : "minimize"},
                            {"method", swept.method},
                            {"name", swept.texts.contains("name") ? swept.texts.at("name") : "sweep"},
                            {"best", nullptr}};
  print_importance(metric, runs, summary);
  if (const auto best = sweep::best_run(metric, runs)) {
    const sweep::RunRecord& run = runs[*best];
    summary["best"] = run.index;
    std::printf("\nbest run: %lld, %s %.4f: %s\n", static_cast<long long>(run.index), metric.name.c_str(),
                *sweep::score_of(metric, run), sweep::json_of(run.config).dump().c_str());
  }
  write_file(stem + ".csv", sweep::csv_of(swept, runs));
  write_file(stem + ".summary.json", summary.dump(1) + "\n");
}

sweep::TrainRun trainer(const TrainingData& data, const sweep::Metric& metric) {
  const bool exact = metric.name == "exact_match";
  return [&data, exact](const sweep::Config& chosen, const sweep::OnEpoch& on_epoch) {
    (void)run_training(config_of(chosen), data, 1, [&](const EpochResult& epoch) {
      return on_epoch(exact ? epoch.exact_match : epoch.loss,
                      {{"loss", epoch.loss}, {"exact_match", epoch.exact_match}});
    });
  };
}

}  // namespace

int sweep_command(int argc, char** argv) {
  CLI::App app{"Runs a sweep file of Weights & Biases on this machine. Runs that the log holds are not repeated.",
               "chatbot sweep"};
  std::string path, folder, out = "runs.jsonl";
  int jobs = 2;
  uint64_t seed = 1;
  bool dry = false;
  app.add_option("file", path, "sweep file")->required();
  app.add_option("--data", folder, "folder with an utterances.jsonl");
  app.add_option("--jobs", jobs, "runs at a time")->check(CLI::Range(1, 256));
  app.add_option("--seed", seed, "of random and bayes");
  app.add_option("--out", out, "log of finished runs, .jsonl; a .csv and a .summary.json are written beside it");
  app.add_flag("--dry-run", dry, "print the configurations and train nothing");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  sweep::SweepJob job;
  job.sweep = read_sweep(path);
  job.seed = seed, job.jobs = jobs, job.log = out;
  const sweep::Metric metric = job.sweep.metric.value_or(sweep::Metric{"loss", sweep::Goal::minimize, {}});
  if (metric.name != "loss" && metric.name != "exact_match") {
    throw BadInput(path + ": training reports the metrics loss and exact_match, not '" + metric.name + "'");
  }
  const int64_t total = sweep::runs_of(job.sweep);
  for (int64_t run = 0; run < (job.sweep.method == "bayes" ? 1 : total); ++run) {
    const sweep::Config chosen = sweep::config_at(job, run, {});
    (void)config_of(chosen);
    if (dry) {
      std::printf("%lld %s\n", static_cast<long long>(run), sweep::json_of(chosen).dump().c_str());
    }
  }
  if (dry) {
    return 0;
  }
  if (folder.empty()) {
    throw BadInput("--data is missing: a folder with an utterances.jsonl (`chatbot data` makes one)");
  }
  const TrainingData data = load_data(folder);
  job.train = trainer(data, metric);
  job.on_progress = [&](const sweep::Progress& progress) { show(progress, metric); };
  job.interrupted = [] { return interrupted != 0; };
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  try {
    const auto runs = sweep::run_sweep(job);
    if (static_cast<int64_t>(runs.size()) < total) {
      std::printf(
          "\nstopped after %zu of %lld runs. The same command goes on with the others: %s holds the finished ones.\n",
          runs.size(), static_cast<long long>(total), out.c_str());
      return 1;
    }
    print_result(job.sweep, metric, runs, out.ends_with(".jsonl") ? out.substr(0, out.size() - 6) : out);
  } catch (const std::runtime_error& error) {
    throw BadInput(error.what());
  }
  return 0;
}

}  // namespace lab6
