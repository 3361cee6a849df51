#pragma once
// The wire format of Protocol Buffers (protobuf.dev, "Encoding"): what ONNX files are made of. A message is a row of
// fields; a field is a varint with number and wire type, then its value.
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hpml::onnx::wire {

static_assert(std::endian::native == std::endian::little, "fixed32 fields and raw tensor data are little-endian");

enum class Kind : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

class Writer {
 public:
  void integer(uint32_t field, int64_t value);
  void real(uint32_t field, float value);
  void bytes(uint32_t field, std::string_view value);
  void message(uint32_t field, const Writer& value) { bytes(field, value.out_); }
  const std::string& str() const { return out_; }

 private:
  void varint(uint64_t value);
  void key(uint32_t field, Kind kind);
  std::string out_;
};

// Reads the fields of one message, in order. Anything malformed (a varint or a length beyond the end, an unknown wire
// type, field number 0) makes next() return false and failed() true.
class Reader {
 public:
  explicit Reader(std::string_view message) : left_(message) {}

  bool next();  // to the next field
  bool failed() const { return failed_; }

  uint32_t field() const { return field_; }
  Kind kind() const { return kind_; }
  // Values of the current field. Of another wire type: 0 or empty, and failed() from then on.
  int64_t integer();
  float real();
  std::string_view bytes();
  // Of a repeated field: one value, or all of them where they are packed into one field.
  void integers(std::vector<int64_t>& into);
  void reals(std::vector<float>& into);

 private:
  bool varint(std::string_view& from, uint64_t& value);
  bool take(size_t size);
  bool expect(Kind kind);

  std::string_view left_, value_;
  uint64_t number_ = 0;
  uint32_t field_ = 0;
  Kind kind_ = Kind::varint;
  bool failed_ = false;
};

}  // namespace hpml::onnx::wire
