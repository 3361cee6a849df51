#pragma once
// Bounds-checked reads of little-endian data that somebody else produced. Never reads outside the span, never aligned.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace hpml::sim::fatbin {

static_assert(std::endian::native == std::endian::little, "fat binaries are read in place: little-endian hosts only");

class ByteView {
 public:
  ByteView() = default;
  explicit ByteView(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint64_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  template <class T>
  requires std::is_trivially_copyable_v<T> std::optional<T> read(uint64_t offset)
  const {
    if (offset > size() || size() - offset < sizeof(T)) {
      return std::nullopt;
    }
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::optional<ByteView> sub(uint64_t offset, uint64_t length) const {
    if (offset > size() || size() - offset < length) {
      return std::nullopt;
    }
    return ByteView(bytes_.subspan(offset, length));
  }

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

  // The NUL-terminated string at `offset`; nullopt when it does not end inside the view.
  std::optional<std::string_view> c_string(uint64_t offset) const {
    if (offset >= size()) {
      return std::nullopt;
    }
    const std::string_view rest = text().substr(offset);
    const size_t end = rest.find('\0');
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    return rest.substr(0, end);
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace hpml::sim::fatbin
