#pragma once
// Cubins: what they tell about their kernels (registers per thread, static shared memory; machine code is never run),
// and those that hold their PTX, which the simulated GPU can load.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::fatbin {

struct KernelResources {
  uint32_t registers = 0;     // per thread; 0 = not stated
  uint32_t shared_bytes = 0;  // static, without the bytes the system reserves
  uint32_t frame_bytes = 0;   // stack frame per thread
};

// Kernels by name. `sm` is the one of the entry: from sm_90 on .nv.shared.<kernel> counts 1024 reserved bytes.
Result<std::map<std::string, KernelResources>> read_cubin(std::span<const std::byte> elf, uint32_t sm,
                                                          const std::string& name);

inline constexpr uint16_t kMachineCuda = 190;      // e_machine: EM_CUDA of the ELF registry
inline constexpr unsigned char kCudaOsAbi = 0x33;  // e_ident[EI_OSABI]
inline constexpr const char* kPtxSection = ".hpml.ptx";

// An ELF file for sm_<sm> with a symbol and an empty section for each kernel, and the PTX in kPtxSection.
std::string write_cubin(const std::string& ptx, uint32_t sm, const std::vector<std::string>& kernels);

// The PTX of a cubin that write_cubin() has made; none in one with machine code only, and in what is no cubin.
std::optional<std::string> ptx_of_cubin(std::span<const std::byte> elf);

// Bytes of the cubin that begins at `data`, by its header; 0: no cubin begins there. Looks no further than it must, for
// the pointer comes without a length.
uint64_t cubin_size(const void* data);

}  // namespace hpml::sim::fatbin
