// Every forward algorithm of cuDNN that can do a problem gives the result of the definition: padding, strides, dilation,
// groups, both modes, float, double and half, alpha and beta. Small whole numbers: exact in any order.
#include <cuda_fp16.h>
#include <cudnn.h>

#include <cstdio>
#include <vector>

struct Shape {
  int n, c, h, w, k, r, s, pad_h, pad_w, stride, dilation, groups;
  cudnnConvolutionMode_t mode;
};

static int x_value(size_t i) { return static_cast<int>(i * 7 % 11) - 5; }
static int w_value(size_t i) { return static_cast<int>(i * 5 % 7) - 3; }
static int y_value(size_t i) { return static_cast<int>(i % 3); }

static double expected(const Shape& p, int n, int k, int oy, int ox) {
  const int channels = p.c / p.groups;
  const int group = k / (p.k / p.groups);
  double sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int r = 0; r < p.r; ++r) {
      for (int s = 0; s < p.s; ++s) {
        const int y = oy * p.stride + r * p.dilation - p.pad_h;
        const int x = ox * p.stride + s * p.dilation - p.pad_w;
        if (y < 0 || x < 0 || y >= p.h || x >= p.w) {
          continue;
        }
        const bool flip = p.mode == CUDNN_CONVOLUTION;
        const int row = flip ? p.r - 1 - r : r;
        const int column = flip ? p.s - 1 - s : s;
        sum += x_value(((static_cast<size_t>(n) * p.c + group * channels + c) * p.h + y) * p.w + x) *
               w_value(((static_cast<size_t>(k) * channels + c) * p.r + row) * p.s + column);
      }
    }
  }
  return sum;
}

template <class T>
static T* upload(size_t count, int (*value)(size_t)) {
  std::vector<T> host(count);
  for (size_t i = 0; i < count; ++i) {
    host[i] = static_cast<T>(static_cast<float>(value(i)));
  }
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T, class Scalar>
static int run(cudnnHandle_t cudnn, const Shape& p, cudnnDataType_t type, cudnnDataType_t compute, int* algorithms) {
  cudnnTensorDescriptor_t xd, yd;
  cudnnFilterDescriptor_t wd;
  cudnnConvolutionDescriptor_t cd;
  cudnnCreateTensorDescriptor(&xd);
  cudnnCreateTensorDescriptor(&yd);
  cudnnCreateFilterDescriptor(&wd);
  cudnnCreateConvolutionDescriptor(&cd);
  cudnnSetTensor4dDescriptor(xd, CUDNN_TENSOR_NCHW, type, p.n, p.c, p.h, p.w);
  cudnnSetFilter4dDescriptor(wd, type, CUDNN_TENSOR_NCHW, p.k, p.c / p.groups, p.r, p.s);
  cudnnSetConvolution2dDescriptor(cd, p.pad_h, p.pad_w, p.stride, p.stride, p.dilation, p.dilation, p.mode, compute);
  cudnnSetConvolutionGroupCount(cd, p.groups);
  int n = 0, k = 0, oh = 0, ow = 0;
  cudnnGetConvolution2dForwardOutputDim(cd, xd, wd, &n, &k, &oh, &ow);
  cudnnSetTensor4dDescriptor(yd, CUDNN_TENSOR_NCHW, type, n, k, oh, ow);
  T* const x = upload<T>(static_cast<size_t>(p.n) * p.c * p.h * p.w, x_value);
  T* const w = upload<T>(static_cast<size_t>(p.k) * p.c / p.groups * p.r * p.s, w_value);
  const size_t count = static_cast<size_t>(n) * k * oh * ow;
  int wrong = 0;
  for (int algorithm = 0; algorithm < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; ++algorithm) {
    const auto algo = static_cast<cudnnConvolutionFwdAlgo_t>(algorithm);
    size_t bytes = 0;
    if (cudnnGetConvolutionForwardWorkspaceSize(cudnn, xd, wd, cd, yd, algo, &bytes) != CUDNN_STATUS_SUCCESS) {
      continue;
    }
    ++*algorithms;
    void* workspace = nullptr;
    cudaMalloc(&workspace, bytes);
    T* const y = upload<T>(count, y_value);
    const Scalar alpha = 2, beta = 3;
    wrong += cudnnConvolutionForward(cudnn, &alpha, xd, x, wd, w, cd, algo, workspace, bytes, &beta, yd, y) !=
             CUDNN_STATUS_SUCCESS;
    std::vector<T> result(count);
    cudaMemcpy(result.data(), y, count * sizeof(T), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < count; ++i) {
      const int at = static_cast<int>(i);
      const double wanted = 2 * expected(p, at / (k * oh * ow), at / (oh * ow) % k, at / ow % oh, at % ow) +
                            3 * y_value(i);
      wrong += static_cast<double>(static_cast<float>(result[i])) != wanted;
    }
    cudaFree(y);
    cudaFree(workspace);
  }
  cudaFree(x);
  cudaFree(w);
  cudnnDestroyConvolutionDescriptor(cd);
  cudnnDestroyFilterDescriptor(wd);
  cudnnDestroyTensorDescriptor(yd);
  cudnnDestroyTensorDescriptor(xd);
  return wrong;
}

int main() {
  cudnnHandle_t cudnn;
  cudnnCreate(&cudnn);
  const Shape shapes[] = {
      {1, 3, 12, 17, 5, 3, 3, 1, 1, 1, 1, 1, CUDNN_CONVOLUTION},
      {2, 4, 9, 11, 6, 3, 3, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION},
      {1, 4, 10, 8, 6, 3, 3, 1, 0, 2, 1, 2, CUDNN_CROSS_CORRELATION},
      {1, 2, 13, 14, 3, 3, 3, 2, 2, 1, 2, 1, CUDNN_CROSS_CORRELATION},
      {1, 2, 10, 9, 4, 5, 5, 2, 2, 1, 1, 1, CUDNN_CONVOLUTION},
      {2, 6, 7, 5, 4, 1, 1, 0, 0, 1, 1, 1, CUDNN_CONVOLUTION},
      {1, 2, 8, 9, 3, 3, 2, 0, 1, 1, 1, 1, CUDNN_CONVOLUTION},
  };
  for (const Shape& p : shapes) {
    int algorithms[3] = {};
    const int in_float = run<float, float>(cudnn, p, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, &algorithms[0]);
    const int in_double = run<double, double>(cudnn, p, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE, &algorithms[1]);
    const int in_half = run<__half, float>(cudnn, p, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT, &algorithms[2]);
    std::printf("wrong elements: float %d in %d algorithms, double %d in %d, half %d in %d\n", in_float, algorithms[0],
                in_double, algorithms[1], in_half, algorithms[2]);
  }
  cudnnDestroy(cudnn);
  return 0;
}
