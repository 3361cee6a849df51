// C1: the command line of `resnet train`.
#include <charconv>
#include <stdexcept>

#include "lab2.hpp"

namespace lab2 {

namespace {

[[noreturn]] void refuse(std::string_view word, const std::string& why) {
  throw std::invalid_argument(std::string(word) + ": " + why);
}

template <class T>
void number(std::string_view option, std::string_view text, T low, T high, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high)) {
    refuse(option, "expected a number from " + std::to_string(low) + " to " + std::to_string(high) + ", got '" +
                       std::string(text) + "'");
  }
}

void one_of(std::string_view option, std::string_view text, std::span<const std::string_view> known,
            std::string& value) {
  for (const std::string_view word : known) {
    if (word == text) {
      value = text;
      return;
    }
  }
  refuse(option, "unknown value '" + std::string(text) + "'");
}

constexpr std::string_view kModels[] = {"resnet18", "resnet8"}, kDevices[] = {"cpu"};
constexpr std::string_view kSimulated = "sim:";  // the program knows the GPUs
constexpr std::string_view kOptimizers[] = {"sgd", "nesterov", "adagrad", "adadelta", "adam"};

// False: there is no option of that name.
bool set_word(TrainOptions& o, std::string_view name, std::string_view text) {
  if (name == "--model") {
    one_of(name, text, kModels, o.model);
    return true;
  }
  if (name == "--optimizer") {
    one_of(name, text, kOptimizers, o.optimizer);
    return true;
  }
  if (name == "--device" && text.size() > kSimulated.size() && text.starts_with(kSimulated)) {
    o.device = text;
    return true;
  }
  if (name == "--device") {
    one_of(name, text, kDevices, o.device);
    return true;
  }
  if (name == "--data") {
    o.data = text;
    return true;
  }
  if (name == "--log") {
    o.log = text;
    return true;
  }
  if (name == "--trace") {
    o.trace = text;
    return true;
  }
  if (name == "--onnx") {
    o.onnx = text;
    return true;
  }
  return false;
}

bool set_number(TrainOptions& o, std::string_view name, std::string_view text) {
  if (name == "--width") {
    number(name, text, 1, 1024, o.width);
    return true;
  }
  if (name == "--epochs") {
    number(name, text, 1, 100000, o.epochs);
    return true;
  }
  if (name == "--batch") {
    number(name, text, 1, 4096, o.batch);
    return true;
  }
  if (name == "--workers") {
    number(name, text, 0, 64, o.workers);
    return true;
  }
  if (name == "--threads") {
    number(name, text, 1, 64, o.threads);
    return true;
  }
  if (name == "--io-latency-us") {
    number(name, text, 0, 1000000, o.io_latency_us);
    return true;
  }
  if (name == "--eval-every") {
    number(name, text, 1e-6, 1.0, o.eval_every);
    return true;
  }
  if (name == "--lr") {
    number(name, text, 0.0, 1e6, o.lr);
    return true;
  }
  if (name == "--momentum") {
    number(name, text, 0.0, 1.0, o.momentum);
    return true;
  }
  if (name == "--weight-decay") {
    number(name, text, 0.0, 1.0, o.weight_decay);
    return true;
  }
  if (name == "--seed") {
    number(name, text, uint64_t{0}, ~uint64_t{0}, o.seed);
    return true;
  }
  return false;
}

}  // namespace

TrainOptions parse(std::span<const std::string_view> words) {
  TrainOptions options;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--no-batch-norm") {
      options.batch_norm = false;
    } else if (words[i] == "--augment") {
      options.augment = true;
    } else if (i + 1 == words.size()) {
      refuse(words[i], "unknown option, or its value is missing");
    } else if (!set_word(options, words[i], words[i + 1]) && !set_number(options, words[i], words[i + 1])) {
      refuse(words[i], "unknown option");
    } else {
      ++i;
    }
  }
  if (options.data.empty()) {
    refuse("--data", "name the folder of the data set");
  }
  return options;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
