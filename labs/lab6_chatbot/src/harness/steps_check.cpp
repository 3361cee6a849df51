// steps SEED PAIRS BATCH EPOCHS CLIP RATIO OPTIMIZER RESUME_AT: train() with a model whose gradients are simple, so that
// every update can be computed by hand. Its loss is a number that the order of the batches and the teacher's draws decide.
//   gradient of element i of parameter p = (i + 1) (value - c), c = 0.1 * ((sum of the batch's first question words + step) % 10),
//   half of it without a teacher; loss = that sum, tokens = batch size.
// RESUME_AT k > 0: stops after epoch k, then goes on from the checkpoint with a new model. All weights of the checkpoint are
// moved before: a training that starts anew, or goes on from its own memory, ends elsewhere. Prints epochs, losses; the dump
// holds the values of all parameters.
#include <algorithm>

#include "harness/check.hpp"
#include "harness/compute.hpp"

namespace {

constexpr float kMoved = 0.25F;

class SimpleModel : public lab6::Model {
 public:
  SimpleModel() {
    add("encoder.a", 5, lab6::Side::encoder);
    add("encoder.b", 3, lab6::Side::encoder);
    add("decoder.a", 4, lab6::Side::decoder);
    add("decoder.b", 2, lab6::Side::decoder);
    for (size_t i = 0; i < storage_.size(); i += 2) {
      parameters_.push_back({names_[i / 2], 1, static_cast<int>(storage_[i].size()), sides_[i / 2], storage_[i], storage_[i + 1]});
    }
  }
  std::span<const lab6::Parameter> parameters() const override { return parameters_; }
  lab6::Loss compute_gradients(const lab6::Batch& batch, bool teacher, int64_t step) override {
    int64_t sum = 0;
    for (int b = 0; b < batch.size; ++b) {
      sum += batch.question[static_cast<size_t>(b)];
    }
    const float c = 0.1F * static_cast<float>((sum + step) % 10);
    for (const lab6::Parameter& parameter : parameters_) {
      for (size_t i = 0; i < parameter.value.size(); ++i) {
        parameter.gradient[i] = (teacher ? 1.0F : 0.5F) * static_cast<float>(i + 1) * (parameter.value[i] - c);
      }
    }
    return {static_cast<double>(sum), batch.size};
  }

 private:
  void add(const char* name, size_t count, lab6::Side side) {
    names_.emplace_back(name);
    sides_.push_back(side);
    storage_.emplace_back(count, 1.0F);
    storage_.emplace_back(count, check::kStale);
  }
  std::vector<std::string> names_;
  std::vector<lab6::Side> sides_;
  std::vector<std::vector<float>> storage_;
  std::vector<lab6::Parameter> parameters_;
};

lab6::TrainingData data_of(int pairs) {
  lab6::TrainingData data;
  data.vocabulary.words = {"PAD", "SOS", "EOS"};
  for (int i = 0; i < pairs; ++i) {
    data.vocabulary.words.push_back("w" + std::to_string(i));
    data.training.push_back({{3 + i}, {3}});
  }
  data.held_out = {{{3}, {3}}};
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 9) {
    check::fail("usage: steps SEED PAIRS BATCH EPOCHS CLIP RATIO OPTIMIZER RESUME_AT");
  }
  lab6::Config config;
  config.lr = 0.1;
  config.decoder_learning_ratio = 2;
  config.seed = static_cast<uint64_t>(std::atoll(argv[1]));
  config.batch = std::atoi(argv[3]);
  config.epochs = std::atoi(argv[4]);
  config.clip = std::string_view(argv[5]) == "null" ? std::nullopt : std::optional(std::atof(argv[5]));
  config.teacher_forcing_ratio = std::atof(argv[6]);
  config.optimizer = std::string_view(argv[7]) == "adam" ? lab6::OptimizerKind::adam : lab6::OptimizerKind::sgd;
  const int stop_at = std::atoi(argv[8]);
  const lab6::TrainingData data = data_of(std::atoi(argv[2]));
  lab6::PoolCompute compute(1);
  const auto callbacks = [&](int last) {
    return lab6::Callbacks{[&](const auto& pairs) { return pairs == data.held_out ? 0.5 : -1; },
                           [last](const lab6::EpochResult& result) { return result.epoch != last; }};
  };
  auto model = std::make_unique<SimpleModel>();
  lab6::Checkpoint checkpoint = lab6::train(config, data, nullptr, *model, callbacks(stop_at), compute);
  if (stop_at > 0) {
    model = std::make_unique<SimpleModel>();
    for (lab6::Tensor& tensor : checkpoint.weights) {
      std::ranges::for_each(tensor.values, [](float& value) { value += kMoved; });
    }
    checkpoint = lab6::train(config, data, &checkpoint, *model, callbacks(0), compute);
  }
  for (const lab6::EpochResult& result : checkpoint.history) {
    std::printf("%d %.9g %.9g\n", result.epoch, result.loss, result.exact_match);
  }
  check::Results results;
  for (const lab6::Tensor& tensor : checkpoint.weights) {
    results.write(tensor.values);
  }
  return 0;
}
