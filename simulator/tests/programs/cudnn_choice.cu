// Which algorithm cuDNN finds fastest, by shape and precision, and what its calls answer to mistakes.
#include <cudnn.h>

#include <cstdio>

struct Problem {
  cudnnTensorDescriptor_t x, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t conv;
};

static Problem make(cudnnDataType_t type, int n, int c, int h, int k, int r, int stride) {
  Problem p;
  cudnnCreateTensorDescriptor(&p.x);
  cudnnCreateTensorDescriptor(&p.y);
  cudnnCreateFilterDescriptor(&p.w);
  cudnnCreateConvolutionDescriptor(&p.conv);
  cudnnSetTensor4dDescriptor(p.x, CUDNN_TENSOR_NCHW, type, n, c, h, h);
  cudnnSetFilter4dDescriptor(p.w, type, CUDNN_TENSOR_NCHW, k, c, r, r);
  cudnnSetConvolution2dDescriptor(p.conv, r / 2, r / 2, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION, type);
  const int out = (h + 2 * (r / 2) - r) / stride + 1;
  cudnnSetTensor4dDescriptor(p.y, CUDNN_TENSOR_NCHW, type, n, k, out, out);
  return p;
}

static cudnnConvolutionFwdAlgoPerf_t fastest(cudnnHandle_t cudnn, const Problem& p) {
  cudnnConvolutionFwdAlgoPerf_t found[10];
  int count = 0;
  cudnnFindConvolutionForwardAlgorithm(cudnn, p.x, p.w, p.conv, p.y, 10, &count, found);
  bool ordered = true;
  for (int i = 1; i < count; ++i) {
    const bool both = found[i].status == CUDNN_STATUS_SUCCESS && found[i - 1].status == CUDNN_STATUS_SUCCESS;
    ordered = ordered && (both ? found[i - 1].time <= found[i].time : found[i].status != CUDNN_STATUS_SUCCESS);
  }
  std::printf("%d results, ordered %d: ", count, ordered);
  return found[0];
}

int main() {
  cudnnHandle_t cudnn;
  cudnnCreate(&cudnn);
  const auto winograd = [](const cudnnConvolutionFwdAlgoPerf_t& best) {
    return best.algo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD ||
           best.algo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
  };
  const Problem lab = make(CUDNN_DATA_DOUBLE, 1, 3, 1024, 64, 3, 1);
  const auto best = fastest(cudnn, lab);
  std::printf("double 3x3: implicit GEMM %d, workspace %zu\n", best.algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
              best.memory);
  std::printf("float 3x3, 128 channels: Winograd %d\n",
              winograd(fastest(cudnn, make(CUDNN_DATA_FLOAT, 32, 128, 56, 128, 3, 1))));
  std::printf("float 3x3, stride 2: Winograd %d\n",
              winograd(fastest(cudnn, make(CUDNN_DATA_FLOAT, 32, 128, 56, 128, 3, 2))));
  const auto pointwise = fastest(cudnn, make(CUDNN_DATA_FLOAT, 32, 256, 28, 64, 1, 1));
  std::printf("float 1x1: implicit %d\n", pointwise.algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
                                              pointwise.algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
  const auto half = fastest(cudnn, make(CUDNN_DATA_HALF, 32, 256, 28, 256, 3, 1));
  const auto single = fastest(cudnn, make(CUDNN_DATA_FLOAT, 32, 256, 28, 256, 3, 1));
  std::printf("half at least twice as fast as float %d\n", half.time * 2 < single.time);

  size_t bytes = 0;
  std::printf("%s\n", cudnnGetErrorString(cudnnGetConvolutionForwardWorkspaceSize(
                          cudnn, lab.x, lab.w, lab.conv, lab.y, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, &bytes)));
  std::printf("%s\n", cudnnGetErrorString(cudnnGetConvolutionForwardWorkspaceSize(
                          cudnn, lab.x, lab.w, lab.conv, lab.y, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, &bytes)));
  cudnnSetTensor4dDescriptor(lab.y, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, 64, 1022, 1022);
  const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(
      cudnn, lab.x, lab.w, lab.conv, lab.y, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes);
  std::printf("output of another size refused %d\n", status != CUDNN_STATUS_SUCCESS);
  cudnnDestroy(cudnn);
  return 0;
}
