// options WORD...: the options that parse() makes of the words, one per line; or "refused: " and why.
#include <cinttypes>
#include <stdexcept>

#include "harness/check.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  try {
    const lab2::TrainOptions o = lab2::parse(words);
    std::printf("model %s\noptimizer %s\ndevice %s\ndata %s\nlog %s\ntrace %s\nonnx %s\n", o.model.c_str(), o.optimizer.c_str(),
                o.device.c_str(), o.data.c_str(), o.log.c_str(), o.trace.c_str(), o.onnx.c_str());
    std::printf("width %d\nepochs %d\nbatch %d\nworkers %d\nthreads %d\nio_latency_us %d\n", o.width, o.epochs, o.batch,
                o.workers, o.threads, o.io_latency_us);
    std::printf("eval_every %.17g\nlr %.17g\nmomentum %.17g\nweight_decay %.17g\nseed %" PRIu64 "\nbatch_norm %d\naugment %d\n", o.eval_every, o.lr,
                o.momentum, o.weight_decay, o.seed, o.batch_norm ? 1 : 0, o.augment ? 1 : 0);
  } catch (const std::invalid_argument& error) {
    std::printf("refused: %s\n", error.what());
  }
  return 0;
}
