// What anyone may send: bytes that are read as a model, and run when they are one. Nothing may crash, hang or ask for
// all memory.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "common/onnx/session.hpp"

namespace {

constexpr int64_t kMostMacs = 1 << 24;  // an honest graph may be slow; that is no finding
constexpr int64_t kMostStep = 16;
constexpr int64_t kExtent = 2;

bool is_small(const hpml::onnx::Model& model) {
  int64_t elements = 1;
  for (const auto& [name, tensor] : model.initializers) {
    elements += tensor.count();
  }
  for (const auto& node : model.nodes) {
    for (const auto& [name, value] : node.attributes) {
      const auto* numbers = std::get_if<std::vector<int64_t>>(&value);
      if (numbers != nullptr &&
          std::any_of(numbers->begin(), numbers->end(), [](int64_t n) { return n > kMostStep; })) {
        return false;  // of windows as large as their padding
      }
    }
  }
  return elements * static_cast<int64_t>(model.nodes.size() + 1) < kMostMacs && model.nodes.size() < 64;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hpml::onnx;
  auto model = parse_model({reinterpret_cast<const char*>(data), size}, "<fuzz>");
  if (!model.ok() || !is_small(*model)) {
    return 0;
  }
  (void)parse_model(serialize(*model), "<again>").ok();
  auto session = Session::create(std::move(*model), "<fuzz>", {.fuse = size % 2 == 0});
  if (!session.ok()) {
    return 0;
  }
  for (const ValueInfo& input : session->model().inputs) {
    Dims dims;
    for (const Dim& dim : input.dims) {
      const auto* fixed = std::get_if<int64_t>(&dim);
      dims.push_back(fixed != nullptr && *fixed <= 64 ? *fixed : kExtent);
    }
    Tensor* tensor = session->input(input.name);
    if (dims.size() > 4 || !tensor->reset(input.type, dims)) {
      return 0;
    }
    std::fill_n(tensor->memory(), tensor->bytes().size(), std::byte{0});
  }
  (void)session->run().ok();
  return 0;
}
