// Field numbers are those of onnx.proto. A file may come from anywhere: nothing in it is believed.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "common/onnx/model.hpp"
#include "common/onnx/protobuf/wire.hpp"

namespace hpml::onnx {

namespace {

using wire::Reader;

constexpr int64_t kOldestOpset = 13, kNewestOpset = 17;  // of the operators as ops/ has them
constexpr size_t kMostBytes = size_t{1} << 30;

// Why a file is refused; it does not leave this file.
struct Refused {
  std::string why;
};
[[noreturn]] void refuse(std::string why) { throw Refused{std::move(why)}; }

// Calls field(reader) for each field of a message.
template <class Field>
void each_field(std::string_view message, const char* what, Field field) {
  Reader reader(message);
  while (reader.next()) {
    field(reader);
  }
  if (reader.failed()) {
    refuse(std::string("malformed ") + what + " message");
  }
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// int32_data holds all types of at most 32 bits.
std::string narrowed(Type type, const std::vector<int64_t>& values) {
  std::string bytes;
  for (const int64_t value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), size_of(type));  // little-endian: the low bytes come first
  }
  return bytes;
}

std::pair<std::string, Tensor> read_tensor(std::string_view message) {
  std::string name, bytes;
  std::vector<int64_t> dims, integers;
  std::vector<float> reals;
  int64_t number = 0;
  bool is_raw = false, elsewhere = false;
  each_field(message, "tensor", [&](Reader& field) {
    switch (field.field()) {
      case 1: field.integers(dims); break;
      case 2: number = field.integer(); break;
      case 4: field.reals(reals); break;
      case 5:
      case 7: field.integers(integers); break;
      case 8: name = field.bytes(); break;
      case 9: bytes = field.bytes(), is_raw = true; break;
      case 13: elsewhere = true; break;
      case 14: elsewhere = elsewhere || field.integer() != 0; break;
      default: break;
    }
  });
  const auto type = type_of(number);
  if (elsewhere || !type) {
    refuse("tensor '" + name + "': " +
           (elsewhere ? "data outside the file" : "element type " + std::to_string(number)) + " is not supported");
  }
  if (!is_raw) {
    bytes = *type == Type::float32 ? raw(reals) : narrowed(*type, integers);
  }
  const auto count = count_of(dims);
  if (!count || static_cast<size_t>(*count) * size_of(*type) != bytes.size()) {
    refuse("tensor '" + name + "': extents " + to_string(dims) + " do not fit its " + std::to_string(bytes.size()) +
           " bytes");
  }
  if (*type == Type::boolean) {
    for (char& byte : bytes) {
      byte = byte != 0 ? 1 : 0;
    }
  }
  return {name, Tensor(*type, dims, bytes)};
}

std::pair<std::string, Attribute> read_attribute(std::string_view message) {
  std::string name, text;
  int64_t type = 0, integer = 0;
  float real = 0;
  std::vector<int64_t> integers;
  std::vector<float> reals;
  Tensor tensor;
  each_field(message, "attribute", [&](Reader& field) {
    switch (field.field()) {
      case 1: name = field.bytes(); break;
      case 2: real = field.real(); break;
      case 3: integer = field.integer(); break;
      case 4: text = field.bytes(); break;
      case 5: tensor = read_tensor(field.bytes()).second; break;
      case 7: field.reals(reals); break;
      case 8: field.integers(integers); break;
      case 20: type = field.integer(); break;
      default: break;
    }
  });
  switch (type) {  // AttributeProto.AttributeType
    case 1: return {name, real};
    case 2: return {name, integer};
    case 3: return {name, text};
    case 4: return {name, std::move(tensor)};
    case 6: return {name, reals};
    case 7: return {name, integers};
    default: refuse("attribute '" + name + "': type " + std::to_string(type) + " is not supported");
  }
}

Node read_node(std::string_view message) {
  Node node;
  std::string domain;
  each_field(message, "node", [&](Reader& field) {
    switch (field.field()) {
      case 1: node.inputs.emplace_back(field.bytes()); break;
      case 2: node.outputs.emplace_back(field.bytes()); break;
      case 3: node.name = field.bytes(); break;
      case 4: node.op = field.bytes(); break;
      case 5: {
        auto [name, value] = read_attribute(field.bytes());
        if (!node.attributes.emplace(name, std::move(value)).second) {
          refuse("node '" + node.name + "': attribute '" + name + "' occurs twice");
        }
        break;
      }
      case 7: domain = field.bytes(); break;
      default: break;
    }
  });
  if (!domain.empty() && domain != "ai.onnx") {
    refuse("node '" + node.name + "': operators of domain '" + domain + "' are not supported");
  }
  return node;
}

ValueInfo read_value(std::string_view message) {
  ValueInfo value;
  int64_t number = 0;
  const auto dim = [&](Reader& field) {
    Dim extent = std::string();
    each_field(field.bytes(), "dimension", [&](Reader& part) {
      if (part.field() == 1) {
        extent = part.integer();
      } else if (part.field() == 2) {
        extent = std::string(part.bytes());
      }
    });
    value.dims.push_back(std::move(extent));
  };
  each_field(message, "value", [&](Reader& field) {
    if (field.field() == 1) {
      value.name = field.bytes();
    } else if (field.field() == 2) {
      each_field(field.bytes(), "type", [&](Reader& kind) {
        if (kind.field() != 1) {
          return;
        }
        each_field(kind.bytes(), "tensor type", [&](Reader& part) {
          if (part.field() == 1) {
            number = part.integer();
          } else if (part.field() == 2) {
            each_field(part.bytes(), "shape", [&](Reader& one) { one.field() == 1 ? dim(one) : void(); });
          }
        });
      });
    }
  });
  const auto type = type_of(number);
  if (!type) {
    refuse("value '" + value.name + "': element type " + std::to_string(number) + " is not supported");
  }
  value.type = *type;
  return value;
}

void read_graph(std::string_view message, Model& model) {
  each_field(message, "graph", [&](Reader& field) {
    switch (field.field()) {
      case 1: model.nodes.push_back(read_node(field.bytes())); break;
      case 2: model.graph_name = field.bytes(); break;
      case 5: model.initializers.push_back(read_tensor(field.bytes())); break;
      case 11: model.inputs.push_back(read_value(field.bytes())); break;
      case 12: model.outputs.push_back(read_value(field.bytes())); break;
      case 15: refuse("sparse initializers are not supported");
      default: break;
    }
  });
}

void read_opset(std::string_view message, Model& model) {
  std::string domain;
  int64_t version = 0;
  each_field(message, "opset", [&](Reader& field) {
    if (field.field() == 1) {
      domain = field.bytes();
    } else if (field.field() == 2) {
      version = field.integer();
    }
  });
  if (domain.empty() || domain == "ai.onnx") {
    model.opset = version;
  }
}

Model read(std::string_view bytes) {
  Model model;
  model.opset = 0;
  bool has_graph = false;
  each_field(bytes, "model", [&](Reader& field) {
    switch (field.field()) {
      case 1: model.ir_version = field.integer(); break;
      case 2: model.producer = field.bytes(); break;
      case 7: read_graph(field.bytes(), model), has_graph = true; break;
      case 8: read_opset(field.bytes(), model); break;
      case 14: {
        std::string key, value;
        each_field(field.bytes(), "metadata", [&](Reader& part) { (part.field() == 1 ? key : value) = part.bytes(); });
        model.metadata.emplace_back(key, value);
        break;
      }
      default: break;
    }
  });
  if (!has_graph) {
    refuse("no ONNX model: there is no graph in it");
  }
  if (model.opset < kOldestOpset || model.opset > kNewestOpset) {
    refuse("opset " + std::to_string(model.opset) + " is not supported: 13 to 17 are");
  }
  return model;
}

}  // namespace

Result<Model> parse_model(std::string_view bytes, const std::string& file) {
  try {
    return read(bytes);
  } catch (const Refused& reason) {
    return error_in(file, reason.why);
  }
}

Result<Model> read_model(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) {
    return error_in(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  if (static_cast<size_t>(size) > kMostBytes) {
    return error_in(path, "larger than 1 GiB");
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) {
    return error_in(path, "cannot be read");
  }
  return parse_model(bytes, path);
}

}  // namespace hpml::onnx
