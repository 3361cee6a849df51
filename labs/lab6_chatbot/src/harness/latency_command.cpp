// chatbot latency: how long an answer and its parts take, before the export, from the files, and with packed weights.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/checkpoint.hpp"
#include "harness/compute.hpp"
#include "harness/export_commands.hpp"
#include "harness/graphs.hpp"
#include "harness/model.hpp"
#include "harness/options.hpp"
#include "harness/training.hpp"

namespace lab6 {

namespace {

using Questions = std::vector<std::vector<int32_t>>;

// A way to answer `questions`; every part of it can be called alone, any number of times, after load().
struct Way {
  std::function<void()> load, encoder, decoder_step, sentence;
};

Batch batch_of(const Questions& questions) {
  std::vector<TokenPair> pairs;
  for (const auto& question : questions) {
    pairs.push_back({question, {}});
  }
  std::vector<const TokenPair*> pointers;
  for (const TokenPair& pair : pairs) {
    pointers.push_back(&pair);
  }
  return make_batch(pointers);
}

Way eager(const Checkpoint& checkpoint, const Questions& questions) {
  struct State {
    Batch batch;
    PoolCompute compute{1};
    std::unique_ptr<Chatbot> model;
  };
  auto state = std::make_shared<State>(batch_of(questions));
  return {[&checkpoint, state] {
            const int words = static_cast<int>(checkpoint.words.size());
            state->model = std::make_unique<Chatbot>(
                ModelShape{.vocabulary = words, .hidden = checkpoint.config.hidden, .batch = state->batch.size}, 1, state->compute);
            state->model->load(checkpoint.weights, "checkpoint");
            state->model->encode(state->batch);
          },
          [state] { state->model->encode(state->batch); }, [state] { state->model->first_step(); },
          [state, &questions] { (void)state->model->answer(questions); }};
}

Way exported(const std::string& place, bool fuse, const Questions& questions) {
  struct State {
    std::unique_ptr<SessionRunner> encoder, decoder;
  };
  auto state = std::make_shared<State>();
  const Batch batch = batch_of(questions);
  const int64_t steps = batch.question_steps, size = batch.size;
  const auto encode = [state, batch, steps, size] {
    const std::vector<int64_t> tokens(batch.question.begin(), batch.question.end());
    state->encoder->set("tokens", {steps, size}, std::span<const int64_t>(tokens));
    state->encoder->set("lengths", {size}, std::span<const int32_t>(batch.lengths));
    state->encoder->run();
  };
  const auto step = [state, batch, steps, size] {
    std::vector<uint8_t> mask;
    for (int64_t i = 0; i < steps * size; ++i) {
      mask.push_back(i / size < batch.lengths[static_cast<size_t>(i % size)]);
    }
    const std::vector<int64_t> words(static_cast<size_t>(size), kStart);
    const auto outputs = state->encoder->get("outputs"), start = state->encoder->get("state");
    const int64_t hidden = static_cast<int64_t>(start.size()) / (2 * size);
    state->decoder->set("encoder_outputs", {steps, size, hidden}, outputs);
    state->decoder->set_mask("mask", {steps, size}, mask);
    state->decoder->set("tokens", {1, size}, std::span<const int64_t>(words));
    state->decoder->set("state", {2, size, hidden}, start);
    state->decoder->run();
  };
  return {[state, place, fuse, encode] {
            state->encoder = open_graph(place + "/encoder.onnx", fuse);
            state->decoder = open_graph(place + "/decoder.onnx", fuse);
            encode();
          },
          encode, step, [state, &questions] { (void)greedy_replies(*state->encoder, *state->decoder, questions); }};
}

void print_row(const std::string& name, const Way& way, size_t batch, int64_t samples) {
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  std::printf("%-18s %6zu %8lld", name.c_str(), batch, static_cast<long long>(samples));
  for (const auto& part : {way.encoder, way.decoder_step, way.sentence}) {
    const Latency found = measure_latency({way.load, part}, samples, 5, now);
    std::printf(" %10.3f %8.3f", 1e3 * found.median_s, 1e3 * found.p95_s);
    std::fflush(stdout);
  }
  std::printf("\n");
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int latency_command(int argc, char** argv) {
  CLI::App app{"Times of an answer and its parts: before the export, from the files, and with packed weights. Prints a table.",
               "chatbot latency"};
  std::string checkpoint_path, folder;
  int64_t samples = 200;
  app.add_option("--checkpoint", checkpoint_path, "of a trained chatbot")->required();
  app.add_option("--data", folder, "folder with an utterances.jsonl")->required();
  app.add_option("--samples", samples, "answers per row")->check(CLI::Range(1, 1000000))->capture_default_str();
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const Checkpoint checkpoint = read_checkpoint(checkpoint_path);
  const TrainingData data = load_data(folder);
  if (data.held_out.empty() || data.vocabulary.words != checkpoint.words) {
    throw BadInput(checkpoint_path + ": " + folder + " is not the corpus that it was trained on");
  }
  const auto place = std::filesystem::temp_directory_path() / ("chatbot_" + std::to_string(::getpid()));
  std::filesystem::create_directories(place);
  const ExportedFiles files = exported_files(checkpoint);
  write_file(place / "encoder.onnx", files.encoder);
  write_file(place / "decoder.onnx", files.decoder);
  std::printf("%-18s %6s %8s %19s %19s %19s\n", "median and p95, ms", "batch", "samples", "encoder", "decoder step", "sentence");
  for (const size_t batch : {size_t{1}, size_t{64}}) {
    Questions questions;
    for (size_t i = 0; i < batch; ++i) {
      questions.push_back(data.held_out[i % data.held_out.size()].question);
    }
    print_row("eager", eager(checkpoint, questions), batch, samples);
    print_row("exported", exported(place, false, questions), batch, samples);
    print_row("exported + fused", exported(place, true, questions), batch, samples);
  }
  std::filesystem::remove_all(place);
  return 0;
}

}  // namespace lab6
