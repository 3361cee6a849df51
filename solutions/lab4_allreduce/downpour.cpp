// Exercise E10: asynchronous training with a parameter server.
#include <algorithm>
#include <cmath>

#include "training.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

constexpr int kServer = 0, kCount = static_cast<int>(kWeightCount);

// Learning rates of a push.
class Rule {
 public:
  explicit Rule(const SgdConfig& config) : config_(config) {}

  void apply(std::span<float> weights, std::span<const float> gradient, std::span<const float> pulled, int staleness) {
    staleness_sum_ += staleness;
    ++pushes_;
    float rate = config_.learning_rate;
    if (config_.remedy == Remedy::mean_staleness) {
      rate /= std::max(1.0f, static_cast<float>(staleness_sum_) / static_cast<float>(pushes_));
    } else if (config_.remedy == Remedy::step_bound) {
      double distance = 0;
      for (std::size_t i = 0; i < kWeightCount; ++i) {
        distance += static_cast<double>(weights[i] - pulled[i]) * (weights[i] - pulled[i]);
      }
      rate = distance > 0 ? std::min(rate, static_cast<float>(config_.bound / distance)) : rate;
    }
    for (std::size_t i = 0; i < kWeightCount; ++i) {
      squares_[i] += gradient[i] * gradient[i];
      const float divisor = config_.remedy == Remedy::adagrad ? std::sqrt(1e-8f + squares_[i]) : 1.0f;
      weights[i] -= rate / divisor * gradient[i];
    }
  }

 private:
  const SgdConfig& config_;
  std::vector<float> squares_ = std::vector<float>(kWeightCount);
  long staleness_sum_ = 0, pushes_ = 0;
};

TrainStats serve(Model& model, const SgdConfig& config, int ranks, MPI_Comm c) {
  TrainStats stats;
  Rule rule(config);
  std::vector<float> gradient(kWeightCount);
  const std::span<float> weights = model.weights();
  std::vector<int> pulled_version(ranks);
  std::vector<std::vector<float>> pulled(ranks, std::vector<float>(weights.begin(), weights.end()));
  int granted = ranks - 1;  // gradients that workers have been asked for: each has one to begin with
  for (int version = 0; version < config.steps; ++version) {
    MPI_Status status;
    MPI_Recv(gradient.data(), kCount, MPI_FLOAT, MPI_ANY_SOURCE, kPush, c, &status);
    const int worker = status.MPI_SOURCE;
    const int staleness = version - pulled_version[worker];
    stats.pushes.push_back({worker, staleness});
    rule.apply(weights, gradient, pulled[worker], staleness);
    if (granted == config.steps) {
      MPI_Send(nullptr, 0, MPI_FLOAT, worker, kStop, c);
      continue;
    }
    ++granted;
    pulled_version[worker] = version + 1;
    std::copy(weights.begin(), weights.end(), pulled[worker].begin());
    MPI_Send(weights.data(), kCount, MPI_FLOAT, worker, kWeights, c);
  }
  return stats;
}

void work(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c) {
  std::vector<float> gradient(kWeightCount);
  const auto batch = static_cast<std::size_t>(config.batch);
  MPI_Status status;
  status.MPI_TAG = kWeights;
  for (std::size_t first = 0; status.MPI_TAG == kWeights; first += batch) {
    model.batch_gradient(shard, first, batch, gradient);
    compute(config.compute_s);
    MPI_Send(gradient.data(), kCount, MPI_FLOAT, kServer, kPush, c);
    MPI_Recv(model.weights().data(), kCount, MPI_FLOAT, kServer, MPI_ANY_TAG, c, &status);
  }
}

}  // namespace
// END STUDENT HELPERS

TrainStats train_downpour(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c) {
  // BEGIN STUDENT
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  if (rank == kServer) {
    return serve(model, config, ranks, c);
  }
  work(model, shard, config, c);
  return {};
  // END STUDENT
}

}  // namespace hpml
