#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>

namespace hpml::lab2 {

Answer<TrainingOptions> training_options(Words words) {
  TrainingOptions o;
  const auto kind = [&](const std::string& name) {
    constexpr const char* kKinds[] = {"sgd", "nesterov", "adagrad", "adadelta", "adam"};
    const auto* const found = std::ranges::find(kKinds, name);
    o.optimizer.kind = static_cast<::lab2::OptimizerKind>(found - kKinds);
    return found != std::end(kKinds);
  };
  const std::map<std::string, std::function<bool(const std::string&)>> known = {
      {"--model", [](const std::string& value) { return value == "resnet8"; }},
      {"--width", [&](const std::string& value) { return (o.width = std::stoi(value)) > 0; }},
      {"--epochs", [&](const std::string& value) { return (o.epochs = std::stoi(value)) > 0; }},
      {"--batch", [&](const std::string& value) { return (o.batch = std::stoi(value)) > 0; }},
      {"--seed", [&](const std::string& value) { return (o.seed = std::stoull(value)) > 0; }},
      {"--optimizer", kind},
      {"--data", [&](const std::string& value) {
         return std::sscanf(value.c_str(), "synthetic:%d:%d", &o.train, &o.test) == 2 && o.train > 0 && o.test > 0;
       }}};
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--no-batch-norm") {
      o.batch_norm = false;
      continue;
    }
    if (words[i] == "--loader-images") {
      o.loader_images = true;
      continue;
    }
    const auto option = known.find(words[i]);
    if (option == known.end() || i + 1 == words.size() || !option->second(words[i + 1])) {
      return Failure{worker::kUsage, fmt::format("{}: no option of a training, or its value cannot be used", words[i])};
    }
    ++i;
  }
  if (o.train == 0) {
    return Failure{worker::kUsage, "--data synthetic:TRAIN:TEST is missing"};
  }
  return o;
}

}  // namespace hpml::lab2
