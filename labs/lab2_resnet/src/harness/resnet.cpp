// resnet train OPTION...: trains a network that is made of your files. One line of JSON per step and per epoch, on
// stdout or in the file that --log names.
// resnet data FOLDER [SEED TRAIN TEST]: makes the synthetic data set.
// resnet costs | paleo | tta | devices: commands.hpp.
// `--data synthetic:TRAIN:TEST` trains on the synthetic set without files.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <stdexcept>

#include "common/nn/data/synthetic.hpp"
#include "common/nn/thread_pool.hpp"
#include "harness/check.hpp"
#include "harness/commands.hpp"
#include "harness/export.hpp"
#include "harness/network.hpp"
#include "harness/portion.hpp"
#include "harness/simulated.hpp"

namespace {

constexpr int kTestBatch = 100;

// A file by its name; "" and "-" are stdout.
class Output {
 public:
  explicit Output(const std::string& path)
      : file_(path.empty() || path == "-" ? stdout : std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) {
      throw std::runtime_error(path + ": cannot be written");
    }
  }
  ~Output() {
    if (file_ != stdout) {
      std::fclose(file_);
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  std::FILE* file() const { return file_; }

 private:
  std::FILE* file_;
};

class JsonLog : public lab2::StepLog {
 public:
  explicit JsonLog(const std::string& path) : output_(path), file_(output_.file()) {}
  void step(int epoch, int step, int64_t samples, double loss, double top1) override {
    std::fprintf(file_, "{\"epoch\": %d, \"step\": %d, \"samples\": %" PRId64 ", \"loss\": %.9g, \"top1\": %.6f}\n",
                 epoch, first_step_ + step, samples, loss, top1);
  }
  // Steps are counted from here on: a portion of an epoch counts its own from 0.
  void first_step(int step) { first_step_ = step; }
  // In the middle of an epoch, elapsed_s after its start.
  void evaluation(int epoch, double elapsed_s, double accuracy) {
    std::fprintf(file_, "{\"epoch\": %d, \"elapsed_s\": %.6f, \"val_top1\": %.6f}\n", epoch, elapsed_s, accuracy);
    std::fflush(file_);
  }
  void epoch(int epoch, const lab2::EpochTimes& t, double accuracy) {
    std::fprintf(file_,
                 "{\"epoch\": %d, \"load_s\": %.6f, \"train_s\": %.6f, \"total_s\": %.6f, \"loss\": %.9g, \"top1\": "
                 "%.6f, \"val_top1\": %.6f}\n",
                 epoch, t.load_s, t.train_s, t.total_s, t.loss, t.top1, accuracy);
    std::fflush(file_);
  }

 private:
  Output output_;
  std::FILE* file_;
  int first_step_ = 0;
};

lab2::Dataset synthetic(const std::string& words, bool test) {
  int train = 0, held_out = 0;
  if (std::sscanf(words.c_str(), "synthetic:%d:%d", &train, &held_out) != 2 || train < 1 || held_out < 1) {
    throw std::invalid_argument("--data " + words + ": expected a folder, or synthetic:TRAIN:TEST");
  }
  return {hpml::nn::synthetic_dataset({.seed = test ? 2U : 1U, .count = test ? held_out : train}).records};
}

lab2::Dataset data_of(const lab2::TrainOptions& o, bool test) {
  return o.data.starts_with("synthetic:") ? synthetic(o.data, test) : lab2::read_dataset(o.data, test);
}

void write_trace(const std::string& path, const lab2::Tracer& tracer) {
  const Output output(path);
  const std::string text = lab2::chrome_trace(tracer.events());
  std::fwrite(text.data(), 1, text.size(), output.file());
}

// An epoch in as many portions as --eval-every asks for, with an evaluation after each; the last one is the epoch's.
void train_and_evaluate(int epoch, double eval_every, lab2::Loader& loader, lab2::Loader& test, lab2::Model& model,
                        JsonLog& log) {
  portion::Loader portion(loader);
  const int batches = loader.batches_per_epoch();
  const int parts = static_cast<int>(std::clamp(std::round(1 / eval_every), 1.0, std::max(1.0, double(batches))));
  lab2::EpochTimes times;
  int64_t samples = 0;
  for (int part = 0, begin = 0; part < parts; ++part) {
    const int end = static_cast<int>(int64_t{batches} * (part + 1) / parts);
    portion.choose(begin, end);
    log.first_step(begin);
    const lab2::EpochTimes own = lab2::train_epoch(epoch, portion, model, log);
    times = portion::joined(times, samples, own, portion.samples());
    samples += portion.samples();
    const double accuracy = lab2::evaluate(test, model);
    if (end == batches) {
      log.epoch(epoch, times, accuracy);
    } else {
      log.evaluation(epoch, times.total_s, accuracy);
    }
    begin = end;
  }
}

void train(const lab2::TrainOptions& o) {
  const hpml::nn::FlushDenormals flush;  // a diverging network spends its time in them otherwise
  const bool computes = o.device == "cpu";
  if (!computes && !(o.onnx.empty() && o.trace.empty())) {
    throw std::invalid_argument("--device " + o.device + ": nothing is computed there, so --onnx and --trace need cpu");
  }
  const lab2::Dataset train_set = data_of(o, false), test_set = data_of(o, true);
  const auto tracer = o.trace.empty() ? nullptr : lab2::make_tracer();
  const auto own = computes ? network::make_model(o, tracer.get()) : nullptr;
  const auto simulated = computes ? nullptr : simulated::make_model(o);
  lab2::Model& model = computes ? static_cast<lab2::Model&>(*own) : *simulated;
  const auto loader = lab2::make_loader(train_set, {.batch = o.batch,
                                                    .workers = o.workers,
                                                    .prefetch = std::max(2, 2 * o.workers),
                                                    .seed = o.seed,
                                                    .augment = o.augment,
                                                    .io_latency_us = o.io_latency_us});
  const auto test =
      lab2::make_loader(test_set, {.batch = std::min(kTestBatch, o.batch), .workers = 0, .shuffle = false});
  JsonLog log(o.log);
  for (int epoch = 0; epoch < o.epochs; ++epoch) {
    train_and_evaluate(epoch, o.eval_every, *loader, *test, model, log);
  }
  if (tracer != nullptr) {
    write_trace(o.trace, *tracer);
  }
  if (!o.onnx.empty()) {
    exported::write_onnx(own->network(), o.onnx);
  }
}

int run(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "train") {
    const std::vector<std::string_view> words(argv + 2, argv + argc);
    train(lab2::parse(words));
    return 0;
  }
  constexpr std::pair<std::string_view, void (*)(commands::Words)> kCommands[] = {
      {"costs", commands::costs}, {"paleo", commands::paleo}, {"tta", commands::tta}, {"devices", commands::devices}};
  for (const auto& [name, command] : kCommands) {
    if (what == name) {
      const std::vector<std::string_view> words(argv + 2, argv + argc);
      command(words);
      return 0;
    }
  }
  if (what == "data" && (argc == 3 || argc == 6)) {
    const auto number = [&](int i, int otherwise) { return argc == 6 ? std::atoi(argv[i]) : otherwise; };
    const auto written =
        hpml::nn::write_synthetic(argv[2], static_cast<uint64_t>(number(3, 1)), number(4, 2000), number(5, 1000));
    if (!written.ok()) {
      throw std::runtime_error(written.error().to_string());
    }
    return 0;
  }
  throw std::invalid_argument(
      "usage: resnet train --data FOLDER OPTION... | data FOLDER [SEED TRAIN TEST] | costs GRAPH | "
      "paleo GRAPH GPU BATCH | tta THRESHOLD LOG... | devices");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "resnet: %s\n", error.what());
    return 2;
  }
}
