#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "common/worker/host.hpp"

namespace hpml::worker {

constexpr int64_t kFloats = 1000;

inline Layout floats(int64_t count = kFloats) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  return {{bytes}, {bytes}};
}

// A worker whose code is `function`, given its input and output of kFloats floats.
inline Answer<std::unique_ptr<Host>> host_of(const std::function<void(const float* in, float* out)>& function) {
  return Host::start(floats(), [&function](const Buffers& buffers) -> Function {
    return [function, &buffers](const Request&) {
      function(buffers.input<float>(0, kFloats), buffers.output<float>(0, kFloats));
    };
  });
}

inline Answer<Ok> ask(Host& host, std::vector<float>& result) {
  const Output output{0, std::as_writable_bytes(std::span(result))};
  return host.ask({}, {&output, 1});
}

// What comes of the only call.
inline Answer<Ok> called(const std::function<void(const float* in, float* out)>& function) {
  auto host = host_of(function);
  if (!host.ok()) {
    return host.error();
  }
  std::vector<float> result(kFloats);
  return ask(**host, result);
}

}  // namespace hpml::worker
