#include "simulator/replay/recorder.hpp"

#include <algorithm>

#include "simulator/replay/recording_device.hpp"

namespace hpml::sim::replay {

Result<std::unique_ptr<Recorder>> Recorder::create(const std::string& path, uint64_t limit) {
  HPML_TRY(auto writer, Writer::create(path, limit));
  return std::unique_ptr<Recorder>(new Recorder(std::move(writer)));
}

std::unique_ptr<device::Device> Recorder::wrap(std::unique_ptr<device::Device> device, int index) {
  return std::make_unique<RecordingDevice>(*this, std::move(device), index);
}

void Recorder::note_host_writes(uint64_t address, uint64_t bytes) {
  host_memory_.changed(address, bytes, [this](uint64_t at, const std::byte* data, uint64_t length) {
    const bool zero = std::all_of(data, data + length, [](std::byte b) { return b == std::byte{0}; });
    HostWrote event{.address = at, .zeros = zero ? length : 0, .payload = {}};
    if (!zero) {
      event.payload.assign(reinterpret_cast<const char*>(data), length);
    }
    write(std::move(event));
  });
}

void Recorder::ended(int status, int signal) {
  note_host_writes();
  write(Ended{status, signal});
  writer_->flush();
}

}  // namespace hpml::sim::replay
