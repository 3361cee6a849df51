#pragma once
// What lab1_worker can do. Each returns the exit status: 0 done, or one of common/worker/failure.hpp.
#include <cstdint>
#include <string>
#include <vector>

#include "common/worker/failure.hpp"

namespace hpml::lab1 {

// Says it on stderr and returns the status.
int complain(int status, const std::string& line);
int complain(const worker::Failure& failure);

// Calls a kernel on chosen data and writes one line per size, each before the next call.
struct CallsOptions {
  std::string library, symbol, data;
  std::vector<int64_t> sizes;
  bool by_library = false;  // every element must go through one call of cblas_sdot
};
int run_calls(const CallsOptions& options);

// Starts a program whose clocks advance by given steps; never returns when that works.
struct ScriptedOptions {
  std::string clock;  // the library lab1_clock
  uint64_t seed = 0;
  std::vector<std::string> command;
};
int run_scripted(const ScriptedOptions& options);

// Calls a matrix product on chosen data and writes the elements of every result.
struct ProductOptions {
  std::string library, symbol, data;
  int64_t block = 1;
  std::vector<int64_t> sizes;
};
int run_product(const ProductOptions& options);

// The ratio of two matrix products of one library, measured side by side.
struct RaceOptions {
  std::string library, symbol_a, symbol_b;
  int64_t size = 1, block = 1;
};
int run_race(const RaceOptions& options);

// Calls the four kernels of stream.c on arrays of each size; says what is wrong, or nothing.
struct ArraysOptions {
  std::string library;
  std::vector<int64_t> sizes;
};
int run_arrays(const ArraysOptions& options);

// The ratio of two kernels, measured side by side; a library "ours" is the reference.
struct PairOptions {
  std::string library_a, symbol_a, library_b, symbol_b;
  int64_t size = 1 << 16;
  bool by_library = false;  // side a, as in CallsOptions
};
int run_pair(const PairOptions& options);

// A program's outputs beside times of a reference: dot (a kernel of a library), stream or peak (ours, and the kernels
// of the student's library).
struct BesideOptions {
  std::string reference, library, symbol;
  int64_t size = 0;  // elements for dot, bytes of each array for stream
  int rounds = 7;
  std::vector<std::string> command;
};
int run_beside(const BesideOptions& options);

}  // namespace hpml::lab1
