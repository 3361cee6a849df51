// Texture and surface objects (Runtime API, "Texture Object Management"): of arrays, of linear memory and of pitched
// memory. Pyramids of images (mipmapped arrays) are refused.
#include <array>

#include "simulator/cudart/api/common.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::cudart {
namespace {

enum class ResourceType : int { array = 0, mipmapped_array = 1, linear = 2, pitch_2d = 3 };  // cudaResourceType

struct LinearMemory {
  uint64_t pointer;
  ChannelFormat format;
  uint64_t bytes;
};
struct PitchedMemory {
  uint64_t pointer;
  ChannelFormat format;
  uint64_t width, height, pitch;
};
struct ResourceDescription {  // cudaResourceDesc, as far as it is read: the same in 11, 12 and 13
  ResourceType type;
  union {
    const void* array;
    LinearMemory linear;
    PitchedMemory pitched;
  } what;
};
static_assert(offsetof(ResourceDescription, what) == 8 && offsetof(LinearMemory, bytes) == 32);
static_assert(offsetof(PitchedMemory, width) == 32 && offsetof(PitchedMemory, pitch) == 48);

struct TextureDescription {  // cudaTextureDesc, as far as it is read
  std::array<int, 3> address_mode;
  int filter_mode;  // 0 point, 1 linear
  int read_mode;    // 0 element type, 1 normalized float
  int srgb;
  std::array<float, 4> border;
  int normalized_coordinates;
};
static_assert(offsetof(TextureDescription, normalized_coordinates) == 40);

bool set_format(memory::Image& image, const ChannelFormat& format) {
  constexpr int kLastOrdinaryKind = 3;  // cudaChannelFormatKindNone
  if ((format.x != 8 && format.x != 16 && format.x != 32) || format.kind < 0 || format.kind >= kLastOrdinaryKind ||
      (format.kind == 2 && format.x == 8)) {
    return false;
  }
  image.channel_bytes = format.x / 8;
  image.channels = format.w != 0 ? 4 : format.y != 0 ? 2 : 1;
  image.kind = static_cast<memory::TexelKind>(format.kind);
  return format.z == format.w;  // three channels are no texel
}

Error set_place(Runtime& runtime, const ResourceDescription& resource, memory::Image& image) {
  switch (resource.type) {
    case ResourceType::array: {
      const Array* array = runtime.array(resource.what.array);
      if (array == nullptr) {
        return Error::invalid_resource_handle;
      }
      image.address = array->address;
      image.pitch = array->pitch();
      image.slice = array->pitch() * array->rows();
      image.width = array->extent.width;
      image.height = array->rows();
      image.depth = array->slices();
      return set_format(image, array->format) ? Error::success : Error::invalid_channel_descriptor;
    }
    case ResourceType::linear: {
      const LinearMemory& linear = resource.what.linear;
      if (!set_format(image, linear.format) || linear.pointer == 0 || linear.bytes < image.texel_bytes()) {
        return Error::invalid_value;
      }
      image.address = linear.pointer;
      image.width = linear.bytes / image.texel_bytes();
      image.pitch = image.slice = linear.bytes;
      image.plain_memory = true;
      return Error::success;
    }
    case ResourceType::pitch_2d: {
      const PitchedMemory& pitched = resource.what.pitched;
      if (!set_format(image, pitched.format) || pitched.pointer == 0 || pitched.width == 0 || pitched.height == 0 ||
          pitched.pitch < pitched.width * image.texel_bytes()) {
        return Error::invalid_value;
      }
      image.address = pitched.pointer;
      image.pitch = pitched.pitch;
      image.slice = pitched.pitch * pitched.height;
      image.width = pitched.width;
      image.height = pitched.height;
      return Error::success;
    }
    case ResourceType::mipmapped_array: return refuse("mipmapped arrays");
  }
  return Error::invalid_value;
}

Error set_reading(const TextureDescription& texture, memory::Image& image) {
  constexpr int kModes = 4;
  for (size_t i = 0; i < image.modes.size(); ++i) {
    if (texture.address_mode[i] < 0 || texture.address_mode[i] >= kModes) {
      return Error::invalid_value;
    }
    image.modes[i] = static_cast<memory::AddressMode>(texture.address_mode[i]);
  }
  image.linear = texture.filter_mode != 0;
  image.normalized_coordinates = texture.normalized_coordinates != 0;
  image.normalized_values = texture.read_mode != 0 && image.kind != memory::TexelKind::floating;
  image.srgb = texture.srgb != 0 && image.channel_bytes == 1;
  image.border = texture.border;
  const bool floats = image.kind == memory::TexelKind::floating || image.normalized_values;
  const bool fractions_of_words = image.normalized_values && image.channel_bytes == 4;
  return fractions_of_words || (image.linear && !floats) ? Error::invalid_value : Error::success;
}

template <class Describe>
int create(const char* name, uint64_t* object, const ResourceDescription* resource, Describe describe) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (object == nullptr || resource == nullptr) {
      return Error::invalid_value;
    }
    memory::Image image;
    Error error = set_place(runtime, *resource, image);
    error = error == Error::success ? describe(image) : error;
    if (error == Error::success) {
      *object = memory::add_image(context.memory(), image);
      error = *object != 0 ? Error::success : Error::memory_allocation;
    }
    return error;
  });
}

// Destroying object 0, which no call gives, is no error.
int destroy(const char* name, uint64_t object) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    bool found = object == 0;
    for (int ordinal = 0; ordinal < runtime.device_count() && !found; ++ordinal) {
      Context* owner = runtime.started(ordinal);
      found = owner != nullptr && memory::remove_image(owner->memory(), object);
    }
    return found ? Error::success : Error::invalid_value;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaCreateTextureObject(uint64_t* object, const ResourceDescription* resource,
                                          const TextureDescription* texture, const void* view) {
  return create("cudaCreateTextureObject", object, resource, [&](hpml::sim::memory::Image& image) {
    if (texture == nullptr) {
      return Error::invalid_value;
    }
    return view != nullptr ? refuse("resource views") : set_reading(*texture, image);
  });
}
HPML_CUDA_API int cudaDestroyTextureObject(uint64_t object) { return destroy("cudaDestroyTextureObject", object); }

HPML_CUDA_API int cudaCreateSurfaceObject(uint64_t* object, const ResourceDescription* resource) {
  return create("cudaCreateSurfaceObject", object, resource, [&](hpml::sim::memory::Image&) {
    return resource->type == ResourceType::array ? Error::success : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDestroySurfaceObject(uint64_t object) { return destroy("cudaDestroySurfaceObject", object); }
