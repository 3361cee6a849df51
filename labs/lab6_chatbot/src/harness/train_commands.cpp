// chatbot data, train, evaluate.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "harness/checkpoint.hpp"
#include "harness/commands.hpp"
#include "harness/compute.hpp"
#include "harness/model.hpp"
#include "harness/options.hpp"
#include "harness/sentence.hpp"
#include "harness/synthetic.hpp"
#include "harness/training.hpp"

namespace lab6 {

namespace {

int threads_here() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 8); }

constexpr size_t kMostKinds = 40;  // of a table that somebody reads

}  // namespace

int data_command(int argc, char** argv) {
  CLI::App app{"Writes the synthetic corpus, FOLDER/utterances.jsonl.", "chatbot data"};
  std::string folder;
  uint64_t seed = 1;
  app.add_option("--out", folder, "folder; made if it is not there")->required();
  app.add_option("--seed", seed, "another seed gives other words and facts");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string path = folder + "/utterances.jsonl";
  std::ofstream file(path, std::ios::binary);
  const auto pairs = synthetic_pairs(seed);
  write_corpus(pairs, file);
  file.close();
  if (!file) {
    throw BadInput(path + ": cannot be written");
  }
  std::printf("%s: %zu pairs of question and answer\n", path.c_str(), pairs.size());
  return 0;
}

int train_command(int argc, char** argv) {
  CLI::App app{"Trains a chatbot and writes its checkpoint after the last epoch.", "chatbot train"};
  Config config;
  std::string folder, out, resume, clip = "50", optimizer = "adam";
  int threads = threads_here();
  app.add_option("--data", folder, "folder with an utterances.jsonl")->required();
  app.add_option("--out", out, "checkpoint to write")->required();
  app.add_option("--resume", resume, "checkpoint to go on from; only --epochs and --threads count beside it");
  app.add_option("--lr", config.lr, "learning rate of the encoder")->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--decoder-learning-ratio", config.decoder_learning_ratio, "the decoder's rate is lr times this")
      ->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--clip", clip, "largest gradient norm of a side, or null")->capture_default_str();
  app.add_option("--optimizer", optimizer)->check(CLI::IsMember({"adam", "sgd"}))->capture_default_str();
  app.add_option("--teacher-forcing-ratio", config.teacher_forcing_ratio)->check(CLI::Range(0.0, 1.0))->capture_default_str();
  app.add_option("--dropout", config.dropout, "share of values dropped in training")->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--hidden", config.hidden)->check(CLI::Range(1, 4096))->capture_default_str();
  app.add_option("--batch", config.batch)->check(CLI::Range(1, 4096))->capture_default_str();
  auto* epochs = app.add_option("--epochs", config.epochs)->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--seed", config.seed)->capture_default_str();
  app.add_option("--threads", threads, "does not change the result")->check(CLI::Range(1, 256))->capture_default_str();
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  config.optimizer = optimizer == "adam" ? OptimizerKind::adam : OptimizerKind::sgd;
  double limit = 0;
  if (clip != "null" && (!CLI::detail::lexical_cast(clip, limit) || !(limit >= 0))) {
    throw BadInput("--clip " + clip + ": expected a number that is not negative, or null");
  }
  config.clip = clip == "null" ? std::nullopt : std::optional(limit);
  const TrainingData data = load_data(folder);
  Checkpoint first;
  if (!resume.empty()) {
    first = read_checkpoint(resume);
    if (first.words != data.vocabulary.words) {
      throw BadInput(resume + ": its vocabulary is not that of " + folder);
    }
    const int wanted = config.epochs;
    config = first.config;
    config.epochs = epochs->count() > 0 ? wanted : config.epochs;
  }
  std::printf("%zu training pairs, %zu held out, %zu words; H = %d, %d threads\n", data.training.size(), data.held_out.size(),
              data.vocabulary.words.size(), config.hidden, threads);
  const auto start = std::chrono::steady_clock::now();
  const int before = static_cast<int>(first.history.size());
  const Checkpoint checkpoint = run_training(
      config, data, threads,
      [&](const EpochResult& result) {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double left = seconds / (result.epoch - before) * (config.epochs - result.epoch);
        std::printf("epoch %2d of %d   loss %.4f   exact match %.3f   %5.1f s, about %.0f s left\n", result.epoch, config.epochs,
                    result.loss, result.exact_match, seconds, left);
        std::fflush(stdout);
        return true;
      },
      resume.empty() ? nullptr : &first);
  write_checkpoint(checkpoint, out);
  std::printf("Written: %s\n", out.c_str());
  return 0;
}

int evaluate_command(int argc, char** argv) {
  CLI::App app{"Asks a trained chatbot all held-out questions.", "chatbot evaluate"};
  std::string folder, path;
  bool failures = false;
  app.add_option("--data", folder, "folder with an utterances.jsonl")->required();
  app.add_option("--checkpoint", path)->required();
  app.add_flag("--failures", failures, "print the questions that are not answered word for word");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const TrainingData data = load_data(folder);
  const Checkpoint checkpoint = read_checkpoint(path);
  const std::vector<std::string>& words = checkpoint.words;
  if (words != data.vocabulary.words) {
    throw BadInput(path + ": its vocabulary is not that of " + folder);
  }
  PoolCompute compute(threads_here());
  Chatbot model({.vocabulary = static_cast<int>(words.size()), .hidden = checkpoint.config.hidden, .batch = 64}, 1, compute);
  model.load(checkpoint.weights, path);
  std::vector<std::vector<int32_t>> questions;
  for (const TokenPair& pair : data.held_out) {
    questions.push_back(pair.question);
  }
  const auto answers = model.answer(questions);
  std::map<std::string, std::pair<int, int>> kinds;  // right, asked
  int right = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool good = answers[i] == data.held_out[i].answer;
    auto& kind = kinds[kind_of(questions[i], words)];
    kind.first += good;
    ++kind.second;
    right += good;
    if (!good && failures) {
      std::printf("%s -> %s, expected %s\n", sentence(questions[i], words).c_str(), sentence(answers[i], words).c_str(),
                  sentence(data.held_out[i].answer, words).c_str());
    }
  }
  if (kinds.size() > kMostKinds) {
    kinds.clear();  // a corpus of another kind
  }
  std::printf("right, asked    kind of question (* is an invented word)\n");
  for (const auto& [kind, result] : kinds) {
    std::printf("%4d of %4d    %s\n", result.first, result.second, kind.c_str());
  }
  std::printf("%4d of %4zu    all of them: exact match %.3f\n", right, answers.size(),
              answers.empty() ? 0.0 : static_cast<double>(right) / static_cast<double>(answers.size()));
  return 0;
}

}  // namespace lab6
