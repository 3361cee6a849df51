#pragma once
// The kernels of stream.c and peak.c in a worker process, on arrays that are filled and compared here.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/worker/fresh.hpp"
#include "common/worker/host.hpp"
#include "common/worker/program.hpp"

namespace hpml::lab1 {

using worker::Answer;
using worker::Times;

// One of the four kernels: what it is called, what it reads, what is counted of it.
struct StreamKernel {
  const char* symbol;
  const char* declaration;
  const char* name;  // as stream.c prints it
  int bytes;         // per element
};
extern const std::array<StreamKernel, 4> kStreamKernels;

class StreamHost {
 public:
  static Answer<std::unique_ptr<StreamHost>> start(const std::string& library, int64_t longest);
  // Calls one after the other on n numbers, which have changed since the last time; fails where a result is wrong.
  // Times are the worker's: copies of this process are not in them.
  Answer<Times> call(size_t kernel, int64_t n, int64_t calls);

 private:
  StreamHost(std::unique_ptr<worker::Host> process, int64_t longest);

  std::unique_ptr<worker::Host> process_;
  int64_t longest_;
  worker::Random random_;
  worker::FreshInput<double> first_, second_;
  std::vector<double> result_;
};

class PeakHost {
 public:
  static constexpr int64_t kValues = 192;  // of peak.c
  static Answer<std::unique_ptr<PeakHost>> start(const std::string& library);
  // One call on fresh numbers. Each value must have been rounded as often as the loop rounds it, so nothing shorter
  // than the loop gives the result.
  Answer<Times> call(int64_t rounds);

 private:
  explicit PeakHost(std::unique_ptr<worker::Host> process);

  std::unique_ptr<worker::Host> process_;
  worker::Random random_;
};

}  // namespace hpml::lab1
