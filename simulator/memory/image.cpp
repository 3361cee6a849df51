#include "simulator/memory/image.hpp"

#include <cstring>
#include <type_traits>

namespace hpml::sim::memory {

namespace {

constexpr const char* kLabel = "<texture or surface object>";
static_assert(std::is_trivially_copyable_v<Image>);

const Allocation* description(const AddressSpace& memory, uint64_t handle) {
  const Allocation* found = memory.own(handle);
  return found != nullptr && found->base == handle && found->label == kLabel ? found : nullptr;
}

}  // namespace

uint64_t add_image(AddressSpace& memory, const Image& image) {
  const uint64_t handle = memory.allocate(Kind::device, sizeof image, kLabel);
  if (handle != 0) {
    std::memcpy(memory.own(handle)->view, &image, sizeof image);
  }
  return handle;
}

std::optional<Image> find_image(const AddressSpace& memory, uint64_t handle) {
  const Allocation* found = description(memory, handle);
  if (found == nullptr) {
    return std::nullopt;
  }
  Image image;
  std::memcpy(static_cast<void*>(&image), found->view, sizeof image);
  return image;
}

bool remove_image(AddressSpace& memory, uint64_t handle) {
  return description(memory, handle) != nullptr && memory.free(handle, Kind::device) == FreeResult::ok;
}

}  // namespace hpml::sim::memory
