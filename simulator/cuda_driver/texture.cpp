// Texture and surface objects: the runtime's, described in the driver's words.
#include "simulator/cudart/api/texture.hpp"

#include <optional>

#include "simulator/cuda_driver/array.hpp"
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::ChannelFormat;
using cudart::ResourceDescription;
using cudart::ResourceType;
using cudart::TextureDescription;

struct Texels {  // linear and pitched memory
  DevicePtr address;
  int format;
  unsigned channels;
  size_t width;  // linear: bytes
  size_t height, pitch;
};
struct Resource {  // CUDA_RESOURCE_DESC
  ResourceType type;
  union {
    void* array;  // or a pyramid
    Texels texels;
    int reserved[32];
  } what;
  unsigned flags;
};
static_assert(sizeof(Resource) == 144);

struct Texture {  // CUDA_TEXTURE_DESC
  std::array<int, 3> address_mode;
  int filter_mode;
  unsigned flags, most_anisotropy;
  int level_filter_mode;
  float level_bias, least_level, greatest_level;
  std::array<float, 4> border;
  int reserved[12];
};
static_assert(sizeof(Texture) == 104);
constexpr unsigned kReadAsInteger = 1, kNormalizedCoordinates = 2, kSrgb = 16;  // CU_TRSF_*

// The runtime's description of the same. Nothing: such a resource there is not.
std::optional<ResourceDescription> described(const Resource& resource) {
  ResourceDescription out = {};
  out.type = resource.type;
  const Texels& texels = resource.what.texels;
  switch (resource.type) {
    case ResourceType::array:
    case ResourceType::mipmapped_array: out.what.array = resource.what.array; return out;
    case ResourceType::linear:
    case ResourceType::pitch_2d: break;
    default: return std::nullopt;
  }
  const auto format = channels_of(texels.format, texels.channels);
  if (!format) {
    return std::nullopt;
  }
  if (resource.type == ResourceType::linear) {
    out.what.linear = {texels.address, *format, texels.width};
  } else {
    out.what.pitched = {texels.address, *format, texels.width, texels.height, texels.pitch};
  }
  return out;
}

ChannelFormat format_of(Runtime& runtime, const ResourceDescription& resource) {
  switch (resource.type) {
    case ResourceType::array:
      if (const cudart::Array* array = runtime.array(resource.what.array)) {
        return array->format;
      }
      return {};
    case ResourceType::mipmapped_array:
      if (const cudart::Pyramid* pyramid = runtime.pyramid(resource.what.array)) {
        return pyramid->levels.front()->format;
      }
      return {};
    case ResourceType::linear: return resource.what.linear.format;
    case ResourceType::pitch_2d: return resource.what.pitched.format;
  }
  return {};
}

// Integers are read as fractions unless the program says otherwise; those of 32 bits always as integers.
TextureDescription described(const Texture& texture, const ChannelFormat& format) {
  constexpr int kFloat = 2;  // cudaChannelFormatKindFloat
  const bool fractions = (texture.flags & kReadAsInteger) == 0 && format.kind != kFloat && format.x < 32;
  return {.address_mode = texture.address_mode,
          .filter_mode = texture.filter_mode,
          .read_mode = fractions ? 1 : 0,
          .srgb = (texture.flags & kSrgb) != 0 ? 1 : 0,
          .border = texture.border,
          .normalized_coordinates = (texture.flags & kNormalizedCoordinates) != 0 ? 1 : 0,
          .most_anisotropy = texture.most_anisotropy,
          .level_filter_mode = texture.level_filter_mode,
          .level_bias = texture.level_bias,
          .least_level = texture.least_level,
          .greatest_level = texture.greatest_level,
          .disables_trilinear_optimization = 0};
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuTexObjectCreate(uint64_t* object, const Resource* resource, const Texture* texture,
                                  const void* view) {
  return forward("cuTexObjectCreate", [&] {
    const auto what = resource != nullptr ? described(*resource) : std::nullopt;
    if (!what || texture == nullptr) {
      return static_cast<int>(Error::invalid_value);
    }
    const TextureDescription how = described(*texture, format_of(Runtime::get(), *what));
    return cudaCreateTextureObject(object, &*what, &how, view);
  });
}
HPML_CU_API int cuTexObjectDestroy(uint64_t object) {
  return forward("cuTexObjectDestroy", [&] { return cudaDestroyTextureObject(object); });
}
HPML_CU_API int cuSurfObjectCreate(uint64_t* object, const Resource* resource) {
  return forward("cuSurfObjectCreate", [&] {
    const auto what = resource != nullptr ? described(*resource) : std::nullopt;
    return what ? cudaCreateSurfaceObject(object, &*what) : static_cast<int>(Error::invalid_value);
  });
}
HPML_CU_API int cuSurfObjectDestroy(uint64_t object) {
  return forward("cuSurfObjectDestroy", [&] { return cudaDestroySurfaceObject(object); });
}
