// Texture and surface objects: linear memory, a filtered plane, pitched bytes read as 0 to 1, a volume, layers, surfaces
// written by one kernel and read by the next.
#include <string.h>

#include "check.cuh"

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureFilterMode filter,
                               cudaTextureReadMode read, bool normalized) {
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
  how.filterMode = filter;
  how.readMode = read;
  how.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

cudaResourceDesc array_resource(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

__global__ void fetch(cudaTextureObject_t texture, int* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  const int4 v = tex1Dfetch<int4>(texture, i);
  out[i] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w + (i >= n);
}

__global__ void magnify(cudaTextureObject_t texture, float* out, int size, float scale) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(blockIdx.x);
  out[y * size + x] = tex2D<float>(texture, (static_cast<float>(x) + 0.5f) * scale, (static_cast<float>(y) + 0.5f) * scale);
}

__global__ void fractions(cudaTextureObject_t texture, float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(texture, threadIdx.x, blockIdx.x);
}

__global__ void volume(cudaTextureObject_t texture, float* out) {
  const float x = static_cast<float>(threadIdx.x) + 0.5f;
  out[threadIdx.x] = tex3D<float>(texture, x, 1.0f, 1.5f);
}

__global__ void layers(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, static_cast<int>(threadIdx.x));
}

__global__ void invert(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = static_cast<int>(threadIdx.x) * 4, y = static_cast<int>(blockIdx.x);
  uchar4 pixel = surf2Dread<uchar4>(from, x, y);
  pixel.x = 255 - pixel.x;
  surf2Dwrite(pixel, to, x, y);
  if (threadIdx.x == 0) {
    surf2Dwrite(pixel, to, -4, y, cudaBoundaryModeZero);
  }
}

void linear_memory() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) {
    values[i] = i;
  }
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = to_device(values);
  resource.res.linear.desc = cudaCreateChannelDesc<int4>();
  resource.res.linear.sizeInBytes = 60 * sizeof(int);
  const cudaTextureObject_t texture = texture_of(resource, cudaFilterModePoint, cudaReadModeElementType, false);
  int* out = device_array<int>(16);
  fetch<<<1, 16>>>(texture, out, 15);
  check_launch();
  printf("linear %lld\n", checksum(to_host(out, 16)));
  CHECK(cudaDestroyTextureObject(texture));
}

void filtered_plane() {
  const int width = 8, size = 32;
  std::vector<float> texels(width * width);
  for (int i = 0; i < width * width; ++i) {
    texels[i] = static_cast<float>(i * i % 23 * 256);  // multiples of 256: eight bits of weight give whole numbers
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, width, width));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, width, cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture =
      texture_of(array_resource(array), cudaFilterModeLinear, cudaReadModeElementType, true);
  float* out = device_array<float>(size * size);
  magnify<<<size, size>>>(texture, out, size, 2.0f / size);
  check_launch();
  const std::vector<float> got = to_host(out, size * size);
  int wrong = 0;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {  // places are odd quarters of a texel: u = x/2 + 1/4, less half a texel
      const int u = 2 * x - 1, v = 2 * y - 1;  // in quarters
      const int x0 = ((u >> 2) + width) % width, y0 = ((v >> 2) + width) % width;
      const float a = static_cast<float>(u & 3) / 4, b = static_cast<float>(v & 3) / 4;
      const int x1 = (x0 + 1) % width, y1 = (y0 + 1) % width;
      const float expected = (1 - b) * ((1 - a) * texels[y0 * width + x0] + a * texels[y0 * width + x1]) +
                             b * ((1 - a) * texels[y1 * width + x0] + a * texels[y1 * width + x1]);
      wrong += expected != got[y * size + x];
    }
  }
  printf("filtered: %d wrong\n", wrong);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

void pitched_bytes() {
  std::vector<unsigned char> bytes(16 * 4);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(i * 4);
  }
  unsigned char* p = nullptr;
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  CHECK(cudaMallocPitch(&p, &resource.res.pitch2D.pitchInBytes, 16, 4));
  CHECK(cudaMemcpy2D(p, resource.res.pitch2D.pitchInBytes, bytes.data(), 16, 16, 4, cudaMemcpyHostToDevice));
  resource.res.pitch2D.devPtr = p;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 4;
  const cudaTextureObject_t texture = texture_of(resource, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  float* out = device_array<float>(64);
  fractions<<<4, 16>>>(texture, out);
  check_launch();
  const std::vector<float> got = to_host(out, 64);
  int wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    wrong += got[i] != static_cast<float>(bytes[i]) / 255.0f;
  }
  printf("fractions: %d wrong\n", wrong);
}

// `depth` slices, or layers, of 4 by 2 texels: x + 10 y + 100 z.
cudaArray_t slices(int depth, unsigned flags) {
  std::vector<float> texels(4 * 2 * depth);
  for (int i = 0; i < 4 * 2 * depth; ++i) {
    texels[i] = static_cast<float>(i % 4 + 10 * (i / 4 % 2) + 100 * (i / 8));
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 2, depth), flags));
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), 4 * sizeof(float), 4, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 2, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

void volumes_and_layers() {
  float* out = device_array<float>(4);
  volume<<<1, 4>>>(texture_of(array_resource(slices(3, cudaArrayDefault)), cudaFilterModeLinear,
                              cudaReadModeElementType, false),
                   out);
  check_launch();
  std::vector<float> got = to_host(out, 4);
  printf("volume %g %g %g %g\n", got[0], got[1], got[2], got[3]);
  layers<<<1, 4>>>(texture_of(array_resource(slices(3, cudaArrayLayered)), cudaFilterModePoint, cudaReadModeElementType,
                              false),
                   out);
  check_launch();
  got = to_host(out, 4);
  printf("layers %g %g %g %g\n", got[0], got[1], got[2], got[3]);
}

void surfaces() {
  std::vector<unsigned char> pixels(8 * 8 * 4);
  for (size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<unsigned char>(i);
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t arrays[2];
  cudaSurfaceObject_t objects[2];
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMallocArray(&arrays[i], &format, 8, 8, cudaArraySurfaceLoadStore));
    const cudaResourceDesc resource = array_resource(arrays[i]);
    CHECK(cudaCreateSurfaceObject(&objects[i], &resource));
  }
  CHECK(cudaMemcpy2DToArray(arrays[0], 0, 0, pixels.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  invert<<<8, 8>>>(objects[0], objects[1]);
  check_launch();
  std::vector<unsigned char> got(pixels.size());
  CHECK(cudaMemcpy2DFromArray(got.data(), 32, arrays[1], 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    wrong += got[i] != (i % 4 == 0 ? 255 - pixels[i] : pixels[i]);
  }
  printf("surfaces: %d wrong\n", wrong);
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaDestroySurfaceObject(objects[i]));
    CHECK(cudaFreeArray(arrays[i]));
  }
}

void refused() {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device_array<int>(4);
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 16;
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &how, nullptr)));
  resource.res.linear.devPtr = nullptr;
  how.filterMode = cudaFilterModePoint;
  printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &how, nullptr)));
}

int main() {
  linear_memory();
  filtered_plane();
  pitched_bytes();
  volumes_and_layers();
  surfaces();
  refused();
}
