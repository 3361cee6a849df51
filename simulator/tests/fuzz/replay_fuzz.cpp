// Any bytes in the place of a recording: an error, never a crash. The devices are small and time nothing.
#include <cstdlib>

#include "simulator/replay/replayer.hpp"

using namespace hpml::sim;  // NOLINT(google-build-using-namespace): short test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  replay::ReplayOptions options;
  device::Options device;
  device.gpu_dir = HPML_SOURCE_DIR "/simulator/gpus";
  device.mode = device::Mode::functional;
  device.max_warp_instructions = 1000;
  options.devices = {device};
  replay::Transfers transfers("", {});
  replay::Replayer replayer(options, transfers);
  replay::Reader reader(std::as_bytes(std::span(data, size)), "<fuzz>");
  (void)replayer.run(reader);
  (void)replayer.metrics().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return 0;
}
