// resnet_gpu PLAN [check]: runs the layers of a plan on a GPU, one after the other. A line of a plan is
//   NAME OPERATOR PASS N H W CI CO K STRIDE PAD
// as `compare plan` prints it. Prints for each line its number of kernel launches and its time in microseconds by
// CUDA's events. check: also computes each result on the CPU, in double, and ends with exit code 1 where one is wrong.
// Numbers are made here, so a line's inputs are not the results of the line before it.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conv.cuh"
#include "layers.cuh"

namespace {

using Numbers = std::vector<float>;

void require(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "resnet_gpu: %s\n", cudaGetErrorString(status));
    std::exit(3);
  }
}

// An array of the GPU. Its numbers are small multiples of 1/8 of both signs.
class Array {
 public:
  void allocate(int64_t size, unsigned seed) {
    Numbers made(static_cast<size_t>(size));
    for (size_t i = 0; i < made.size(); ++i) {
      made[i] = static_cast<float>((i * 2654435761U + seed * 40503U) >> 7 & 15) / 8 - 0.9375F;
    }
    require(cudaMalloc(&memory_, made.size() * sizeof(float)));
    require(cudaMemcpy(memory_, made.data(), made.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  float* data() const { return memory_; }
  Numbers read(size_t size) const {
    Numbers numbers(size);
    require(cudaMemcpy(numbers.data(), memory_, size * sizeof(float), cudaMemcpyDeviceToHost));
    return numbers;
  }

 private:
  float* memory_ = nullptr;
};

struct Line {
  std::string name, op, pass;
  Conv shape;
  bool backward() const { return pass != "forward"; }
};

struct Memory {
  Array x, w, y, dx, dw, parts, mean, squares, dbeta, dgamma;
};

int slices_of(const Conv& c) { return std::clamp(c.pixels() / 512, 1, 32); }

// All memory that the plan needs, so that none is allocated while a line is timed.
void prepare(const std::vector<Line>& plan, Memory& m) {
  int64_t images = 1, weights = 1, outputs = 1, parts = 1, channels = 1;
  for (const Line& line : plan) {
    const Conv& c = line.shape;
    const int64_t own = int64_t{c.k} * c.k * c.ci * c.co;
    images = std::max(images, int64_t{c.n} * c.h * c.w * c.ci);
    weights = std::max(weights, own);
    parts = std::max(parts, slices_of(c) * own);
    outputs = std::max({outputs, int64_t{c.pixels()} * c.co, images});
    channels = std::max(channels, int64_t{c.ci});
  }
  const std::pair<Array*, int64_t> sizes[] = {
      {&m.x, images},    {&m.w, weights},     {&m.y, outputs},        {&m.dx, images},      {&m.dw, weights},
      {&m.parts, parts}, {&m.mean, channels}, {&m.squares, channels}, {&m.dbeta, channels}, {&m.dgamma, channels}};
  unsigned seed = 1;
  for (const auto& [array, size] : sizes) {
    array->allocate(size, seed++);
  }
}

// Launches the kernels of a line; returns how many.
// Parts of the pixels whose dw are worked out side by side: enough blocks for a GPU where the weights are few.
int run_convolution(const Line& line, Memory& m) {
  const Conv& c = line.shape;
  const int weights = c.k * c.k * c.ci * c.co;
  const float *x = m.x.data(), *w = m.w.data();
  float* y = m.y.data();
  if (!line.backward()) {
    launch_multiply(Forward{c, x, w, y});
    return 1;
  }
  const int slices = slices_of(c), slice = ((c.pixels() + slices - 1) / slices + kStep - 1) / kStep * kStep;
  float* parts = m.parts.data();
  launch_multiply(Weights{c, x, y, parts, slice}, slices);
  add_slices<<<blocks(weights), kBlock>>>(parts, slices, weights, m.dw.data());
  if (line.pass == "weights") {  // nobody needs the gradient by the image
    return 2;
  }
  launch_multiply(Data{c, w, y, m.dx.data()});
  return 3;
}

int run_batch_norm(const Line& line, Memory& m) {
  const Conv& c = line.shape;
  const int pixels = c.n * c.h * c.w, size = pixels * c.ci, groups = (c.ci + 31) / 32;
  const float* x = m.x.data();
  float *mean = m.mean.data(), *squares = m.squares.data();
  if (!line.backward()) {
    bn_statistics<<<groups, kBlock>>>(x, pixels, c.ci, mean, squares);
    bn_apply<<<blocks(size), kBlock>>>(x, mean, squares, size, c.ci, m.y.data());
    return 2;
  }
  const float* dy = m.y.data();
  float *dbeta = m.dbeta.data(), *dgamma = m.dgamma.data();
  bn_sums<<<groups, kBlock>>>(x, dy, mean, squares, pixels, c.ci, dbeta, dgamma);
  bn_gradient<<<blocks(size), kBlock>>>(x, dy, mean, squares, dbeta, dgamma, size, c.ci, m.dx.data());
  return 2;
}

int run_elementwise(const Line& line, Memory& m) {
  const Conv& c = line.shape;
  const int size = c.n * c.h * c.w * c.ci;
  const float* x = m.x.data();
  if (line.op == "add") {
    add<<<blocks(size), kBlock>>>(x, m.dx.data(), size, m.y.data());
  } else if (line.op == "relu") {
    if (line.backward()) {
      relu_backward<<<blocks(size), kBlock>>>(x, m.y.data(), size, m.dx.data());
    } else {
      relu_forward<<<blocks(size), kBlock>>>(x, size, m.y.data());
    }
  } else if (line.backward()) {
    pool_backward<<<blocks(size), kBlock>>>(m.y.data(), c.n, c.h * c.w, c.ci, m.dx.data());
  } else {
    pool_forward<<<blocks(c.n * c.ci), kBlock>>>(x, c.n, c.h * c.w, c.ci, m.y.data());
  }
  return 1;
}

int run_line(const Line& line, Memory& memory) {
  if (line.op == "conv2d" || line.op == "linear") {
    return run_convolution(line, memory);
  }
  return line.op == "batch_norm" ? run_batch_norm(line, memory) : run_elementwise(line, memory);
}

#include "check.hpp"

std::vector<Line> read_plan(const char* path) {
  std::ifstream file(path);
  std::vector<Line> lines;
  Line l;
  bool good = file.is_open();
  for (std::string text; good && std::getline(file, text);) {
    std::istringstream words(text);
    words >> l.name >> l.op >> l.pass;
    for (int* number :
         {&l.shape.n, &l.shape.h, &l.shape.w, &l.shape.ci, &l.shape.co, &l.shape.k, &l.shape.stride, &l.shape.pad}) {
      words >> *number;
    }
    good = !words.fail();
    if (good) {
      lines.push_back(l);
    }
  }
  if (!good || lines.empty()) {
    std::fprintf(stderr, "resnet_gpu: %s: no plan, or line %zu of it cannot be read\n", path, lines.size() + 1);
    std::exit(2);
  }
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  const bool checking = argc == 3 && std::strcmp(argv[2], "check") == 0;
  if (argc != 2 && !checking) {
    std::fprintf(stderr, "usage: resnet_gpu PLAN [check]\n");
    return 2;
  }
  Memory memory;
  cudaEvent_t start, end;
  require(cudaEventCreate(&start));
  require(cudaEventCreate(&end));
  bool right = true;
  const std::vector<Line> plan = read_plan(argv[1]);
  prepare(plan, memory);
  for (const Line& line : plan) {
    float ms = 0;
    require(cudaEventRecord(start));
    const int launches = run_line(line, memory);
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    require(cudaEventElapsedTime(&ms, start, end));
    std::printf("%s %s %d %.3f\n", line.name.c_str(), line.pass.c_str(), launches, 1000 * ms);
    right = (!checking || check_line(line, memory)) && right;
  }
  return right ? 0 : 1;
}
