// Arrays, textures and surfaces by the driver API: copies of bytes into and out of an array, bytes read as fractions and
// as integers, pitched and linear memory, a pyramid, a surface written by a kernel, and what is refused.
#include <string.h>

#include <vector>

#include "driver.cuh"

__global__ void read_fraction(CUtexObject texture, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, static_cast<float>(threadIdx.x) + 0.5f);
}
__global__ void read_byte(CUtexObject texture, float* out) {
  out[threadIdx.x] = tex1D<unsigned char>(texture, static_cast<float>(threadIdx.x) + 0.5f);
}
__global__ void read_linear(CUtexObject texture, float* out) { out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x); }
__global__ void read_row(CUtexObject texture, float* out) { out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 1); }
__global__ void read_level(CUtexObject texture, float* out) { out[threadIdx.x] = tex1DLod<float>(texture, 0, threadIdx.x); }
__global__ void write_surface(CUsurfObject surface) {
  surf1Dwrite(static_cast<unsigned char>(3 * threadIdx.x), surface, threadIdx.x);
}

void show(const char* what, CUdeviceptr results) {
  float values[4];
  DRIVER(cuMemcpyDtoH(values, results, sizeof values));
  printf("%s: %g %g %g %g\n", what, values[0], values[1], values[2], values[3]);
}

CUDA_RESOURCE_DESC of_array(CUarray array) {
  CUDA_RESOURCE_DESC resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

CUtexObject texture_of(const CUDA_RESOURCE_DESC& resource, unsigned flags) {
  CUDA_TEXTURE_DESC how;
  memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.flags = flags;
  how.maxMipmapLevelClamp = 9;
  CUtexObject texture = 0;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  return texture;
}

void arrays(CUdeviceptr results, float* out) {
  CUDA_ARRAY3D_DESCRIPTOR what = {4, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array = nullptr, other = nullptr;
  DRIVER(cuArray3DCreate(&array, &what));
  DRIVER(cuArray3DCreate(&other, &what));
  const unsigned char bytes[4] = {0, 51, 102, 255};
  DRIVER(cuMemcpyHtoA(array, 0, bytes, 4));
  const CUDA_RESOURCE_DESC resource = of_array(array);
  read_fraction<<<1, 4>>>(texture_of(resource, 0), out);
  show("fractions", results);
  const CUtexObject whole = texture_of(resource, CU_TRSF_READ_AS_INTEGER);
  read_byte<<<1, 4>>>(whole, out);
  show("integers", results);

  CUsurfObject surface = 0;
  DRIVER(cuSurfObjectCreate(&surface, &resource));
  write_surface<<<1, 4>>>(surface);
  DRIVER(cuMemcpyAtoA(other, 1, array, 0, 3));
  DRIVER(cuMemcpyAtoA(other, 0, array, 3, 1));
  unsigned char back[4];
  DRIVER(cuMemcpyAtoH(back, other, 0, 4));
  printf("surface, turned: %d %d %d %d\n", back[0], back[1], back[2], back[3]);
  DRIVER(cuMemcpyAtoD(results, array, 2, 2));
  DRIVER(cuMemcpyDtoA(array, 0, results, 2));
  DRIVER(cuMemcpyAtoH(back, array, 0, 4));
  printf("by way of memory: %d %d %d %d\n", back[0], back[1], back[2], back[3]);
  printf("beyond the end: %s\n", named(cuMemcpyHtoA(array, 2, bytes, 3)));
  DRIVER(cuSurfObjectDestroy(surface));
  DRIVER(cuTexObjectDestroy(whole));
  printf("destroyed twice: %s\n", named(cuTexObjectDestroy(whole)));
  DRIVER(cuArrayDestroy(array));
}

void memory(CUdeviceptr results, float* out) {
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CUdeviceptr p = 0;
  size_t pitch = 0;
  DRIVER(cuMemAllocPitch(&p, &pitch, 4 * sizeof(float), 2, 16));
  for (int row = 0; row < 2; ++row) {
    DRIVER(cuMemcpyHtoD(p + row * pitch, values + 4 * row, 4 * sizeof(float)));
  }
  CUDA_RESOURCE_DESC resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {p, CU_AD_FORMAT_FLOAT, 1, 4, 2, pitch};
  read_row<<<1, 4>>>(texture_of(resource, 0), out);
  show("second row", results);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {p, CU_AD_FORMAT_FLOAT, 1, 4 * sizeof(float)};
  read_linear<<<1, 4>>>(texture_of(resource, 0), out);
  show("linear", results);
  CUtexObject texture = 0;
  const CUDA_TEXTURE_DESC how = {};
  resource.res.linear.numChannels = 3;
  printf("three channels: %s\n", named(cuTexObjectCreate(&texture, &resource, &how, nullptr)));
}

void pyramids(CUdeviceptr results, float* out) {
  const CUDA_ARRAY3D_DESCRIPTOR what = {8, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUmipmappedArray pyramid = nullptr;
  DRIVER(cuMipmappedArrayCreate(&pyramid, &what, 4));
  for (unsigned level = 0; level < 4; ++level) {
    CUarray array = nullptr;
    const float first = 10.0f * static_cast<float>(level);
    DRIVER(cuMipmappedArrayGetLevel(&array, pyramid, level));
    DRIVER(cuMemcpyHtoA(array, 0, &first, sizeof first));
  }
  CUDA_RESOURCE_DESC resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = pyramid;
  read_level<<<1, 4>>>(texture_of(resource, CU_TRSF_NORMALIZED_COORDINATES), out);
  show("levels", results);
  DRIVER(cuMipmappedArrayDestroy(pyramid));
}

int main() {
  use_primary_context();
  CUdeviceptr results = 0;
  DRIVER(cuMemAlloc(&results, 4 * sizeof(float)));
  float* out = reinterpret_cast<float*>(results);
  arrays(results, out);
  memory(results, out);
  pyramids(results, out);
}
