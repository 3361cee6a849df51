// Part C: direct, tiled and cuDNN convolution in double precision.
#include <cudnn.h>

#include "conv.h"

// BEGIN STUDENT
namespace {

const int kTileWidth = 32;  // one warp: 32 neighbouring x
const int kTileHeight = 8;

size_t input_bytes(const ConvShape& s) { return sizeof(double) * s.C * s.H * s.W; }
size_t padded_bytes(const ConvShape& s) { return sizeof(double) * s.C * (s.H + 2 * s.P) * (s.W + 2 * s.P); }
size_t filter_bytes(const ConvShape& s) { return sizeof(double) * s.K * s.C * s.FH * s.FW; }
size_t output_bytes(const ConvShape& s) { return sizeof(double) * s.K * s.H * s.W; }

// One array on the GPU, freed at the end of its scope.
class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes_(bytes) { CUDA_CHECK(cudaMalloc(&data_, bytes)); }
  Buffer(const double* host, size_t bytes) : Buffer(bytes) {
    CUDA_CHECK(cudaMemcpy(data_, host, bytes, cudaMemcpyHostToDevice));
  }
  ~Buffer() { CUDA_CHECK(cudaFree(data_)); }
  void copy_to(double* host) const { CUDA_CHECK(cudaMemcpy(host, data_, bytes_, cudaMemcpyDeviceToHost)); }
  double* get() const { return static_cast<double*>(data_); }

 private:
  void* data_ = NULL;
  size_t bytes_;
};

// Milliseconds of the second of two calls: the first one warms up.
template <class Launch>
double time_ms(Launch launch) {
  launch();
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  CUDA_CHECK(cudaEventRecord(begin));
  launch();
  CUDA_CHECK(cudaEventRecord(end));
  CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  return milliseconds;
}

__global__ void direct(const double* I0, const double* F, double* O, ConvShape s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z;
  if (x >= s.W || y >= s.H) {
    return;
  }
  const int width = s.W + 2 * s.P;
  const int height = s.H + 2 * s.P;
  double sum = 0;
  for (int c = 0; c < s.C; ++c) {
    const double* rows = I0 + (static_cast<size_t>(c) * height + y) * width + x;
    const double* filter = F + (static_cast<size_t>(k) * s.C + c) * s.FH * s.FW;
    for (int j = 0; j < s.FH; ++j) {
      for (int i = 0; i < s.FW; ++i) {
        sum += filter[(s.FH - 1 - j) * s.FW + s.FW - 1 - i] * rows[j * width + i];
      }
    }
  }
  O[(static_cast<size_t>(k) * s.H + y) * s.W + x] = sum;
}

// Shared memory: the tile of I0 with its rim, then the filter, both for one channel.
__global__ void tiled(const double* I0, const double* F, double* O, ConvShape s) {
  extern __shared__ double shared[];
  const int tile_width = kTileWidth + s.FW - 1;
  const int tile_size = tile_width * (kTileHeight + s.FH - 1);
  const int filter_size = s.FH * s.FW;
  double* const tile = shared;
  double* const filter = shared + tile_size;
  const int thread = threadIdx.y * kTileWidth + threadIdx.x;
  const int left = blockIdx.x * kTileWidth;
  const int top = blockIdx.y * kTileHeight;
  const int x = left + threadIdx.x;
  const int y = top + threadIdx.y;
  const int k = blockIdx.z;
  const int width = s.W + 2 * s.P;
  const int height = s.H + 2 * s.P;
  double sum = 0;
  for (int c = 0; c < s.C; ++c) {
    for (int at = thread; at < tile_size; at += kTileWidth * kTileHeight) {
      const int from_x = left + at % tile_width;
      const int from_y = top + at / tile_width;
      tile[at] = from_x < width && from_y < height ? I0[(static_cast<size_t>(c) * height + from_y) * width + from_x] : 0;
    }
    for (int at = thread; at < filter_size; at += kTileWidth * kTileHeight) {
      filter[at] = F[(static_cast<size_t>(k) * s.C + c) * filter_size + at];
    }
    __syncthreads();
    for (int j = 0; j < s.FH; ++j) {
      for (int i = 0; i < s.FW; ++i) {
        sum += filter[filter_size - 1 - j * s.FW - i] * tile[(threadIdx.y + j) * tile_width + threadIdx.x + i];
      }
    }
    __syncthreads();
  }
  if (x < s.W && y < s.H) {
    O[(static_cast<size_t>(k) * s.H + y) * s.W + x] = sum;
  }
}

dim3 grid_of(const ConvShape& s) {
  return dim3((s.W + kTileWidth - 1) / kTileWidth, (s.H + kTileHeight - 1) / kTileHeight, s.K);
}

}  // namespace

double conv_c1_ms(const double* I0, const double* F, double* O, ConvShape s) {
  const Buffer input(I0, padded_bytes(s)), filter(F, filter_bytes(s)), output(output_bytes(s));
  const double ms = time_ms([&] {
    direct<<<grid_of(s), dim3(kTileWidth, kTileHeight)>>>(input.get(), filter.get(), output.get(), s);
    CUDA_CHECK(cudaGetLastError());
  });
  output.copy_to(O);
  return ms;
}

double conv_c2_ms(const double* I0, const double* F, double* O, ConvShape s) {
  const Buffer input(I0, padded_bytes(s)), filter(F, filter_bytes(s)), output(output_bytes(s));
  const size_t shared =
      sizeof(double) * ((kTileWidth + s.FW - 1) * (kTileHeight + s.FH - 1) + s.FH * s.FW);
  const double ms = time_ms([&] {
    tiled<<<grid_of(s), dim3(kTileWidth, kTileHeight), shared>>>(input.get(), filter.get(), output.get(), s);
    CUDA_CHECK(cudaGetLastError());
  });
  output.copy_to(O);
  return ms;
}

double conv_c3_ms(const double* I, const double* F, double* O, ConvShape s) {
  cudnnHandle_t cudnn;
  cudnnTensorDescriptor_t in, out;
  cudnnFilterDescriptor_t weights;
  cudnnConvolutionDescriptor_t convolution;
  CUDNN_CHECK(cudnnCreate(&cudnn));
  CUDNN_CHECK(cudnnCreateTensorDescriptor(&in));
  CUDNN_CHECK(cudnnCreateTensorDescriptor(&out));
  CUDNN_CHECK(cudnnCreateFilterDescriptor(&weights));
  CUDNN_CHECK(cudnnCreateConvolutionDescriptor(&convolution));
  CUDNN_CHECK(cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, s.C, s.H, s.W));
  CUDNN_CHECK(cudnnSetTensor4dDescriptor(out, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, s.K, s.H, s.W));
  CUDNN_CHECK(cudnnSetFilter4dDescriptor(weights, CUDNN_DATA_DOUBLE, CUDNN_TENSOR_NCHW, s.K, s.C, s.FH, s.FW));
  CUDNN_CHECK(cudnnSetConvolution2dDescriptor(convolution, s.P, s.P, 1, 1, 1, 1, CUDNN_CONVOLUTION,
                                              CUDNN_DATA_DOUBLE));
  int found = 0;
  cudnnConvolutionFwdAlgoPerf_t fastest;
  CUDNN_CHECK(cudnnFindConvolutionForwardAlgorithm(cudnn, in, weights, convolution, out, 1, &found, &fastest));
  CUDNN_CHECK(fastest.status);
  size_t workspace_bytes = 0;
  CUDNN_CHECK(cudnnGetConvolutionForwardWorkspaceSize(cudnn, in, weights, convolution, out, fastest.algo,
                                                      &workspace_bytes));
  double ms = 0;
  {
    const Buffer input(I, input_bytes(s)), filter(F, filter_bytes(s)), output(output_bytes(s));
    const Buffer workspace(workspace_bytes);
    const double one = 1, zero = 0;
    ms = time_ms([&] {
      CUDNN_CHECK(cudnnConvolutionForward(cudnn, &one, in, input.get(), weights, filter.get(), convolution,
                                          fastest.algo, workspace.get(), workspace_bytes, &zero, out, output.get()));
    });
    output.copy_to(O);
  }
  CUDNN_CHECK(cudnnDestroyConvolutionDescriptor(convolution));
  CUDNN_CHECK(cudnnDestroyFilterDescriptor(weights));
  CUDNN_CHECK(cudnnDestroyTensorDescriptor(out));
  CUDNN_CHECK(cudnnDestroyTensorDescriptor(in));
  CUDNN_CHECK(cudnnDestroy(cudnn));
  return ms;
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
