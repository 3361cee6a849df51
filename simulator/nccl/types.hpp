#pragma once
// What NCCL's functions are called with. Values: NVIDIA NCCL documentation, API reference, "Types".
#include <cstddef>
#include <cstdint>

namespace hpml::sim::nccl {

enum Status : int {  // ncclResult_t
  kSuccess = 0,
  kUnhandledCudaError = 1,
  kSystemError = 2,
  kInternalError = 3,
  kInvalidArgument = 4,
  kInvalidUsage = 5,
  kRemoteError = 6,
  kInProgress = 7
};

enum class Type : int { i8, u8, i32, u32, i64, u64, f16, f32, f64, bf16 };  // ncclDataType_t; FP8 is not supported
inline constexpr int kTypes = static_cast<int>(Type::bf16) + 1;

constexpr size_t size_of(Type type) {
  switch (type) {
    case Type::i8:
    case Type::u8: return 1;
    case Type::f16:
    case Type::bf16: return 2;
    case Type::i32:
    case Type::u32:
    case Type::f32: return 4;
    case Type::i64:
    case Type::u64:
    case Type::f64: break;
  }
  return 8;
}

// ncclRedOp_t; scaled_sum: what ncclRedOpCreatePreMulSum makes, whose values begin here.
enum class Op : int { sum, product, maximum, minimum, average, scaled_sum };

enum class Kind : uint8_t { all_reduce, reduce, broadcast, all_gather, reduce_scatter, all_to_all, gather, scatter };

}  // namespace hpml::sim::nccl
