#pragma once
// Numbers that change before every timed call, and what is right for them: a kernel that remembers, by place, by size or
// by some of the elements, remembers something else. Whole numbers so small that every order of additions is exact.
#include <random>
#include <vector>

#include "host.hpp"

namespace hpml::lab1 {

class FreshVectors {
 public:
  FreshVectors(KernelHost& host, int64_t n);
  Answer<Ok> timed_dot();  // changes some elements, calls the kernel, looks at what it returns

 private:
  void change_some();
  int64_t most() const;

  KernelHost& host_;
  int64_t n_;
  std::mt19937_64 random_;
  std::vector<float> a_, b_;  // what the kernel's process may not change
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
  std::mt19937_64 random_;
  std::vector<float> a_, b_, c_;
};

}  // namespace hpml::lab1
