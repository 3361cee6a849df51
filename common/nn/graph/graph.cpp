#include "common/nn/graph/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/check.hpp"
#include "common/nn/graph/op.hpp"

namespace hpml::nn {

namespace {

std::string op_names() {
  std::string names;
  for (const Op& op : all_ops()) {
    names += names.empty() ? "" : ", ";
    names += op.name;
  }
  return names;
}

std::vector<std::string> attr_names(const Op& op) {
  std::vector<std::string> names;
  for (const AttrRule& rule : op.attrs) {
    names.push_back(rule.name);
  }
  return names;
}

double as_real(const Attr& attr) {
  return std::visit([](auto value) { return static_cast<double>(value); }, attr);
}

std::string check_attr(const AttrRule& rule, const Attr& attr) {
  const double value = as_real(attr);
  if (rule.kind == AttrRule::Kind::integer && !std::holds_alternative<int64_t>(attr)) {
    return fmt::format("attribute '{}' is {}: expected an integer", rule.name, value);
  }
  if (!(value >= rule.min && value <= rule.max)) {
    return fmt::format("attribute '{}' is {}: expected {} to {}", rule.name, value, rule.min, rule.max);
  }
  return "";
}

// Checks the attributes against the operator's rules and fills in the omitted ones. Returns "" or what is wrong.
std::string complete_attrs(const Op& op, Attrs& attrs) {
  for (const auto& [name, value] : attrs) {
    const auto names = attr_names(op);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return fmt::format("unknown attribute '{}' of {}{}", name, op.name, did_you_mean(name, names));
    }
  }
  for (const AttrRule& rule : op.attrs) {
    if (const auto found = attrs.find(rule.name); found != attrs.end()) {
      if (std::string problem = check_attr(rule, found->second); !problem.empty()) {
        return problem;
      }
    } else if (rule.required) {
      return fmt::format("attribute '{}' of {} is missing", rule.name, op.name);
    } else if (rule.kind == AttrRule::Kind::integer) {
      attrs.emplace(rule.name, static_cast<int64_t>(rule.value));
    } else {
      attrs.emplace(rule.name, rule.value);
    }
  }
  return "";
}

}  // namespace

int64_t NodeSpec::integer(std::string_view attr) const {
  const auto found = attrs.find(attr);
  HPML_CHECK(found != attrs.end() && std::holds_alternative<int64_t>(found->second),
             fmt::format("{} '{}' has no integer '{}'", op, name, attr));
  return std::get<int64_t>(found->second);
}

double NodeSpec::real(std::string_view attr) const {
  const auto found = attrs.find(attr);
  HPML_CHECK(found != attrs.end(), fmt::format("{} '{}' has no '{}'", op, name, attr));
  return as_real(found->second);
}

int64_t NodeSpec::parameters() const {
  int64_t sum = 0;
  for (const ParamSpec& param : params) {
    sum += param.trainable ? param.shape.size() : 0;
  }
  return sum;
}

Graph::Graph(std::string name, Shape input) : name_(std::move(name)), input_(input.with_n(1)) {}

const NodeSpec* Graph::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &nodes_[static_cast<size_t>(found->second)];
}

int Graph::index_of(std::string_view name) const {
  if (name == "input") {
    return -1;
  }
  const auto found = index_.find(name);
  return found == index_.end() ? -2 : found->second;
}

int64_t Graph::parameters() const {
  int64_t sum = 0;
  for (const NodeSpec& node : nodes_) {
    sum += node.parameters();
  }
  return sum;
}

Result<void> Graph::add(std::string op_name, std::string name, std::vector<std::string> inputs, Attrs attrs) {
  const auto fail = [&](std::string_view what) {
    return error_in(fmt::format("graph {}", name_), fmt::format("node '{}': {}", name, what));
  };
  const Op* op = find_op(op_name);
  if (op == nullptr) {
    return fail(fmt::format("unknown operator '{}'; there are {}", op_name, op_names()));
  }
  if (name.empty() || index_of(name) != -2) {
    return fail("every node needs a name of its own");
  }
  if (inputs.empty() || (op->inputs >= 0 && inputs.size() != static_cast<size_t>(op->inputs))) {
    return fail(fmt::format("{} takes {} inputs, not {}", op_name,
                            op->inputs < 0 ? "one or more" : std::to_string(op->inputs), inputs.size()));
  }
  NodeSpec node{std::move(op_name), name, std::move(inputs), std::move(attrs), {}, {}, {}};
  for (const std::string& input : node.inputs) {
    const int index = index_of(input);
    if (index == -2) {
      return fail(fmt::format("reads '{}', which is no earlier node", input));
    }
    node.in_shapes.push_back(index == -1 ? input_ : nodes_[static_cast<size_t>(index)].out_shape);
  }
  if (const std::string problem = complete_attrs(*op, node.attrs); !problem.empty()) {
    return fail(problem);
  }
  if (const std::string problem = op->infer(node); !problem.empty()) {
    return fail(problem);
  }
  index_.emplace(std::move(name), static_cast<int>(nodes_.size()));
  nodes_.push_back(std::move(node));
  return Ok{};
}

}  // namespace hpml::nn
