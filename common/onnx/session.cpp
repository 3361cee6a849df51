#include "common/onnx/session.hpp"

#include <map>
#include <utility>

#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

std::string named(const Node& node, size_t index) {
  return "node " + std::to_string(index) + " (" + node.op + (node.name.empty() ? "" : " '" + node.name + "'") + ")";
}

}  // namespace

struct Session::State {
  Model model;
  std::string file;
  SessionOptions options;
  std::map<std::string, Tensor, std::less<>> values;  // nodes of a map keep their address
  std::vector<NodeState> nodes;
  std::vector<const Operator*> operators;
  std::vector<bool> folded;  // ran once: all its inputs are constants

  Diag error(const std::string& message) const { return error_in(file, message); }
  Result<void> define(const std::string& name);
  Result<void> add_values();
  Result<void> add_node(size_t index, std::map<std::string, bool, std::less<>>& constant);
  Result<void> check_inputs();
  Result<void> run_node(size_t index);
};

Result<void> Session::State::define(const std::string& name) {
  if (name.empty() || !values.try_emplace(name).second) {
    return error(name.empty() ? "a value without a name" : "'" + name + "' is defined twice");
  }
  return Ok{};
}

Result<void> Session::State::add_values() {
  for (auto& [name, tensor] : model.initializers) {
    HPML_TRY_VOID(define(name));
    values[name] = std::move(tensor);
  }
  for (const ValueInfo& input : model.inputs) {
    if (values.contains(input.name)) {
      return error("'" + input.name + "' is an input with a default value, which is not supported");
    }
    HPML_TRY_VOID(define(input.name));
    if (!values[input.name].reset(input.type, Dims(input.dims.size(), 0))) {
      return error("input '" + input.name + "' has too many dimensions");
    }
  }
  return Ok{};
}

// `constant` says of each value that exists by now whether it never changes.
Result<void> Session::State::add_node(size_t index, std::map<std::string, bool, std::less<>>& constant) {
  const Node& node = model.nodes[index];
  const Operator* found = find_operator(node.op);
  if (found == nullptr) {
    return error(named(node, index) + ": this operator is not supported");
  }
  if (node.outputs.empty() || (node.outputs[0].empty() && node.op != "GRU")) {  // of a GRU, each output is optional
    return error(named(node, index) + ": it has no output");
  }
  NodeState state;
  state.node = &node;
  state.pack = options.fuse;
  bool all = true;
  for (const std::string& name : node.inputs) {
    const auto known = constant.find(name);
    if (!name.empty() && known == constant.end()) {
      return error(named(node, index) + ": '" + name + "' is not defined before it");
    }
    state.inputs.push_back(name.empty() ? nullptr : &values[name]);
    state.constant.push_back(!name.empty() && known->second);
    all = all && (name.empty() || known->second);
  }
  for (size_t i = 0; i < found->least_inputs; ++i) {
    if (state.input(i) == nullptr) {
      return error(named(node, index) + ": input " + std::to_string(i) + " is missing");
    }
  }
  for (const std::string& name : node.outputs) {
    if (!name.empty()) {
      HPML_TRY_VOID(define(name));
    }
    state.outputs.push_back(name.empty() ? nullptr : &values[name]);
  }
  const bool fold = options.fuse && all;
  for (const std::string& name : node.outputs) {
    constant.emplace(name, fold);
  }
  nodes.push_back(std::move(state));
  operators.push_back(found);
  folded.push_back(fold);
  return fold ? run_node(index) : Result<void>(Ok{});
}

Result<void> Session::State::run_node(size_t index) {
  const Problem problem = operators[index]->run(nodes[index]);
  if (!problem.empty()) {
    return error(named(model.nodes[index], index) + ": " + problem);
  }
  return Ok{};
}

Result<void> Session::State::check_inputs() {
  std::map<std::string_view, int64_t> extents;
  for (const ValueInfo& input : model.inputs) {
    const Tensor& tensor = values.find(input.name)->second;
    if (tensor.type() != input.type || tensor.dims().size() != input.dims.size()) {
      return error("input '" + input.name + "' must be " + name_of(input.type) + " with " +
                   std::to_string(input.dims.size()) + " dimensions, got " + name_of(tensor.type()) + " " +
                   to_string(tensor.dims()));
    }
    for (size_t i = 0; i < input.dims.size(); ++i) {
      const int64_t got = tensor.dims()[i];
      int64_t wanted = got;
      if (const auto* fixed = std::get_if<int64_t>(&input.dims[i])) {
        wanted = *fixed;
      } else if (const std::string& name = std::get<std::string>(input.dims[i]); !name.empty()) {
        wanted = extents.try_emplace(name, got).first->second;
      }
      if (got != wanted) {
        return error("input '" + input.name + "' has extents " + to_string(tensor.dims()) + ": dimension " +
                     std::to_string(i) + " must be " + std::to_string(wanted));
      }
    }
  }
  return Ok{};
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::create(Model model, const std::string& file, SessionOptions options) {
  auto state = std::make_unique<State>();
  state->model = std::move(model);
  state->file = file;
  state->options = options;
  HPML_TRY_VOID(state->add_values());
  std::map<std::string, bool, std::less<>> constant;
  for (const auto& [name, tensor] : state->values) {
    constant.emplace(name, true);
  }
  for (const ValueInfo& input : state->model.inputs) {
    constant[input.name] = false;
  }
  for (size_t i = 0; i < state->model.nodes.size(); ++i) {
    HPML_TRY_VOID(state->add_node(i, constant));
  }
  for (const ValueInfo& output : state->model.outputs) {
    if (!state->values.contains(output.name)) {
      return state->error("output '" + output.name + "' is made by no node");
    }
  }
  return Session(std::move(state));
}

const Model& Session::model() const { return state_->model; }

Tensor* Session::input(std::string_view name) {
  for (const ValueInfo& input : state_->model.inputs) {
    if (input.name == name) {
      return &state_->values.find(name)->second;
    }
  }
  return nullptr;
}

Result<void> Session::run() {
  HPML_TRY_VOID(state_->check_inputs());
  for (size_t i = 0; i < state_->nodes.size(); ++i) {
    if (!state_->folded[i]) {
      HPML_TRY_VOID(state_->run_node(i));
    }
  }
  return Ok{};
}

const Tensor* Session::output(std::string_view name) const {
  for (const ValueInfo& output : state_->model.outputs) {
    if (output.name == name) {
      return &state_->values.find(name)->second;
    }
  }
  return nullptr;
}

std::vector<NodeUse> Session::uses() const {
  std::vector<NodeUse> result;
  for (const NodeState& state : state_->nodes) {
    NodeUse use{state.node, {}, state.macs};
    for (const Tensor* output : state.outputs) {
      use.outputs.push_back(output != nullptr ? output->dims() : Dims());
    }
    result.push_back(std::move(use));
  }
  return result;
}

}  // namespace hpml::onnx
