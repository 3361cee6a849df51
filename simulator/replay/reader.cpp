#include "simulator/replay/reader.hpp"

#include <fmt/format.h>

#include <concepts>
#include <cstring>
#include <utility>

namespace hpml::sim::replay {
namespace {

constexpr uint64_t kMostItems = 65536;  // of a list: parts of a module, its kernels

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class... Ts>
  void operator()(Ts&... values) {
    (get(values), ...);
  }
  bool ok() const { return ok_; }
  size_t used() const { return at_; }

 private:
  template <std::integral T>
  void get(T& value) {
    if (bytes_.size() - at_ < sizeof(value)) {
      ok_ = false;
    } else if (ok_) {
      std::memcpy(&value, bytes_.data() + at_, sizeof(value));
      at_ += sizeof(value);
    }
  }
  void get(std::string& text) {
    uint64_t size = 0;
    get(size);
    ok_ = ok_ && size <= bytes_.size() - at_;
    if (ok_) {
      text.assign(reinterpret_cast<const char*>(bytes_.data() + at_), size);
      at_ += size;
    }
  }
  template <class T>
  void get(std::vector<T>& list) {
    uint64_t size = 0;
    get(size);
    ok_ = ok_ && size <= kMostItems && size <= bytes_.size() - at_;
    for (uint64_t i = 0; ok_ && i < size; ++i) {
      get(list.emplace_back());
    }
  }
  template <class T>
  requires requires(T t, Decoder d) { t.fields(d); }
  void get(T& record) { record.fields(*this); }
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

template <size_t... Is>
bool make(size_t kind, Event& event, std::index_sequence<Is...>) {
  return ((kind == Is && (event.emplace<Is>(), true)) || ...);
}

}  // namespace

Result<void> Reader::check_header() {
  if (bytes_.size() < sizeof(kMagic) || std::memcmp(bytes_.data(), kMagic, sizeof(kMagic)) != 0) {
    return error_in(name_, "is no recording of gpusim run --record");
  }
  at_ = sizeof(kMagic);
  return Ok{};
}

Result<std::optional<Event>> Reader::next() {
  if (at_ == bytes_.size()) {
    return std::optional<Event>();
  }
  const auto kind = static_cast<size_t>(bytes_[at_]);
  Event event;
  if (!make(kind, event, std::make_index_sequence<std::variant_size_v<Event>>())) {
    return error_in(name_, fmt::format("damaged at byte {}: no event has the number {}", at_, kind));
  }
  Decoder decoder(bytes_.subspan(at_ + 1));
  std::visit([&](auto& record) { decoder(record); }, event);
  if (!decoder.ok()) {
    return error_in(name_, fmt::format("damaged at byte {}: the event does not fit in the file", at_));
  }
  at_ += 1 + decoder.used();
  return std::optional<Event>(std::move(event));
}

}  // namespace hpml::sim::replay
