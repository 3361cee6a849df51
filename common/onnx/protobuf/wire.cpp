#include "common/onnx/protobuf/wire.hpp"

namespace hpml::onnx::wire {

void Writer::varint(uint64_t value) {
  while (value >= 0x80) {
    out_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out_.push_back(static_cast<char>(value));
}

void Writer::key(uint32_t field, Kind kind) { varint(uint64_t{field} << 3 | static_cast<uint64_t>(kind)); }

void Writer::integer(uint32_t field, int64_t value) {
  key(field, Kind::varint);
  varint(static_cast<uint64_t>(value));
}

void Writer::real(uint32_t field, float value) {
  key(field, Kind::fixed32);
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  out_.append(raw, sizeof raw);
}

void Writer::bytes(uint32_t field, std::string_view value) {
  key(field, Kind::bytes);
  varint(value.size());
  out_.append(value);
}

bool Reader::varint(std::string_view& from, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (from.empty()) {
      return false;
    }
    const auto byte = static_cast<uint8_t>(from[0]);
    from.remove_prefix(1);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

bool Reader::take(size_t size) {
  if (size > left_.size()) {
    return false;
  }
  value_ = left_.substr(0, size);
  left_.remove_prefix(size);
  return true;
}

bool Reader::next() {
  if (failed_ || left_.empty()) {
    return false;
  }
  uint64_t key = 0, size = 0;
  bool good = varint(left_, key) && key >> 3 != 0 && key >> 3 < (1U << 29);
  field_ = static_cast<uint32_t>(key >> 3);
  kind_ = static_cast<Kind>(key & 7);
  if (good) {
    switch (kind_) {
      case Kind::varint: good = varint(left_, number_); break;
      case Kind::fixed64: good = take(8); break;
      case Kind::bytes: good = varint(left_, size) && take(size); break;
      case Kind::fixed32: good = take(4); break;
      default: good = false;  // groups (3, 4), 6 and 7
    }
  }
  failed_ = !good;
  return good;
}

bool Reader::expect(Kind kind) {
  failed_ = failed_ || kind_ != kind;
  return !failed_;
}

int64_t Reader::integer() { return expect(Kind::varint) ? static_cast<int64_t>(number_) : 0; }

float Reader::real() {
  float value = 0;
  if (expect(Kind::fixed32)) {
    std::memcpy(&value, value_.data(), sizeof value);
  }
  return value;
}

std::string_view Reader::bytes() { return expect(Kind::bytes) ? value_ : std::string_view(); }

void Reader::integers(std::vector<int64_t>& into) {
  if (kind_ != Kind::bytes) {
    into.push_back(integer());
    return;
  }
  for (std::string_view packed = value_; !packed.empty();) {
    uint64_t value = 0;
    if (!varint(packed, value)) {
      failed_ = true;
      return;
    }
    into.push_back(static_cast<int64_t>(value));
  }
}

void Reader::reals(std::vector<float>& into) {
  if (kind_ != Kind::bytes) {
    into.push_back(real());
    return;
  }
  if (value_.size() % sizeof(float) != 0) {
    failed_ = true;
    return;
  }
  const size_t before = into.size(), count = value_.size() / sizeof(float);
  into.resize(before + count);
  if (count != 0) {
    std::memcpy(into.data() + before, value_.data(), value_.size());
  }
}

}  // namespace hpml::onnx::wire
