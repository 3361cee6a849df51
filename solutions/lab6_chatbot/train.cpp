// T1: the optimizers, the loop over epochs, and what a checkpoint must hold.
#include <algorithm>
#include <cmath>

#include "lab6.hpp"

namespace lab6 {

namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// Scalars are computed in double and rounded once.
struct Adam {
  float beta1 = static_cast<float>(kBeta1), rest1 = static_cast<float>(1 - kBeta1);
  float beta2 = static_cast<float>(kBeta2), rest2 = static_cast<float>(1 - kBeta2);
  float rate, root, epsilon = static_cast<float>(kEpsilon);

  Adam(double lr, int64_t step)
      : rate(static_cast<float>(lr / (1 - std::pow(kBeta1, static_cast<double>(step))))),
        root(static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, static_cast<double>(step))))) {}

  // Elements begin .. end-1 of one parameter: value, gradient and both moments pass through the processor once.
  void update(const Parameter& parameter, Range range, std::vector<float>& means, std::vector<float>& squares) const {
    float* __restrict value = parameter.value.data();
    const float* __restrict gradient = parameter.gradient.data();
    float* __restrict mean = means.data();
    float* __restrict square = squares.data();
    for (int64_t i = range.begin; i < range.end; ++i) {
      const float g = gradient[i];
      mean[i] = beta1 * mean[i] + rest1 * g;
      square[i] = beta2 * square[i] + rest2 * g * g;
      value[i] -= rate * mean[i] / (std::sqrt(square[i]) * root + epsilon);
    }
  }
};

std::vector<Tensor> zeros_like(std::span<const Parameter> parameters) {
  std::vector<Tensor> tensors;
  for (const Parameter& parameter : parameters) {
    tensors.push_back(
        {parameter.name, parameter.rows, parameter.columns, std::vector<float>(parameter.value.size(), 0.0F)});
  }
  return tensors;
}

std::vector<std::span<float>> gradients_of(std::span<const Parameter> parameters, Side side) {
  std::vector<std::span<float>> found;
  for (const Parameter& parameter : parameters) {
    if (parameter.side == side) {
      found.push_back(parameter.gradient);
    }
  }
  return found;
}

class Training {
 public:
  Training(const Config& config, const TrainingData& data, Model& model, const Callbacks& callbacks, Compute& compute)
      : config_(config),
        data_(data),
        model_(model),
        callbacks_(callbacks),
        compute_(compute),
        encoder_(gradients_of(model.parameters(), Side::encoder)),
        decoder_(gradients_of(model.parameters(), Side::decoder)) {
    state_.config = config;
    state_.words = data.vocabulary.words;
    if (config.optimizer == OptimizerKind::adam) {
      state_.means = zeros_like(model.parameters());
      state_.squares = zeros_like(model.parameters());
    }
  }

  void resume(const Checkpoint& checkpoint) {
    state_.steps = checkpoint.steps;
    state_.history = checkpoint.history;
    state_.means = checkpoint.means;
    state_.squares = checkpoint.squares;
    const auto parameters = model_.parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      std::copy(checkpoint.weights[i].values.begin(), checkpoint.weights[i].values.end(), parameters[i].value.begin());
    }
  }

  Checkpoint run() {
    bool going_on = true;
    while (going_on && static_cast<int>(state_.history.size()) < config_.epochs) {
      const int epoch = static_cast<int>(state_.history.size()) + 1;
      const double loss = train_epoch(epoch);
      state_.history.push_back({epoch, loss, callbacks_.exact_match(data_.held_out)});
      going_on = callbacks_.on_epoch(state_.history.back());
    }
    state_.weights = zeros_like(model_.parameters());
    for (size_t i = 0; i < state_.weights.size(); ++i) {
      std::ranges::copy(model_.parameters()[i].value, state_.weights[i].values.begin());
    }
    return state_;
  }

 private:
  // Returns the mean loss of the epoch's tokens.
  double train_epoch(int epoch) {
    const std::vector<int> order = epoch_order(static_cast<int>(data_.training.size()), config_.seed, epoch);
    const auto size = static_cast<size_t>(config_.batch);
    std::vector<const TokenPair*> pairs(size);
    Loss total;
    for (size_t first = 0; first + size <= order.size(); first += size) {
      for (size_t i = 0; i < size; ++i) {
        pairs[i] = &data_.training[static_cast<size_t>(order[first + i])];
      }
      const bool teacher = use_teacher(config_.teacher_forcing_ratio, config_.seed, state_.steps);
      const Loss loss = model_.compute_gradients(make_batch(pairs), teacher, state_.steps);
      total.sum += loss.sum;
      total.tokens += loss.tokens;
      clip_gradients(encoder_, config_.clip);
      clip_gradients(decoder_, config_.clip);
      update(config_, ++state_.steps, model_.parameters(), state_.means, state_.squares, compute_);
    }
    return total.mean();
  }

  const Config& config_;
  const TrainingData& data_;
  Model& model_;
  const Callbacks& callbacks_;
  Compute& compute_;
  std::vector<std::span<float>> encoder_, decoder_;  // gradients
  Checkpoint state_;
};

}  // namespace

void update(const Config& config, int64_t step, std::span<const Parameter> parameters, std::span<Tensor> means,
            std::span<Tensor> squares, Compute& compute) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const double lr = config.lr * (parameter.side == Side::decoder ? config.decoder_learning_ratio : 1.0);
    const auto n = static_cast<int64_t>(parameter.value.size());
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(n, task, kTasks);
      if (config.optimizer == OptimizerKind::adam) {
        Adam(lr, step).update(parameter, range, means[i].values, squares[i].values);
        return;
      }
      for (int64_t at = range.begin; at < range.end; ++at) {
        parameter.value[static_cast<size_t>(at)] -=
            static_cast<float>(lr) * parameter.gradient[static_cast<size_t>(at)];
      }
    });
  }
}

Checkpoint train(const Config& config, const TrainingData& data, const Checkpoint* resume, Model& model,
                 const Callbacks& callbacks, Compute& compute) {
  Training training(config, data, model, callbacks, compute);
  if (resume != nullptr) {
    training.resume(*resume);
  }
  return training.run();
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
