// Layers of cuDNN beside convolutions: bias, activations, pooling.
#include <cudnn.h>

#include <cstdio>
#include <vector>

static const int kN = 2, kC = 3, kH = 6, kW = 5;

static float value(int i) { return static_cast<float>(i * 7 % 11 - 5); }

int main() {
  cudnnHandle_t cudnn;
  cudnnCreate(&cudnn);
  cudnnTensorDescriptor_t x, bias, pooled;
  cudnnCreateTensorDescriptor(&x);
  cudnnCreateTensorDescriptor(&bias);
  cudnnCreateTensorDescriptor(&pooled);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, kN, kC, kH, kW);
  cudnnSetTensor4dDescriptor(bias, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kC, 1, 1);
  const int count = kN * kC * kH * kW;
  std::vector<float> host(count), result(count);
  for (int i = 0; i < count; ++i) {
    host[i] = value(i);
  }
  const float biases[kC] = {1, 2, 3}, one = 1, zero = 0;
  float *dx = nullptr, *dy = nullptr, *db = nullptr;
  cudaMalloc(&dx, count * sizeof(float));
  cudaMalloc(&dy, count * sizeof(float));
  cudaMalloc(&db, sizeof biases);
  cudaMemcpy(dx, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, biases, sizeof biases, cudaMemcpyHostToDevice);

  cudnnAddTensor(cudnn, &one, bias, db, &one, x, dx);
  cudaMemcpy(result.data(), dx, count * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    host[i] += biases[i / (kH * kW) % kC];
    wrong += result[i] != host[i];
  }
  cudnnActivationDescriptor_t relu;
  cudnnCreateActivationDescriptor(&relu);
  cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0);
  cudnnActivationForward(cudnn, relu, &one, x, dx, &zero, x, dy);
  cudaMemcpy(result.data(), dy, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    wrong += result[i] != (host[i] > 0 ? host[i] : 0);
  }
  std::printf("bias and ReLU: %d wrong\n", wrong);

  cudnnPoolingDescriptor_t pool;
  cudnnCreatePoolingDescriptor(&pool);
  for (const cudnnPoolingMode_t mode : {CUDNN_POOLING_MAX, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING}) {
    cudnnSetPooling2dDescriptor(pool, mode, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2);
    int n = 0, c = 0, h = 0, w = 0;
    cudnnGetPooling2dForwardOutputDim(pool, x, &n, &c, &h, &w);
    cudnnSetTensor4dDescriptor(pooled, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w);
    cudnnPoolingForward(cudnn, pool, &one, x, dx, &zero, pooled, dy);
    cudaMemcpy(result.data(), dy, n * c * h * w * sizeof(float), cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int i = 0; i < n * c * h * w; ++i) {
      const int plane = i / (h * w), row = i / w % h * 2, column = i % w * 2;
      float most = -1e9f, sum = 0;
      for (int part = 0; part < 4; ++part) {
        const float v = host[plane * kH * kW + (row + part / 2) * kW + column + part % 2];
        most = v > most ? v : most;
        sum += v;
      }
      wrong += result[i] != (mode == CUDNN_POOLING_MAX ? most : sum / 4);
    }
    std::printf("pooling %d of %d x %d: %d wrong\n", static_cast<int>(mode), h, w, wrong);
  }
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(db);
  cudnnDestroy(cudnn);
  return 0;
}
