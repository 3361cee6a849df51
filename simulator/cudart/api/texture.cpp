// Texture and surface objects (Runtime API, "Texture Object Management"): of arrays, of linear memory and of pitched
// memory.
#include <array>
#include <cstring>

#include "simulator/cudart/api/array.hpp"
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/api/texture.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::cudart {
namespace {

Error set_place(Runtime& runtime, const ResourceDescription& resource, memory::Image& image) {
  switch (resource.type) {
    case ResourceType::array: {
      const Array* array = runtime.array(resource.what.array);
      if (array == nullptr) {
        return Error::invalid_resource_handle;
      }
      image = image_of(*array);
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
    case ResourceType::mipmapped_array: {
      const Pyramid* pyramid = runtime.pyramid(resource.what.array);
      if (pyramid == nullptr) {
        return Error::invalid_resource_handle;
      }
      image = image_of(*pyramid->levels.front());
      image.levels = static_cast<int>(pyramid->levels.size());
      return set_format(image, pyramid->levels.front()->format) ? Error::success : Error::invalid_channel_descriptor;
    }
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
  image.mixes_levels = texture.level_filter_mode != 0;
  image.level_bias = texture.level_bias;
  image.least_level = texture.least_level;
  image.greatest_level = texture.greatest_level;
  const bool floats = image.kind == memory::TexelKind::floating || image.normalized_values;
  const bool fractions_of_words = image.normalized_values && image.channel_bytes == 4;
  const bool filters = image.linear || (image.levels > 1 && image.mixes_levels);
  const bool pyramid_by_texels = image.levels > 1 && !image.normalized_coordinates;
  if (filters && !floats) {
    return Error::invalid_filter_setting;
  }
  return fractions_of_words || pyramid_by_texels ? Error::invalid_value : Error::success;
}

template <class Describe>
int create(const char* name, uint64_t* object, const ResourceDescription* resource, const TextureDescription* texture,
           Describe describe) {
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
    if (error == Error::success) {
      ImageObject& kept = runtime.image_objects[*object] = {};
      std::memcpy(kept.resource.data(), resource, sizeof kept.resource);
      if (texture != nullptr) {
        std::memcpy(kept.texture.data(), texture, sizeof kept.texture);
      }
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
    runtime.image_objects.erase(object);
    return found ? Error::success : Error::invalid_value;
  });
}

// What the object was made with. `part`: of ImageObject.
template <class Part>
int describe(const char* name, void* out, uint64_t object, Part part) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    const auto found = runtime.image_objects.find(object);
    if (out == nullptr || found == runtime.image_objects.end()) {
      return Error::invalid_value;
    }
    std::memcpy(out, (found->second.*part).data(), (found->second.*part).size());
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaCreateTextureObject(uint64_t* object, const ResourceDescription* resource,
                                          const TextureDescription* texture, const void* view) {
  return create("cudaCreateTextureObject", object, resource, texture, [&](hpml::sim::memory::Image& image) {
    if (texture == nullptr) {
      return Error::invalid_value;
    }
    return view != nullptr ? refuse("resource views") : set_reading(*texture, image);
  });
}
HPML_CUDA_API int cudaDestroyTextureObject(uint64_t object) { return destroy("cudaDestroyTextureObject", object); }

HPML_CUDA_API int cudaCreateSurfaceObject(uint64_t* object, const ResourceDescription* resource) {
  return create("cudaCreateSurfaceObject", object, resource, nullptr, [&](hpml::sim::memory::Image& image) {
    image.is_surface = true;
    return resource->type == ResourceType::array ? Error::success : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDestroySurfaceObject(uint64_t object) { return destroy("cudaDestroySurfaceObject", object); }

HPML_CUDA_API int cudaGetTextureObjectResourceDesc(void* out, uint64_t object) {
  return describe("cudaGetTextureObjectResourceDesc", out, object, &ImageObject::resource);
}
HPML_CUDA_API int cudaGetTextureObjectTextureDesc(void* out, uint64_t object) {
  return describe("cudaGetTextureObjectTextureDesc", out, object, &ImageObject::texture);
}
HPML_CUDA_API int cudaGetSurfaceObjectResourceDesc(void* out, uint64_t object) {
  return describe("cudaGetSurfaceObjectResourceDesc", out, object, &ImageObject::resource);
}
