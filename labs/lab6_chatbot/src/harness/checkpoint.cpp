#include "harness/checkpoint.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace lab6 {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "hpml-chatbot/v1\n", kMean = "mean:", kSquare = "square:";
constexpr int64_t kMostValues = int64_t{1} << 30;

Json to_json(const Config& config) {
  return {{"lr", config.lr},
          {"decoder_learning_ratio", config.decoder_learning_ratio},
          {"clip", config.clip ? Json(*config.clip) : Json(nullptr)},
          {"optimizer", config.optimizer == OptimizerKind::adam ? "adam" : "sgd"},
          {"teacher_forcing_ratio", config.teacher_forcing_ratio},
          {"dropout", config.dropout},
          {"hidden", config.hidden},
          {"batch", config.batch},
          {"epochs", config.epochs},
          {"seed", config.seed}};
}

Config config_from(const Json& json) {
  Config config;
  config.lr = json.at("lr").get<double>();
  config.decoder_learning_ratio = json.at("decoder_learning_ratio").get<double>();
  config.clip = json.at("clip").is_null() ? std::nullopt : std::optional(json.at("clip").get<double>());
  config.optimizer = json.at("optimizer") == "adam" ? OptimizerKind::adam : OptimizerKind::sgd;
  config.teacher_forcing_ratio = json.at("teacher_forcing_ratio").get<double>();
  config.dropout = json.at("dropout").get<double>();
  config.hidden = json.at("hidden").get<int>();
  config.batch = json.at("batch").get<int>();
  config.epochs = json.at("epochs").get<int>();
  config.seed = json.at("seed").get<uint64_t>();
  return config;
}

void describe(const std::vector<Tensor>& tensors, std::string_view prefix, Json& list) {
  for (const Tensor& tensor : tensors) {
    list.push_back({{"name", std::string(prefix) + tensor.name}, {"rows", tensor.rows}, {"columns", tensor.columns}});
  }
}

// Where a tensor of this name belongs; its prefix is taken off.
std::vector<Tensor>& place_of(std::string& name, Checkpoint& checkpoint) {
  if (name.starts_with(kMean)) {
    name.erase(0, kMean.size());
    return checkpoint.means;
  }
  if (name.starts_with(kSquare)) {
    name.erase(0, kSquare.size());
    return checkpoint.squares;
  }
  return checkpoint.weights;
}

Checkpoint parse(const std::string& bytes) {
  const size_t end = bytes.find('\n', kMagic.size());
  if (!bytes.starts_with(kMagic) || end == std::string::npos) {
    throw std::runtime_error("its first line is not hpml-chatbot/v1");
  }
  const Json json = Json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(kMagic.size()),
                                bytes.begin() + static_cast<std::ptrdiff_t>(end));
  Checkpoint checkpoint;
  checkpoint.config = config_from(json.at("config"));
  checkpoint.words = json.at("words").get<std::vector<std::string>>();
  checkpoint.steps = json.at("steps").get<int64_t>();
  for (const Json& epoch : json.at("history")) {
    checkpoint.history.push_back(
        {epoch.at("epoch").get<int>(), epoch.at("loss").get<double>(), epoch.at("exact_match").get<double>()});
  }
  size_t at = end + 1;
  for (const Json& entry : json.at("tensors")) {
    Tensor tensor{entry.at("name").get<std::string>(), entry.at("rows").get<int>(), entry.at("columns").get<int>(), {}};
    const int64_t count = int64_t{tensor.rows} * tensor.columns;
    if (tensor.rows < 0 || tensor.columns < 0 || count > kMostValues ||
        bytes.size() - at < static_cast<size_t>(count) * sizeof(float)) {
      throw std::runtime_error("it ends inside tensor " + tensor.name);
    }
    tensor.values.resize(static_cast<size_t>(count));
    std::memcpy(tensor.values.data(), bytes.data() + at, tensor.values.size() * sizeof(float));
    at += tensor.values.size() * sizeof(float);
    std::vector<Tensor>& place = place_of(tensor.name, checkpoint);
    place.push_back(std::move(tensor));
  }
  if (at != bytes.size()) {
    throw std::runtime_error("there are bytes behind its last tensor");
  }
  return checkpoint;
}

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  Json history = Json::array(), tensors = Json::array();
  for (const EpochResult& result : checkpoint.history) {
    history.push_back({{"epoch", result.epoch}, {"loss", result.loss}, {"exact_match", result.exact_match}});
  }
  describe(checkpoint.weights, "", tensors);
  describe(checkpoint.means, kMean, tensors);
  describe(checkpoint.squares, kSquare, tensors);
  const Json header = {{"config", to_json(checkpoint.config)}, {"words", checkpoint.words}, {"steps", checkpoint.steps},
                       {"history", history},                   {"tensors", tensors}};
  std::string bytes = std::string(kMagic) + header.dump() + "\n";
  for (const std::vector<Tensor>* tensors_of : {&checkpoint.weights, &checkpoint.means, &checkpoint.squares}) {
    for (const Tensor& tensor : *tensors_of) {
      bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
    }
  }
  return bytes;
}

Checkpoint checkpoint_from_bytes(const std::string& bytes, const std::string& name) {
  try {
    return parse(bytes);
  } catch (const std::exception& error) {  // the parser's and ours
    throw BadInput(name + ": no checkpoint of this chatbot: " + error.what());
  }
}

void write_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  const std::string bytes = to_bytes(checkpoint), unfinished = path + ".unfinished";
  std::ofstream file(unfinished, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) {
    std::filesystem::rename(unfinished, path, error);
  }
  if (!file || error) {
    throw BadInput(path + ": cannot be written; is the folder there, and is the disk full?");
  }
}

Checkpoint read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    throw BadInput(path + ": cannot be read; `make lab6 train` writes a checkpoint");
  }
  return checkpoint_from_bytes(bytes.str(), path);
}

}  // namespace lab6
