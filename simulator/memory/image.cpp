#include "simulator/memory/image.hpp"

#include <algorithm>
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

Image level_of(const Image& pyramid, int level) {
  Image out = pyramid;
  for (int i = 0; i < level; ++i) {
    out.address += out.depth * out.slice;
    out.width = std::max<uint64_t>(out.width / 2, 1);
    out.height = std::max<uint64_t>(out.height / 2, 1);
    out.depth = out.layered ? out.depth : std::max<uint64_t>(out.depth / 2, 1);
    out.pitch = out.width * out.texel_bytes();
    out.slice = out.height * out.pitch;
  }
  out.levels = 1;
  return out;
}

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
