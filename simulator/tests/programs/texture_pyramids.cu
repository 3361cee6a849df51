// Image pyramids (mipmapped arrays): levels and their sizes, fetches by level and by gradients, the nearer level or two
// weighed, bias and clamps, what an object was made with, and what is refused.
#include <string.h>

#include "check.cuh"

constexpr int kSize = 8, kLevels = 4;

cudaResourceDesc resource_of(cudaMipmappedArray_t pyramid) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = pyramid;
  return resource;
}

cudaTextureDesc reading(cudaTextureFilterMode between_levels) {
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.mipmapFilterMode = between_levels;
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = kLevels - 1;
  return how;
}

cudaTextureObject_t texture_of(cudaMipmappedArray_t pyramid, const cudaTextureDesc& how) {
  const cudaResourceDesc resource = resource_of(pyramid);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

// Texel (x, y) of level l is 100 l + 10 y + x.
cudaMipmappedArray_t pyramid() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t out = nullptr;
  CHECK(cudaMallocMipmappedArray(&out, &format, make_cudaExtent(kSize, kSize, 0), 99));
  for (int level = 0; level < kLevels; ++level) {
    cudaArray_t array = nullptr;
    cudaExtent extent;
    CHECK(cudaGetMipmappedArrayLevel(&array, out, level));
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    printf("level %d: %zu x %zu\n", level, extent.width, extent.height);
    std::vector<float> texels;
    for (size_t i = 0; i < extent.width * extent.height; ++i) {
      texels.push_back(static_cast<float>(100 * level + 10 * (i / extent.width) + i % extent.width));
    }
    const size_t row = extent.width * sizeof(float);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, extent.height, cudaMemcpyHostToDevice));
  }
  return out;
}

__global__ void by_level(cudaTextureObject_t texture, const float* levels, float* out) {
  out[threadIdx.x] = tex2DLod<float>(texture, 0.99f, 0.99f, levels[threadIdx.x]);
}

__global__ void by_gradient(cudaTextureObject_t texture, const float* texels, float* out) {
  const float step = texels[threadIdx.x] / kSize;  // that many texels of level 0 from pixel to pixel
  out[threadIdx.x] = tex2DGrad<float>(texture, 0.99f, 0.99f, make_float2(step, 0.0f), make_float2(0.0f, step / 2));
}

__global__ void without(cudaTextureObject_t texture, float* out) { out[0] = tex2D<float>(texture, 0.99f, 0.99f); }

void show(const char* what, const float* device, int n) {
  check_launch();
  printf("%s:", what);
  for (const float value : to_host(device, n)) {
    printf(" %g", value);
  }
  printf("\n");
}

int main() {
  const cudaMipmappedArray_t levels = pyramid();
  float* out = device_array<float>(8);
  const float* asked = to_device(std::vector<float>{-1.0f, 0.0f, 0.5f, 0.75f, 1.0f, 1.25f, 2.5f, 9.0f});
  const cudaTextureObject_t nearer = texture_of(levels, reading(cudaFilterModePoint));
  by_level<<<1, 8>>>(nearer, asked, out);
  show("nearer level", out, 8);
  by_level<<<1, 8>>>(texture_of(levels, reading(cudaFilterModeLinear)), asked, out);
  show("two levels", out, 8);

  cudaTextureDesc how = reading(cudaFilterModePoint);
  how.mipmapLevelBias = 1.0f;
  how.minMipmapLevelClamp = 1.0f;
  how.maxMipmapLevelClamp = 2.0f;
  by_level<<<1, 8>>>(texture_of(levels, how), asked, out);
  show("bias and clamps", out, 8);

  by_gradient<<<1, 4>>>(nearer, to_device(std::vector<float>{0.5f, 1.0f, 2.0f, 8.0f}), out);
  show("gradients", out, 4);
  without<<<1, 1>>>(nearer, out);
  show("no level", out, 1);

  cudaResourceDesc resource;
  cudaTextureDesc kept;
  CHECK(cudaGetTextureObjectResourceDesc(&resource, nearer));
  CHECK(cudaGetTextureObjectTextureDesc(&kept, nearer));
  printf("kept: %d %d\n", resource.res.mipmap.mipmap == levels, static_cast<int>(kept.maxMipmapLevelClamp));

  cudaArray_t level = nullptr;
  cudaTextureObject_t none = 0;
  printf("%s\n", cudaGetErrorName(cudaGetMipmappedArrayLevel(&level, levels, kLevels)));
  CHECK(cudaGetMipmappedArrayLevel(&level, levels, 0));
  printf("%s\n", cudaGetErrorName(cudaFreeArray(level)));
  how.normalizedCoords = 0;
  resource = resource_of(levels);
  printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&none, &resource, &how, nullptr)));
  CHECK(cudaFreeMipmappedArray(levels));
  fflush(stdout);  // a real driver may stop the program at the second time
  printf("%s\n", cudaGetErrorName(cudaFreeMipmappedArray(levels)));
}
