#pragma once
// What lab5_trainer does: trains with the student's masks, loss or fake quantisation, and prints one number per line.
#include <cstdint>
#include <string>

#include "common/worker/failure.hpp"
#include "networks/network.hpp"

namespace hpml::lab5 {

struct PruneOptions {
  std::string library, weights;
  std::string method;        // layer, global, two_of_four; random: ours, for comparison
  double fraction = 0.5;
  int epochs = 0;            // of fine-tuning
  int images = kTrainImages;  // that it sees
  uint64_t seed = 1;         // of the order of the images and of random masks
};
// Prints: accuracy after pruning, accuracy after fine-tuning, pruned weights, pruned weights that are not 0 at the end.
worker::Answer<Ok> run_prune(const PruneOptions& options);

struct DistillOptions {
  std::string library, weights;
  double temperature = 4, alpha = 1;  // of the distilled student network; the other learns from the labels alone
  int images = 300, epochs = 60;
  double wrong_labels = 0;  // share of the labels that are replaced by others
  uint64_t seed = 1;        // of the student network and of the order of the images
};
// Prints: accuracy of the teacher, of the student network that learned from the teacher, and of the one that did not.
worker::Answer<Ok> run_distill(const DistillOptions& options);

struct QuantOptions {
  std::string library, weights;
  uint64_t seed = 1;  // of the order of the images
};
// Trains at 2 bits with the student's fake quantisation. Prints the accuracy before and after, by the grader's own.
worker::Answer<Ok> run_train(const QuantOptions& options);
// Prints the share of the test images that the student's 8-bit floats and the grader's integers see as the same class.
worker::Answer<Ok> run_convert(const QuantOptions& options);

}  // namespace hpml::lab5
