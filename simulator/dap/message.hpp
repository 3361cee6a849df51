#pragma once
// Messages of the Debug Adapter Protocol on a byte stream: "Content-Length: N", an empty line, N bytes of JSON.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/result.hpp"

namespace hpml::sim::dap {

using Json = nlohmann::json;

inline constexpr size_t kLongestHeader = 4096, kLongestBody = 64 << 20;

class MessageReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  // The next whole message. Nothing: not all of it is here yet. Error: bytes that are no message; what cannot be read
  // has been skipped. `lost()`: the stream makes no sense any more.
  std::optional<Result<Json>> next();
  bool lost() const { return lost_; }

 private:
  std::string buffer_;
  bool lost_ = false;
};

std::string to_message(const Json& json);

}  // namespace hpml::sim::dap
