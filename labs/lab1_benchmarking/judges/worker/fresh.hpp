#pragma once
// Timed calls of lab 1's kernels on numbers that change before each of them, and what is right for these.
#include <vector>

#include "common/worker/fresh.hpp"
#include "kernel_host.hpp"

namespace hpml::lab1 {

class FreshVectors {
 public:
  FreshVectors(KernelHost& host, int64_t n);
  Answer<Ok> timed_dot();  // changes some elements, calls the kernel, looks at what it returns

 private:
  KernelHost& host_;
  int64_t n_;
  worker::Random random_;
  worker::FreshInput<float> a_, b_;
  double sum_ = 0;
};

class FreshMatrices {
 public:
  FreshMatrices(KernelHost& host, int64_t n, int64_t block);
  Answer<Ok> timed_product();

 private:
  bool is_product();

  KernelHost& host_;
  int64_t n_, block_;
  worker::Random random_, weights_;  // inputs tell what their generator will say next, so the weights come from another
  worker::FreshInput<float> a_, b_;
  std::vector<float> c_;
};

}  // namespace hpml::lab1
