// trainer CORPUS_SEED SEED EPOCHS RESUME_AT THREADS: trains on the synthetic corpus of that seed; the dump is the
// checkpoint. RESUME_AT k > 0: a process of its own trains k epochs and ends; this one goes on from its file.
//
// The answers of the held-out pairs are exchanged before train() sees them: whoever trains on them learns wrong answers,
// and the judge asks for the right ones.
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "harness/check.hpp"
#include "harness/checkpoint.hpp"
#include "harness/synthetic.hpp"
#include "harness/training.hpp"

namespace {

lab6::TrainingData data_of(uint64_t corpus_seed) {
  lab6::TrainingData data = lab6::split_data(lab6::synthetic_pairs(corpus_seed));
  if (!data.held_out.empty()) {
    const std::vector<int32_t> first = data.held_out.front().answer;
    for (size_t i = 0; i + 1 < data.held_out.size(); ++i) {
      data.held_out[i].answer = data.held_out[i + 1].answer;
    }
    data.held_out.back().answer = first;
  }
  return data;
}

lab6::Checkpoint train_until(const lab6::Config& config, const lab6::TrainingData& data, int threads, int last,
                             const lab6::Checkpoint* resume) {
  return lab6::run_training(
      config, data, threads, [last](const lab6::EpochResult& result) { return result.epoch != last; }, resume);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    check::fail("usage: trainer CORPUS_SEED SEED EPOCHS RESUME_AT THREADS");
  }
  lab6::Config config;
  config.seed = std::strtoull(argv[2], nullptr, 10);
  config.epochs = std::atoi(argv[3]);
  const int stop_at = std::atoi(argv[4]), threads = std::atoi(argv[5]);
  const lab6::TrainingData data = data_of(std::strtoull(argv[1], nullptr, 10));
  lab6::Checkpoint first;
  if (stop_at > 0) {
    const std::string path = (std::filesystem::temp_directory_path() / ("lab6-" + std::to_string(getpid()))).string();
    const pid_t child = fork();
    if (child == 0) {
      lab6::write_checkpoint(train_until(config, data, threads, stop_at, nullptr), path);
      _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      check::fail("the process that trains first did not end well");
    }
    first = lab6::read_checkpoint(path);
    std::filesystem::remove(path);
  }
  check::Results results;
  results.write_bytes(lab6::to_bytes(train_until(config, data, threads, 0, stop_at > 0 ? &first : nullptr)));
  return 0;
}
