#pragma once
// An ONNX file in memory (github.com/onnx/onnx, onnx.proto; opset 13): what of it the interpreter, the exporters and
// `graph` listings use.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/result.hpp"
#include "common/onnx/tensor.hpp"

namespace hpml::onnx {

using Attribute = std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>, Tensor>;

struct Node {
  std::string op, name;
  std::vector<std::string> inputs, outputs;  // an empty input is an optional one that is left out
  std::map<std::string, Attribute> attributes;
};

using Dim = std::variant<int64_t, std::string>;  // an extent, or the name of one that a run decides
struct ValueInfo {
  std::string name;
  Type type = Type::float32;
  std::vector<Dim> dims;
};

struct Model {
  int64_t ir_version = 7, opset = 13;
  std::string producer, graph_name;
  std::vector<Node> nodes;  // in topological order
  std::vector<std::pair<std::string, Tensor>> initializers;
  std::vector<ValueInfo> inputs, outputs;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// The same model gives the same bytes. Weights are raw little-endian.
std::string serialize(const Model& model);

// Reads bytes that anyone may have written. Errors name what is wrong and where: malformed wire format, element types,
// operators' domains and attributes that are not supported, extents that do not fit the data.
Result<Model> parse_model(std::string_view bytes, const std::string& file);
Result<Model> read_model(const std::string& path);

}  // namespace hpml::onnx
