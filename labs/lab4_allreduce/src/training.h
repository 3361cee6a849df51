// Exercises E9 and E10: data-parallel training. sync_sgd.cpp and downpour.cpp are yours; the model is given.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/compute.h"
#include "harness/model.h"

namespace hpml {

// Turns a gradient into fewer bytes.
struct Compressor {
  virtual ~Compressor() = default;
  // Replaces `payload` by the encoded gradient; returns payload.size(), which depends on gradient.size() alone.
  virtual std::size_t encode(std::span<const float> gradient, std::vector<std::byte>& payload) = 0;
  // Adds the gradient that the payload stands for to `sum`.
  virtual void decode_add(std::span<const std::byte> payload, std::span<float> sum) = 0;
};

// The k = max(1, floor(n fraction)) elements of largest magnitude (the smaller index first, where magnitudes are
// equal), in the order of their indices: 8 k bytes, k pairs of std::uint32_t index and float value.
std::unique_ptr<Compressor> make_top_k(double fraction);
// Signs and mean magnitude: a float s = mean |g_i|, then bit i % 8 of byte 4 + i / 8 is 1 where g_i >= 0; stands for
// +s and -s. ceil(n / 8) + 4 bytes.
std::unique_ptr<Compressor> make_sign();
// A float s = max |g_i| / 127, then one std::int8_t per element: g_i / s rounded up or down at random (down with the
// probability of the distance to the upper neighbour), so that the expected value is g_i. n + 4 bytes.
std::unique_ptr<Compressor> make_int8(std::uint64_t seed);

enum class Remedy {
  none,            // learning rate eta
  mean_staleness,  // eta / max(1, mean staleness of all pushes so far, this one included)
  step_bound,      // min(bound / ||w - w_pulled||^2, eta): w_pulled is what the worker has computed its gradient from
  adagrad          // per weight: eta / sqrt(1e-8 + sum of the squares of its gradients so far, this one included)
};

struct SgdConfig {
  int steps = 0;                     // E9: steps of each rank. E10: pushes of all workers together
  int batch = 16;                    // samples per gradient
  float learning_rate = 0.1f;        // eta
  double compute_s = 0;              // what one gradient of this rank takes: call compute(compute_s) once per gradient
  Compressor* compressor = nullptr;  // E9: nullptr sends the gradients as they are, by allreduce_ring
  bool error_feedback = false;       // E9: what a payload has left out is added to the next gradient
  Remedy remedy = Remedy::none;      // E10
  float bound = 0;                   // E10, step_bound
};

// One push as the server saw it. Staleness: versions of the weights since those that the worker has computed from. The
// server starts with version 0; every push makes a new version.
struct Push {
  int worker;
  int staleness;
};

struct TrainStats {
  std::size_t payload_bytes = 0;  // E9: of one gradient, as sent
  std::vector<Push> pushes;       // E10, rank 0: in the order in which they were applied
};

// E9. Step t of each rank computes the gradient of its samples t * batch, ... (batch_gradient wraps around), averages
// it over all ranks and subtracts learning_rate times the average. With a compressor every rank sends its payload to
// each other rank, and all add up the payloads in the order of ranks: every rank ends with the same weights.
TrainStats train_sync(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c);

// E10. Rank 0 is the server, the others are workers. A worker computes a gradient from the weights that it has, sends
// it with tag kPush, and receives new weights (tag kWeights) or an empty message with tag kStop: then it returns. All
// start with the weights of `model`, so the first gradients need no weights from the server. The server applies each
// push as it comes, then answers it; it takes exactly config.steps pushes, and answers with kStop where a further
// gradient would be one too many. At the end the server's model has the final weights. config.steps >= number of
// workers.
inline constexpr int kPush = 1, kWeights = 2, kStop = 3;
TrainStats train_downpour(Model& model, const Shard& shard, const SgdConfig& config, MPI_Comm c);

}  // namespace hpml
