// Exercise E9: synchronous training, and gradients in fewer bytes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "allreduce.h"
#include "training.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

class TopK : public Compressor {
 public:
  explicit TopK(double fraction) : fraction_(fraction) {}

  std::size_t encode(std::span<const float> gradient, std::vector<std::byte>& payload) override {
    const auto wanted = static_cast<std::size_t>(static_cast<double>(gradient.size()) * fraction_);
    const std::size_t count = std::max<std::size_t>(1, wanted);
    std::vector<std::uint32_t> order(gradient.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return std::abs(gradient[a]) > std::abs(gradient[b]); });
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    payload.resize(count * kEntry);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&payload[i * kEntry], &order[i], sizeof(std::uint32_t));
      std::memcpy(&payload[i * kEntry + sizeof(std::uint32_t)], &gradient[order[i]], sizeof(float));
    }
    return payload.size();
  }

  void decode_add(std::span<const std::byte> payload, std::span<float> sum) override {
    for (std::size_t at = 0; at < payload.size(); at += kEntry) {
      std::uint32_t index = 0;
      float value = 0;
      std::memcpy(&index, &payload[at], sizeof index);
      std::memcpy(&value, &payload[at + sizeof index], sizeof value);
      sum[index] += value;
    }
  }

 private:
  static constexpr std::size_t kEntry = sizeof(std::uint32_t) + sizeof(float);
  double fraction_;
};

class Sign : public Compressor {
 public:
  std::size_t encode(std::span<const float> gradient, std::vector<std::byte>& payload) override {
    double total = 0;
    for (const float value : gradient) {
      total += std::abs(value);
    }
    const auto mean = static_cast<float>(total / static_cast<double>(gradient.size()));
    payload.assign(sizeof mean + (gradient.size() + 7) / 8, std::byte{0});
    std::memcpy(payload.data(), &mean, sizeof mean);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      payload[sizeof mean + i / 8] |= gradient[i] >= 0 ? std::byte{1} << (i % 8) : std::byte{0};
    }
    return payload.size();
  }

  void decode_add(std::span<const std::byte> payload, std::span<float> sum) override {
    float mean = 0;
    std::memcpy(&mean, payload.data(), sizeof mean);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const bool positive = (payload[sizeof mean + i / 8] & (std::byte{1} << (i % 8))) != std::byte{0};
      sum[i] += positive ? mean : -mean;
    }
  }
};

class Int8 : public Compressor {
 public:
  explicit Int8(std::uint64_t seed) : state_(seed) {}

  std::size_t encode(std::span<const float> gradient, std::vector<std::byte>& payload) override {
    float largest = 0;
    for (const float value : gradient) {
      largest = std::max(largest, std::abs(value));
    }
    const float scale = largest / 127;
    payload.resize(sizeof scale + gradient.size());
    std::memcpy(payload.data(), &scale, sizeof scale);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double exact = scale > 0 ? static_cast<double>(gradient[i]) / scale : 0;
      const double rounded = std::clamp(std::floor(exact + random()), -127.0, 127.0);
      payload[sizeof scale + i] = static_cast<std::byte>(static_cast<std::int8_t>(rounded));
    }
    return payload.size();
  }

  void decode_add(std::span<const std::byte> payload, std::span<float> sum) override {
    float scale = 0;
    std::memcpy(&scale, payload.data(), sizeof scale);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += scale * static_cast<float>(static_cast<std::int8_t>(payload[sizeof scale + i]));
    }
  }

 private:
  double random() {  // in [0, 1): splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

  std::uint64_t state_;
};

// Replaces `gradient` by the sum of what all ranks' payloads stand for; returns the bytes of the own payload.
std::size_t exchange(Compressor& compressor, std::span<float> gradient, std::span<float> residual, MPI_Comm c) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    gradient[i] += residual[i];
  }
  std::vector<std::vector<std::byte>> payloads(ranks);
  const std::size_t bytes = compressor.encode(gradient, payloads[rank]);
  if (!residual.empty()) {
    std::vector<float> sent(gradient.size());
    compressor.decode_add(payloads[rank], sent);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      residual[i] = gradient[i] - sent[i];
    }
  }
  const int count = static_cast<int>(bytes);
  for (int step = 1; step < ranks; ++step) {
    const int from = (rank + ranks - step) % ranks;
    payloads[from].resize(bytes);
    MPI_Sendrecv(payloads[rank].data(), count, MPI_BYTE, (rank + step) % ranks, 0, payloads[from].data(), count,
                 MPI_BYTE, from, 0, c, MPI_STATUS_IGNORE);
  }
  std::fill(gradient.begin(), gradient.end(), 0.0f);
  for (const std::vector<std::byte>& payload : payloads) {
    compressor.decode_add(payload, gradient);
  }
  return bytes;
}

}  // namespace
// END STUDENT HELPERS

std::unique_ptr<Compressor> make_top_k(double fraction) {
  // BEGIN STUDENT
  return std::make_unique<TopK>(fraction);
  // END STUDENT
}

std::unique_ptr<Compressor> make_sign() {
  // BEGIN STUDENT
  return std::make_unique<Sign>();
  // END STUDENT
}

std::unique_ptr<Compressor> make_int8(std::uint64_t seed) {
  // BEGIN STUDENT
  return std::make_unique<Int8>(seed);
  // END STUDENT
}

TrainStats train_sync(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c) {
  // BEGIN STUDENT
  int ranks = 0;
  MPI_Comm_size(c, &ranks);
  TrainStats stats;
  std::vector<float> gradient(kWeightCount);
  std::vector<float> residual(config.error_feedback ? kWeightCount : 0);
  for (int step = 0; step < config.steps; ++step) {
    const auto batch = static_cast<std::size_t>(config.batch);
    model.batch_gradient(shard, static_cast<std::size_t>(step) * batch, batch, gradient);
    compute(config.compute_s);
    if (config.compressor == nullptr) {
      allreduce_ring(gradient, c);
      stats.payload_bytes = gradient.size() * sizeof(float);
    } else {
      stats.payload_bytes = exchange(*config.compressor, gradient, residual, c);
    }
    const float rate = config.learning_rate / static_cast<float>(ranks);
    for (std::size_t i = 0; i < kWeightCount; ++i) {
      model.weights()[i] -= rate * gradient[i];
    }
  }
  return stats;
  // END STUDENT
}

}  // namespace hpml
