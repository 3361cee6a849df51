#include "fail.h"
#include "training_run.h"

namespace hpml::harness {

TrainStats run_training(Model& model, const Shard& shard, const SgdConfig& config) {
  return train_sync(model, shard, config, MPI_COMM_WORLD);
}

std::unique_ptr<Compressor> make_compressor(const CompressorChoice& choice, int rank) {
  if (choice.name == "top_k") {
    return make_top_k(choice.fraction);
  }
  if (choice.name == "sign") {
    return make_sign();
  }
  if (choice.name == "int8") {
    return make_int8(static_cast<std::uint64_t>(rank));
  }
  if (choice.name != "none") {
    fail("there is no compressor '" + choice.name + "'");
  }
  return nullptr;
}

}  // namespace hpml::harness
