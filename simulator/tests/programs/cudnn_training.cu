// Gradients of cuDNN's layers against differences of their results: convolution, bias, batch normalisation, activations, pooling
// and softmax, in double. Of each layer the sum of its results, weighted, is differentiated by each of its inputs.
#include <cudnn.h>

#include <cmath>
#include <functional>

#include "check.cuh"

#define CUDNN(call) check_cudnn((call), __LINE__)

static void check_cudnn(cudnnStatus_t status, int line) {
  if (status != CUDNN_STATUS_SUCCESS) {
    printf("line %d: %s\n", line, cudnnGetErrorString(status));
    exit(1);
  }
}

static cudnnHandle_t cudnn;
static const double kOne = 1, kZero = 0, kHalf = 0.5, kTwo = 2;

struct Data {
  cudnnTensorDescriptor_t shape;
  std::vector<double> values;
  double* device;

  Data(int n, int c, int h, int w) : values(static_cast<size_t>(n) * c * h * w), device(device_array<double>(values.size())) {
    CUDNN(cudnnCreateTensorDescriptor(&shape));
    CUDNN(cudnnSetTensor4dDescriptor(shape, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, n, c, h, w));
  }
  Data& fill(unsigned seed) {
    for (double& value : values) {
      seed = seed * 1664525U + 1013904223U;
      value = static_cast<double>(seed >> 8U) / (1U << 24U) - 0.5;
    }
    return up();
  }
  Data& up() {
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice));
    return *this;
  }
  const std::vector<double>& down() {
    CHECK(cudaMemcpy(values.data(), device, values.size() * sizeof(double), cudaMemcpyDeviceToHost));
    return values;
  }
};

// Weighted sum of y after `forward`.
static double loss(const std::function<void()>& forward, Data& y, const Data& weights) {
  forward();
  y.down();
  double sum = 0;
  for (size_t i = 0; i < y.values.size(); ++i) {
    sum += y.values[i] * weights.values[i];
  }
  return sum;
}

static void compare(const char* name, const std::function<void()>& forward, Data& y, const Data& weights, Data& input,
                    std::vector<double> gradient) {
  const double step = 1e-5;
  double worst = 0;
  for (size_t i = 0; i < input.values.size(); i += 1 + input.values.size() / 12) {
    const double before = input.values[i];
    input.values[i] = before + step;
    const double above = loss(forward, y, weights);
    input.values[i] = before - step;
    const double below = loss(forward, y, weights);
    input.values[i] = before;
    input.up();
    worst = std::fmax(worst, std::fabs((above - below) / (2 * step) - gradient[i]));
  }
  printf("%s: %s\n", name, worst < 1e-8 ? "right" : "wrong");
}

static void convolution(int groups, cudnnConvolutionMode_t mode) {
  Data x(2, 4, 5, 6), y(2, 6, 3, 3), dy(2, 6, 3, 3), dx(2, 4, 5, 6), bias(1, 6, 1, 1), db(1, 6, 1, 1);
  Data w(6, 4 / groups, 3, 2), dw(6, 4 / groups, 3, 2);
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t conv;
  CUDNN(cudnnCreateFilterDescriptor(&filter));
  CUDNN(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_DOUBLE, CUDNN_TENSOR_NCHW, 6, 4 / groups, 3, 2));
  CUDNN(cudnnCreateConvolutionDescriptor(&conv));
  CUDNN(cudnnSetConvolution2dDescriptor(conv, 1, 0, 2, 2, 1, 1, mode, CUDNN_DATA_DOUBLE));
  CUDNN(cudnnSetConvolutionGroupCount(conv, groups));
  x.fill(1), w.fill(2), dy.fill(3), bias.fill(4);
  const auto forward = [&] {
    x.up(), w.up(), bias.up();
    CUDNN(cudnnConvolutionForward(cudnn, &kOne, x.shape, x.device, filter, w.device, conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                  nullptr, 0, &kZero, y.shape, y.device));
    CUDNN(cudnnAddTensor(cudnn, &kOne, bias.shape, bias.device, &kOne, y.shape, y.device));
  };
  cudnnConvolutionBwdDataAlgoPerf_t data[6];
  cudnnConvolutionBwdFilterAlgoPerf_t filters[7];
  int found = 0;
  size_t bytes = 1;
  CUDNN(cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnn, filter, dy.shape, conv, dx.shape, 6, &found, data));
  CUDNN(cudnnFindConvolutionBackwardFilterAlgorithm(cudnn, x.shape, dy.shape, conv, filter, 7, &found, filters));
  CUDNN(cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnn, x.shape, dy.shape, conv, filter, filters[0].algo, &bytes));
  CUDNN(cudnnConvolutionBackwardData(cudnn, &kOne, filter, w.device, dy.shape, dy.device, conv, data[0].algo, nullptr, bytes, &kZero,
                                     dx.shape, dx.device));
  CUDNN(cudnnConvolutionBackwardFilter(cudnn, &kOne, x.shape, x.device, dy.shape, dy.device, conv, filters[0].algo, nullptr, bytes,
                                       &kZero, filter, dw.device));
  CUDNN(cudnnConvolutionBackwardBias(cudnn, &kOne, dy.shape, dy.device, &kZero, db.shape, db.device));
  compare("convolution by x", forward, y, dy, x, dx.down());
  compare("convolution by w", forward, y, dy, w, dw.down());
  compare("convolution by bias", forward, y, dy, bias, db.down());
  // With alpha = 0.5 and beta = 2 the result is half of the gradient plus twice the value in dw.
  CUDNN(cudnnConvolutionBackwardFilter(cudnn, &kHalf, x.shape, x.device, dy.shape, dy.device, conv, filters[0].algo, nullptr, bytes,
                                       &kTwo, filter, dw.device));
  const std::vector<double> once = dw.values;
  printf("blended: %s\n", std::fabs(dw.down()[5] - 2.5 * once[5]) < 1e-12 ? "right" : "wrong");
}

static void activation(cudnnActivationMode_t mode, const char* name) {
  Data x(1, 2, 3, 4), y(1, 2, 3, 4), dy(1, 2, 3, 4), dx(1, 2, 3, 4);
  cudnnActivationDescriptor_t how;
  CUDNN(cudnnCreateActivationDescriptor(&how));
  CUDNN(cudnnSetActivationDescriptor(how, mode, CUDNN_PROPAGATE_NAN, 0.3));
  x.fill(5), dy.fill(6);
  const auto forward = [&] {
    x.up();
    CUDNN(cudnnActivationForward(cudnn, how, &kOne, x.shape, x.device, &kZero, y.shape, y.device));
  };
  forward();
  CUDNN(cudnnActivationBackward(cudnn, how, &kOne, y.shape, y.device, dy.shape, dy.device, x.shape, x.device, &kZero, dx.shape,
                                dx.device));
  compare(name, forward, y, dy, x, dx.down());
}

static void pooling(cudnnPoolingMode_t mode, const char* name) {
  Data x(2, 2, 5, 5), y(2, 2, 3, 3), dy(2, 2, 3, 3), dx(2, 2, 5, 5);
  cudnnPoolingDescriptor_t how;
  CUDNN(cudnnCreatePoolingDescriptor(&how));
  CUDNN(cudnnSetPooling2dDescriptor(how, mode, CUDNN_PROPAGATE_NAN, 3, 3, 1, 1, 2, 2));
  x.fill(7), dy.fill(8);
  const auto forward = [&] {
    x.up();
    CUDNN(cudnnPoolingForward(cudnn, how, &kOne, x.shape, x.device, &kZero, y.shape, y.device));
  };
  forward();
  CUDNN(cudnnPoolingBackward(cudnn, how, &kOne, y.shape, y.device, dy.shape, dy.device, x.shape, x.device, &kZero, dx.shape,
                             dx.device));
  compare(name, forward, y, dy, x, dx.down());
}

static void softmax(cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode, const char* name) {
  Data x(2, 5, 2, 2), y(2, 5, 2, 2), dy(2, 5, 2, 2), dx(2, 5, 2, 2);
  x.fill(9), dy.fill(10);
  const auto forward = [&] {
    x.up();
    CUDNN(cudnnSoftmaxForward(cudnn, algorithm, mode, &kOne, x.shape, x.device, &kZero, y.shape, y.device));
  };
  forward();
  double sum = 0;
  const std::vector<double>& shares = y.down();
  for (size_t i = 0; i < shares.size(); ++i) {
    sum += algorithm == CUDNN_SOFTMAX_LOG ? std::exp(shares[i]) : shares[i];
  }
  printf("shares of %.3f groups\n", sum);
  CUDNN(cudnnSoftmaxBackward(cudnn, algorithm, mode, &kOne, y.shape, y.device, dy.shape, dy.device, &kZero, dx.shape, dx.device));
  compare(name, forward, y, dy, x, dx.down());
}

static void normalisation(cudnnBatchNormMode_t mode, const char* name) {
  const double epsilon = 1e-3;
  Data x(4, 3, 2, 2), y(4, 3, 2, 2), dy(4, 3, 2, 2), dx(4, 3, 2, 2);
  const int side = mode == CUDNN_BATCHNORM_PER_ACTIVATION ? 2 : 1;
  Data scale(1, 3, side, side), bias(1, 3, side, side), ds(1, 3, side, side), db(1, 3, side, side), mean(1, 3, side, side),
      variance(1, 3, side, side), saved(1, 3, side, side), inverse(1, 3, side, side);
  cudnnTensorDescriptor_t shape;
  CUDNN(cudnnCreateTensorDescriptor(&shape));
  CUDNN(cudnnDeriveBNTensorDescriptor(shape, x.shape, mode));
  x.fill(11), scale.fill(12), bias.fill(13), dy.fill(14);
  const auto forward = [&] {
    x.up(), scale.up(), bias.up();
    CUDNN(cudnnBatchNormalizationForwardTraining(cudnn, mode, &kOne, &kZero, x.shape, x.device, y.shape, y.device, shape, scale.device,
                                                 bias.device, 1, mean.device, variance.device, epsilon, saved.device, inverse.device));
  };
  forward();
  CUDNN(cudnnBatchNormalizationBackward(cudnn, mode, &kOne, &kZero, &kOne, &kZero, x.shape, x.device, dy.shape, dy.device, dx.shape,
                                        dx.device, shape, scale.device, ds.device, db.device, epsilon, saved.device, inverse.device));
  // With the batch's own statistics inference gives what training gave; the running variance is that of a sample.
  const double count = mode == CUDNN_BATCHNORM_PER_ACTIVATION ? 4 : 16;
  for (double& one : variance.values) {
    one = 0;
  }
  const std::vector<double> trained = y.down();
  variance.down();
  for (double& one : variance.values) {
    one *= (count - 1) / count;
  }
  variance.up();
  CUDNN(cudnnBatchNormalizationForwardInference(cudnn, mode, &kOne, &kZero, x.shape, x.device, y.shape, y.device, shape, scale.device,
                                                bias.device, mean.device, variance.device, epsilon));
  y.down();
  double worst = 0;
  for (size_t i = 0; i < trained.size(); ++i) {
    worst = std::fmax(worst, std::fabs(trained[i] - y.values[i]));
  }
  printf("inference: %s\n", worst < 1e-12 ? "as trained" : "other");
  compare(name, forward, y, dy, x, dx.down());
  compare("by scale", forward, y, dy, scale, ds.down());
  compare("by bias", forward, y, dy, bias, db.down());
}

int main() {
  CUDNN(cudnnCreate(&cudnn));
  convolution(1, CUDNN_CROSS_CORRELATION);
  convolution(2, CUDNN_CONVOLUTION);
  activation(CUDNN_ACTIVATION_SIGMOID, "sigmoid");
  activation(CUDNN_ACTIVATION_RELU, "ReLU");
  activation(CUDNN_ACTIVATION_TANH, "tanh");
  activation(CUDNN_ACTIVATION_CLIPPED_RELU, "clipped ReLU");
  activation(CUDNN_ACTIVATION_ELU, "ELU");
  pooling(CUDNN_POOLING_MAX, "largest");
  pooling(CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING, "average with padding");
  pooling(CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING, "average without padding");
  softmax(CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, "softmax of channels");
  softmax(CUDNN_SOFTMAX_LOG, CUDNN_SOFTMAX_MODE_INSTANCE, "logarithm of a softmax");
  normalisation(CUDNN_BATCHNORM_SPATIAL, "normalised by channel");
  normalisation(CUDNN_BATCHNORM_PER_ACTIVATION, "normalised by element");
  return 0;
}
