#pragma once
// The one description of a network. Executor, cost table, analytic time model, profile, ONNX export, integer lowering
// and GPU lowering read it; none keeps a second description.
//
// Nodes stand in topological order, and a node names its inputs. Shapes are those of ONE image (n = 1): consumers scale
// by the batch. Shapes, parameters and costs are not stored by hand: the rule of the operator (graph/op.hpp) derives
// them when a node is added.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/result.hpp"
#include "common/nn/tensor.hpp"

namespace hpml::nn {

using Attr = std::variant<int64_t, double>;
using Attrs = std::map<std::string, Attr, std::less<>>;

enum class Init : uint8_t { zeros, ones, uniform_fan_in };  // uniform_fan_in: U(-1/sqrt(fan_in), +1/sqrt(fan_in))

struct ParamSpec {
  std::string name;  // "weight", "bias", "gamma", "beta", "running_mean", "running_var"
  Shape shape;
  Init init = Init::zeros;
  int64_t fan_in = 0;     // of uniform_fan_in
  bool trainable = true;  // false: a buffer (running statistics), not counted as a parameter
};

struct NodeSpec {
  std::string op;    // "conv2d", "batch_norm", ...: graph/op.hpp lists them
  std::string name;  // unique in the graph; profile events, FLOP tables and files use it
  std::vector<std::string> inputs;
  Attrs attrs;  // complete: omitted ones were filled with the operator's defaults

  // Derived by the operator's rule.
  std::vector<Shape> in_shapes;
  Shape out_shape;
  std::vector<ParamSpec> params;

  int64_t integer(std::string_view attr) const;  // the attribute must exist and be an integer
  double real(std::string_view attr) const;      // the attribute must exist
  int64_t parameters() const;                    // trainable elements
};

class Graph {
 public:
  Graph(std::string name, Shape input);  // the input node is called "input"

  const std::string& name() const { return name_; }
  Shape input() const { return input_; }
  const std::vector<NodeSpec>& nodes() const { return nodes_; }
  const NodeSpec* find(std::string_view name) const;
  // Index of a node, -1 for "input", -2 for an unknown name.
  int index_of(std::string_view name) const;
  const NodeSpec& output() const { return nodes_.back(); }
  int64_t parameters() const;

  // Appends a node that reads "input" or earlier nodes. Errors: unknown operator, input or attribute, a name used
  // twice, shapes that do not fit. The graph is unchanged then.
  Result<void> add(std::string op, std::string name, std::vector<std::string> inputs, Attrs attrs = {});

 private:
  std::string name_;
  Shape input_;
  std::vector<NodeSpec> nodes_;
  std::map<std::string, int, std::less<>> index_;
};

// JSON, schema hpml/graph/v1: {"schema", "name", "input": [h, w, c], "nodes": [{"op", "name", "inputs", "attrs",
// "out_shape"}]}. out_shape is optional when read and must then be what the rule derives. An unknown key is an error
// that names the node. `file` is for messages.
std::string to_json(const Graph& graph);
Result<Graph> graph_from_json(std::string_view text, const std::string& file);
Result<Graph> read_graph(const std::string& path);

}  // namespace hpml::nn
