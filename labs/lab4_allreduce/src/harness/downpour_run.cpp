#include "fail.h"
#include "training_run.h"

namespace hpml::harness {

TrainStats run_training(Model& model, const Shard& shard, const SgdConfig& config) {
  return train_downpour(model, shard, config, MPI_COMM_WORLD);
}

std::unique_ptr<Compressor> make_compressor(const CompressorChoice& choice, int) {
  if (choice.name != "none") {
    fail("asynchronous training has no compressors");
  }
  return nullptr;
}

}  // namespace hpml::harness
