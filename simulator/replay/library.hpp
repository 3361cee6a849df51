#pragma once
// Operations of the GPU's libraries (cuDNN, cuBLAS) that a replay can do again. The libraries compute on the host; a
// process without student code does that from the same arguments, on its own devices.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::replay {

// Where the bytes of a device's memory are in this process. Error: they are in no allocation.
using BytesAt = std::function<Result<std::byte*>(uint64_t address, uint64_t bytes)>;

struct LibraryResult {
  std::vector<device::LibraryKernel> kernels;  // one after the other
  uint64_t output = 0, output_bytes = 0;
};

// Computes and writes the result. `arguments` come from a recording and are not to be believed. Error: no program could
// have made this call.
using LibraryFunction = std::function<Result<LibraryResult>(const std::string& arguments,
                                                            const device::Properties& chip, const BytesAt& at)>;

using Libraries = std::map<std::string, LibraryFunction>;  // by device::LibraryOperation::name

}  // namespace hpml::sim::replay
