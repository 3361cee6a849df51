#pragma once
// Analytic models of training: memory, time, schedules of learners that share parameters.
#include <cstdint>
#include <vector>

namespace hpml::models {

using Times = std::vector<std::vector<double>>;  // per learner, one after the other

double decayed_rate(double rate_0, double decay, double step);  // rate_0 / (1 + decay * step)
double initial_cross_entropy(double classes);                   // ln(classes): every class equally likely

// Stochastic depth with linearly falling survival 1 - l/L (1 - p_L): expected number of active blocks.
double expected_depth(int64_t layers, double survival_of_last);

enum class Optimiser : uint8_t { sgd, momentum, adam };
// Weights, gradients and optimiser state, all of `bytes_per_value`; activations not counted.
double training_bytes(double parameters, double bytes_per_value, Optimiser optimiser);

double training_days(double flop, double devices, double peak_tflops, double utilisation);

struct LowRank {
  int64_t parameters = 0;
  double share = 0;  // of the full matrix
};
LowRank low_rank(int64_t rows, int64_t columns, int64_t rank);

// Asynchronous SGD: the server is at `server_version`; gradients arrive one after the other, each computed from the
// version given; every arrival makes a new version. Staleness = server version on arrival - version read.
std::vector<int64_t> staleness(int64_t server_version, const std::vector<int64_t>& versions_read);

// The same from arrival times: every learner pushes at its times and reads the newest version right after. In order of
// arrival; of equal times the learner with the smaller number comes first.
std::vector<int64_t> staleness_of_arrivals(const Times& arrival_times);

// Time at which `updates` updates are done when each learner needs these times for its batches.
struct UpdateTimes {
  double sync = 0;          // all learners wait for the slowest
  double k_sync = 0;        // the K fastest gradients make the update, the other batches are cancelled and skipped
  double asynchronous = 0;  // every gradient is an update
  double k_batch_sync = 0;  // the first K gradients, whoever made them; unfinished batches are cancelled and skipped
  double k_batch_sync_retried = 0;  // as before, but cancelled batches are started again
  bool tie = false;  // two gradients arrive when a K-batch update is made: which batch it cancels is a matter of taste
};
UpdateTimes update_times(const Times& batch_times, int64_t updates, int64_t k);

}  // namespace hpml::models
