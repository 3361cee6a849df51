#pragma once
// qgemm.cpp of a student in a worker process. Inputs and outputs end at guard pages; packed weights stay in the worker.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cases.hpp"
#include "common/worker/host.hpp"
#include "levels.hpp"

namespace hpml::lab5 {

using worker::Answer;

class GemmHost {
 public:
  struct Sizes {
    int64_t a = 1, b = 1, c = 1;  // elements of the largest case
  };
  // slots: how many packed weights the worker keeps.
  static Answer<std::unique_ptr<GemmHost>> start(const std::string& library, const Sizes& sizes, int slots = 1);
  // As start(), for count_instructions().
  static Answer<std::unique_ptr<GemmHost>> start_counted(const std::string& library, const Sizes& sizes);

  std::span<uint8_t> a(int64_t n) const { return {buffers().input<uint8_t>(1, n), static_cast<size_t>(n)}; }
  std::span<int8_t> b(int64_t n) const { return {buffers().input<int8_t>(2, n), static_cast<size_t>(n)}; }

  Answer<int32_t> best_level();
  // The weights that lie in b() are packed.
  Answer<Ok> pack(Level level, const GemmCase& one, int slot = 0);
  Answer<Ok> pack(Level level, const ConvCase& one, int slot = 0);
  // With what lies in a(). c gets m * n, or out_h * out_w * co, elements.
  Answer<Ok> run(Level level, const GemmCase& one, std::span<int32_t> c, int slot = 0);
  Answer<Ok> run(Level level, const ConvCase& one, std::span<int32_t> c, int slot = 0);
  // As run(): how many instructions that takes, `most` + 1 where it takes more.
  Answer<int64_t> count_instructions(Level level, const GemmCase& one, std::span<int32_t> c, int64_t most);
  bool can_count() { return process_->can_count(); }
  const worker::Host& process() const { return *process_; }

 private:
  explicit GemmHost(std::unique_ptr<worker::Host> process) : process_(std::move(process)) {}
  const worker::Buffers& buffers() const { return process_->buffers(); }
  Answer<Ok> ask(uint32_t operation, Level level, std::span<const int64_t> parameters, std::span<int32_t> c, int slot);

  std::unique_ptr<worker::Host> process_;
};

// A worker that multiplies in registers: process and call of the other side of a comparison.
Answer<std::unique_ptr<worker::Host>> start_registers();
Answer<Ok> multiply(worker::Host& host, Level level, int64_t macs);

}  // namespace hpml::lab5
