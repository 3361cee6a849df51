// What sync_run.cpp and downpour_run.cpp do for training_main.cpp: each exercise is a program of its own.
#pragma once

#include <memory>
#include <string>

#include "../training.h"
#include "observe.h"

namespace hpml::harness {

struct CompressorChoice {
  std::string name = "none";  // none, top_k, sign, int8
  double fraction = 0.01;     // of top_k
  std::size_t elements = 0;   // not 0: encode a given gradient of that size instead of training
};

TrainStats run_training(Model& model, const Shard& shard, const SgdConfig& config);

// nullptr for "none".
std::unique_ptr<Compressor> make_compressor(const CompressorChoice& choice, int rank);

}  // namespace hpml::harness
