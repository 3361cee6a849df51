#pragma once
// What an operator is: its attributes, its shape rule, its parameters, its cost and its layer. Each is defined in one
// file, layers/<op>.cpp; graph/op.cpp lists them.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/nn/graph/graph.hpp"

namespace hpml::nn {

class Layer;
struct Slots;
class ThreadPool;

// Work of one node for ONE image, forward. Multiply by the batch. FLOP = 2 * MAC + other_flop.
struct LayerCost {
  int64_t macs = 0;           // nominal: taps of a convolution that fall into the padding count
  int64_t executed_macs = 0;  // without those taps
  int64_t other_flop = 0;     // of layers without products: batch_norm 2 per element, relu, add, pools 1
  int64_t parameters = 0;     // trainable elements
  int64_t buffers = 0;        // elements that are kept but not trained
  int64_t bytes_in = 0, bytes_w = 0, bytes_out = 0;  // float32; each input whole, each parameter once

  int64_t flop() const { return 2 * macs + other_flop; }
};

struct AttrRule {
  std::string name;
  enum class Kind : uint8_t { integer, real } kind = Kind::integer;
  bool required = true;
  double value = 0;           // when it is not required and omitted
  double min = 0, max = 1e9;  // both allowed
};

// What a layer is made from. The references outlive the layer.
struct LayerContext {
  const NodeSpec& node;
  int batch;  // the largest number of images of one call
  const Slots& slots;
  ThreadPool& pool;
};

struct Op {
  std::string_view name;
  int inputs;  // their number; -1: one or more
  std::vector<AttrRule> attrs;
  // Fills out_shape and params from op, attrs and in_shapes. Returns "" or why the shapes do not fit.
  std::string (*infer)(NodeSpec& node);
  LayerCost (*cost)(const NodeSpec& node);  // macs, executed_macs, other_flop: cost_of() adds the rest
  // Null: the operator can be described, counted and exported, but not run.
  std::unique_ptr<Layer> (*make)(const LayerContext& context);
};

std::span<const Op> all_ops();
const Op* find_op(std::string_view name);

// The operator's cost rule, with parameters and bytes filled in.
LayerCost cost_of(const NodeSpec& node);

}  // namespace hpml::nn
