// Boxes copied between pitched memory, arrays and the host; three-dimensional fills.
#include "check.cuh"

__global__ void mark(char* base, size_t pitch, int width, int height, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height * depth) {
    const int x = i % width, y = i / width % height, z = i / (width * height);
    reinterpret_cast<int*>(base + (z * height + y) * pitch)[x] += 100 * z + 10 * y + x;
  }
}

int main() {
  const int width = 5, height = 4, depth = 3;
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  printf("pitch holds a row: %d, xsize %zu, ysize %zu\n", box.pitch >= extent.width, box.xsize, box.ysize);
  CHECK(cudaMemset3D(box, 0, extent));
  mark<<<1, 64>>>(static_cast<char*>(box.ptr), box.pitch, width, height, depth);
  check_launch();

  std::vector<int> host(width * height * depth, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  printf("%d %d %d, sum %lld\n", host[0], host[width + 2], host.back(), checksum(host));

  // A corner of the box: positions are bytes, rows and layers.
  std::vector<int> corner(2 * 2 * 2, -1);
  copy.srcPos = make_cudaPos(3 * sizeof(int), 2, 1);
  copy.dstPtr = make_cudaPitchedPtr(corner.data(), 2 * sizeof(int), 2, 2);
  copy.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
  CHECK(cudaMemcpy3D(&copy));
  printf("corner %d %d %d %d | %d %d %d %d\n", corner[0], corner[1], corner[2], corner[3], corner[4], corner[5],
         corner[6], corner[7]);

  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth)));
  cudaMemcpy3DParms in = {};
  in.srcPtr = box;
  in.dstArray = array;
  in.extent = make_cudaExtent(width, height, depth);  // elements where an array takes part
  in.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaMemcpy3D(&in));
  std::vector<int> back(host.size(), -1);
  cudaMemcpy3DParms out = {};
  out.srcArray = array;
  out.dstPtr = make_cudaPitchedPtr(back.data(), width * sizeof(int), width, height);
  out.extent = in.extent;
  out.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&out));
  printf("through an array: %s\n", back == host ? "same" : "different");
  cudaChannelFormatDesc read;
  cudaExtent size;
  unsigned flags;
  CHECK(cudaArrayGetInfo(&read, &size, &flags, array));
  printf("array of %zu x %zu x %zu, %d bits, kind %d\n", size.width, size.height, size.depth, read.x, (int)read.f);
  in.extent.width = width + 1;
  printf("too wide: %s\n", cudaGetErrorName(cudaMemcpy3D(&in)));
  CHECK(cudaFreeArray(array));

  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpy2DToArray(array, sizeof(int), 1, host.data(), width * sizeof(int), 2 * sizeof(int), 2,
                            cudaMemcpyHostToDevice));
  int cells[4];
  CHECK(cudaMemcpy2DFromArray(cells, 2 * sizeof(int), array, sizeof(int), 1, 2 * sizeof(int), 2,
                              cudaMemcpyDeviceToHost));
  printf("cells %d %d %d %d\n", cells[0], cells[1], cells[2], cells[3]);
  CHECK(cudaFreeArray(array));
  out.srcArray = nullptr;
  out.srcPtr = cudaPitchedPtr();
  printf("no source: %s\n", cudaGetErrorName(cudaMemcpy3D(&out)));
  CHECK(cudaFree(box.ptr));
}
