#pragma once
// What the tests of operators share: tensors, and one node run alone.
#include <map>
#include <string>
#include <vector>

#include "common/onnx/session.hpp"

namespace hpml::onnx {

using Floats = std::vector<float>;

inline Tensor floats(Dims dims, const Floats& values) { return Tensor::of<float>(std::move(dims), values); }
template <class T>
Tensor whole(Dims dims, const std::vector<T>& values) {
  return Tensor::of<T>(std::move(dims), values);
}

// The result of one node whose inputs are constants. fuse: folded before it runs.
inline Result<Tensor> result_of(const std::string& op, const std::vector<Tensor>& inputs,
                                std::map<std::string, Attribute> attributes = {}, bool fuse = false,
                                Type type = Type::float32) {
  Model model;
  Node node{op, "one", {}, {"out"}, std::move(attributes)};
  for (const Tensor& input : inputs) {
    node.inputs.push_back("i" + std::to_string(node.inputs.size()));
    model.initializers.emplace_back(node.inputs.back(), input);
  }
  model.nodes = {node};
  model.outputs = {{"out", type, {}}};
  HPML_TRY(Session session, Session::create(std::move(model), "<test>", {.fuse = fuse}));
  HPML_TRY_VOID(session.run());
  return *session.output("out");
}

}  // namespace hpml::onnx
