#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/nn/graph/graph.hpp"

namespace hpml::nn {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view kSchema = "hpml/graph/v1";
constexpr int kLargestExtent = 1 << 16;

// The first problem of a document; later reads do nothing. Values are taken only where their type is right.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Diag fail(std::string_view where, std::string_view what) const {
    return error_in(file_, fmt::format("{}: {}", where, what));
  }

  Result<void> check_keys(const Json& object, const std::string& where, const std::vector<std::string>& required,
                          const std::vector<std::string>& optional) const {
    if (!object.is_object()) {
      return fail(where, "expected an object");
    }
    std::vector<std::string> known = required;
    known.insert(known.end(), optional.begin(), optional.end());
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        return fail(where, fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)));
      }
    }
    for (const std::string& key : required) {
      if (!object.contains(key)) {
        return fail(where, fmt::format("key '{}' is missing", key));
      }
    }
    return Ok{};
  }

  Result<std::string> text(const Json& value, const std::string& where) const {
    if (!value.is_string()) {
      return fail(where, "expected a string");
    }
    return value.get<std::string>();
  }

  // [h, w, c]
  Result<Shape> shape(const Json& value, const std::string& where) const {
    const bool well =
        value.is_array() && value.size() == 3 && std::all_of(value.begin(), value.end(), [](auto& extent) {
          return extent.is_number_integer() && extent >= 1 && extent <= kLargestExtent;
        });
    if (!well) {
      return fail(where, fmt::format("expected [height, width, channels], each 1 to {}", kLargestExtent));
    }
    return Shape{1, value[0], value[1], value[2]};
  }

  Result<Attrs> attrs(const Json& object, const std::string& where) const {
    Attrs attrs;
    if (!object.is_object()) {
      return fail(where, "expected an object");
    }
    for (const auto& [key, value] : object.items()) {
      if (value.is_number_integer()) {
        attrs.emplace(key, value.get<int64_t>());
      } else if (value.is_number_float()) {
        attrs.emplace(key, value.get<double>());
      } else {
        return fail(where, fmt::format("'{}' must be a number", key));
      }
    }
    return attrs;
  }

  Result<void> node(const Json& object, const std::string& where, Graph& graph) const {
    HPML_TRY_VOID(check_keys(object, where, {"op", "name", "inputs"}, {"attrs", "out_shape"}));
    HPML_TRY(std::string op, text(object["op"], where + ".op"));
    HPML_TRY(std::string name, text(object["name"], where + ".name"));
    if (!object["inputs"].is_array()) {
      return fail(where + ".inputs", "expected an array of names");
    }
    std::vector<std::string> inputs;
    for (const Json& input : object["inputs"]) {
      HPML_TRY(inputs.emplace_back(), text(input, where + ".inputs"));
    }
    Attrs given;
    if (object.contains("attrs")) {
      HPML_TRY(given, attrs(object["attrs"], where + ".attrs"));
    }
    if (const auto added = graph.add(std::move(op), name, std::move(inputs), std::move(given)); !added.ok()) {
      return fail(where, added.error().message);
    }
    if (object.contains("out_shape")) {
      HPML_TRY(const Shape said, shape(object["out_shape"], where + ".out_shape"));
      if (said != graph.output().out_shape) {
        return fail(where, fmt::format("node '{}': out_shape says {}, but it is {}", name, said.to_string(),
                                       graph.output().out_shape.to_string()));
      }
    }
    return Ok{};
  }

 private:
  std::string file_;
};

Json json_of(Shape shape) { return Json::array({shape.h, shape.w, shape.c}); }

Json json_of(const NodeSpec& node) {
  Json attrs = Json::object();
  for (const auto& [key, value] : node.attrs) {
    Json& attribute = attrs[key];  // clang before 16 lets no lambda capture a structured binding
    std::visit([&](auto number) { attribute = number; }, value);
  }
  return {{"op", node.op},
          {"name", node.name},
          {"inputs", node.inputs},
          {"attrs", std::move(attrs)},
          {"out_shape", json_of(node.out_shape)}};
}

}  // namespace

std::string to_json(const Graph& graph) {
  std::string nodes;  // one line per node
  for (const NodeSpec& node : graph.nodes()) {
    nodes += fmt::format("{}\n  {}", nodes.empty() ? "" : ",", json_of(node).dump());
  }
  return fmt::format("{{\"schema\": \"{}\", \"name\": {}, \"input\": {}, \"nodes\": [{}\n]}}\n", kSchema,
                     Json(graph.name()).dump(), json_of(graph.input()).dump(), nodes);
}

Result<Graph> graph_from_json(std::string_view text, const std::string& file) {
  const Reader reader(file);
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::exception& error) {
    return reader.fail("not JSON", error.what());
  }
  HPML_TRY_VOID(reader.check_keys(document, "top level", {"schema", "name", "input", "nodes"}, {}));
  if (document["schema"] != kSchema) {
    return reader.fail("schema", fmt::format("expected \"{}\", not {}", kSchema, document["schema"].dump()));
  }
  HPML_TRY(std::string name, reader.text(document["name"], "name"));
  HPML_TRY(const Shape input, reader.shape(document["input"], "input"));
  Graph graph(std::move(name), input);
  if (!document["nodes"].is_array() || document["nodes"].empty()) {
    return reader.fail("nodes", "expected an array with at least one node");
  }
  size_t number = 0;
  for (const Json& node : document["nodes"]) {
    HPML_TRY_VOID(reader.node(node, fmt::format("nodes[{}]", number++), graph));
  }
  return graph;
}

Result<Graph> read_graph(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return error_in(path, "cannot be opened; name a graph file (schema hpml/graph/v1)");
  }
  std::ostringstream text;
  text << file.rdbuf();
  return graph_from_json(text.str(), path);
}

}  // namespace hpml::nn
