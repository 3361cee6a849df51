#include "common/onnx/tensor.hpp"

#include <cstring>
#include <string_view>

#include "common/base/check.hpp"

namespace hpml::onnx {

std::optional<Type> type_of(int64_t number) {
  for (const Type type : {Type::float32, Type::uint8, Type::int8, Type::int32, Type::int64, Type::boolean}) {
    if (static_cast<int64_t>(type) == number) {
      return type;
    }
  }
  return std::nullopt;
}

const char* name_of(Type type) {
  switch (type) {
    case Type::float32: return "float";
    case Type::uint8: return "uint8";
    case Type::int8: return "int8";
    case Type::int32: return "int32";
    case Type::int64: return "int64";
    case Type::boolean: return "bool";
  }
  return "unknown";
}

size_t size_of(Type type) {
  switch (type) {
    case Type::float32:
    case Type::int32: return 4;
    case Type::int64: return 8;
    case Type::uint8:
    case Type::int8:
    case Type::boolean: return 1;
  }
  return 1;
}

std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (const int64_t dim : dims) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  }
  return text + "]";
}

std::optional<int64_t> count_of(const Dims& dims) {
  int64_t count = 1;
  if (dims.size() > kMostDims) {
    return std::nullopt;
  }
  for (const int64_t dim : dims) {
    if (dim < 0 || dim > kMostElements || (dim != 0 && count > kMostElements / dim)) {
      return std::nullopt;
    }
    count *= dim;
  }
  return count;
}

Tensor::Tensor(Type type, Dims dims, std::string_view bytes) {
  HPML_CHECK(reset(type, dims) && bytes.size() == static_cast<size_t>(count_) * size_of(type_),
             "a tensor's bytes do not fit its extents");
  if (!bytes.empty()) {
    std::memcpy(data_.data(), bytes.data(), bytes.size());
  }
}

bool Tensor::reset(Type type, const Dims& dims) {
  const auto count = count_of(dims);
  if (!count) {
    return false;
  }
  type_ = type;
  if (&dims != &dims_) {
    dims_ = dims;
  }
  count_ = *count;
  if (const size_t bytes = static_cast<size_t>(count_) * size_of(type); data_.size() < bytes) {
    data_.resize(bytes);
  }
  return true;
}

}  // namespace hpml::onnx
