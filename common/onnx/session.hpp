#pragma once
// The interpreter: runs a model's nodes in order, on one thread. It believes nothing of a file: extents are checked
// before every operator runs.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"
#include "common/onnx/model.hpp"

namespace hpml::onnx {

struct SessionOptions {
  // Nodes whose inputs are all constants run once, and constant matrices are stored the way the kernels read them.
  bool fuse = false;
};

// What a node did in the last run.
struct NodeUse {
  const Node* node = nullptr;
  std::vector<Dims> outputs;  // extents of each output
  int64_t macs = 0;           // multiply-accumulate operations of matrix products
};

class Session {
 public:
  // Errors: unknown operator, a name that is defined twice or read before it is defined, too few inputs.
  static Result<Session> create(Model model, const std::string& file, SessionOptions options = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const Model& model() const;

  // The tensor that run() reads for an input, by its name; null for another name. Elements stay between runs.
  Tensor* input(std::string_view name);
  // Runs all nodes. Errors name the input whose type or extents are not those that the model declares (extents with the
  // same name must be equal), or the node whose inputs do not fit its operator. No memory is allocated for tensors
  // whose extents have been as large before.
  Result<void> run();
  // A result of the last run; null for a name that is no output.
  const Tensor* output(std::string_view name) const;

  std::vector<NodeUse> uses() const;

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hpml::onnx
