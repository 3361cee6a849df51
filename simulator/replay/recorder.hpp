#pragma once
// Records what a program does with its devices. The devices it hands out do what the real ones do.
#include <memory>
#include <string>

#include "simulator/device/api.hpp"
#include "simulator/replay/host_memory.hpp"
#include "simulator/replay/writer.hpp"

namespace hpml::sim::replay {

class Recorder {
 public:
  static constexpr uint64_t kDefaultLimit = uint64_t{1} << 30;

  static Result<std::unique_ptr<Recorder>> create(const std::string& path, uint64_t limit = kDefaultLimit);

  // index: of the GPU in the process. The recorder must outlive the device.
  std::unique_ptr<device::Device> wrap(std::unique_ptr<device::Device> device, int index);
  void called(Called call) { writer_->write(std::move(call)); }
  void ended(int status, int signal);

  // For the devices.
  void write(Event event) { writer_->write(std::move(event)); }
  // Writes down what the program has changed in memory it shares with the devices.
  void note_host_writes(uint64_t address, uint64_t bytes);
  void note_host_writes() { note_host_writes(0, UINT64_MAX); }
  HostMemory& host_memory() { return host_memory_; }

 private:
  explicit Recorder(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
  std::unique_ptr<Writer> writer_;
  HostMemory host_memory_;
};

}  // namespace hpml::sim::replay
