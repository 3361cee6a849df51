#pragma once
// Tensors of a graph: element type, extents, row-major elements.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hpml::onnx {

// Numbers as in onnx.proto, TensorProto.DataType.
enum class Type : int32_t { float32 = 1, uint8 = 2, int8 = 3, int32 = 6, int64 = 7, boolean = 9 };
std::optional<Type> type_of(int64_t number);
const char* name_of(Type type);
size_t size_of(Type type);  // in bytes

using Dims = std::vector<int64_t>;
std::string to_string(const Dims& dims);  // "[10, 64, 256]"

constexpr int64_t kMostElements = int64_t{1} << 28;  // of a tensor: a file cannot ask for all memory
constexpr size_t kMostDims = 8;
// Product of the extents; nothing if one is negative, if there are more than kMostDims, or beyond kMostElements.
std::optional<int64_t> count_of(const Dims& dims);

template <class T>
constexpr Type kTypeOf = Type::float32;
template <>
inline constexpr Type kTypeOf<uint8_t> = Type::uint8;
template <>
inline constexpr Type kTypeOf<int8_t> = Type::int8;
template <>
inline constexpr Type kTypeOf<int32_t> = Type::int32;
template <>
inline constexpr Type kTypeOf<int64_t> = Type::int64;
template <>
inline constexpr Type kTypeOf<bool> = Type::boolean;

class Tensor {
 public:
  Tensor() = default;
  Tensor(Type type, Dims dims, std::string_view bytes);
  template <class T>
  static Tensor of(Dims dims, std::span<const T> values) {
    return {kTypeOf<T>, std::move(dims),
            std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes())};
  }

  Type type() const { return type_; }
  const Dims& dims() const { return dims_; }
  int64_t count() const { return count_; }
  // Changes type and extents; elements are undefined afterwards. Keeps its memory where it is large enough. False, and
  // unchanged, if count_of() refuses the extents.
  bool reset(Type type, const Dims& dims);
  // Changes the extents alone; the count must be the same.
  void rename(Dims dims) { dims_ = std::move(dims); }

  // Elements; T must be the type's.
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_.data()), static_cast<size_t>(count_)};
  }
  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(data_.data()), static_cast<size_t>(count_)};
  }
  std::byte* memory() { return data_.data(); }
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(data_.data()), static_cast<size_t>(count_) * size_of(type_)};
  }

 private:
  Type type_ = Type::float32;
  Dims dims_ = {0};
  int64_t count_ = 0;
  std::vector<std::byte> data_;
};

}  // namespace hpml::onnx
