// Field numbers are those of onnx.proto.
#include "common/onnx/model.hpp"
#include "common/onnx/protobuf/wire.hpp"

namespace hpml::onnx {

namespace {

using wire::Writer;

Writer tensor_message(const std::string& name, const Tensor& tensor) {
  Writer message;
  for (const int64_t dim : tensor.dims()) {
    message.integer(1, dim);
  }
  message.integer(2, static_cast<int64_t>(tensor.type()));
  message.bytes(8, name);
  message.bytes(9, tensor.bytes());
  return message;
}

struct AttributeWriter {
  Writer& message;
  void operator()(int64_t value) const {
    put(2, [&] { message.integer(3, value); });
  }
  void operator()(float value) const {
    put(1, [&] { message.real(2, value); });
  }
  void operator()(const std::string& value) const {
    put(3, [&] { message.bytes(4, value); });
  }
  void operator()(const Tensor& value) const {
    put(4, [&] { message.message(5, tensor_message("", value)); });
  }
  void operator()(const std::vector<float>& values) const {
    put(6, [&] {
      for (const float value : values) {
        message.real(7, value);
      }
    });
  }
  void operator()(const std::vector<int64_t>& values) const {
    put(7, [&] {
      for (const int64_t value : values) {
        message.integer(8, value);
      }
    });
  }
  template <class Put>
  void put(int64_t type, Put value) const {
    value();
    message.integer(20, type);
  }
};

Writer node_message(const Node& node) {
  Writer message;
  for (const std::string& name : node.inputs) {
    message.bytes(1, name);
  }
  for (const std::string& name : node.outputs) {
    message.bytes(2, name);
  }
  message.bytes(3, node.name);
  message.bytes(4, node.op);
  for (const auto& [name, value] : node.attributes) {
    Writer attribute;
    attribute.bytes(1, name);
    std::visit(AttributeWriter{attribute}, value);
    message.message(5, attribute);
  }
  return message;
}

Writer value_message(const ValueInfo& value) {
  Writer shape, tensor, type, message;
  for (const Dim& dim : value.dims) {
    Writer extent;
    if (const auto* number = std::get_if<int64_t>(&dim)) {
      extent.integer(1, *number);
    } else {
      extent.bytes(2, std::get<std::string>(dim));
    }
    shape.message(1, extent);
  }
  tensor.integer(1, static_cast<int64_t>(value.type));
  tensor.message(2, shape);
  type.message(1, tensor);
  message.bytes(1, value.name);
  message.message(2, type);
  return message;
}

Writer graph_message(const Model& model) {
  Writer message;
  for (const Node& node : model.nodes) {
    message.message(1, node_message(node));
  }
  message.bytes(2, model.graph_name);
  for (const auto& [name, tensor] : model.initializers) {
    message.message(5, tensor_message(name, tensor));
  }
  for (const ValueInfo& value : model.inputs) {
    message.message(11, value_message(value));
  }
  for (const ValueInfo& value : model.outputs) {
    message.message(12, value_message(value));
  }
  return message;
}

}  // namespace

std::string serialize(const Model& model) {
  Writer message, opset;
  message.integer(1, model.ir_version);
  message.bytes(2, model.producer);
  message.message(7, graph_message(model));
  opset.bytes(1, "");
  opset.integer(2, model.opset);
  message.message(8, opset);
  for (const auto& [key, value] : model.metadata) {
    Writer entry;
    entry.bytes(1, key);
    entry.bytes(2, value);
    message.message(14, entry);
  }
  return message.str();
}

}  // namespace hpml::onnx
