#pragma once
// A layer of the library's graph as your files see it.
#include "common/nn/graph/graph.hpp"
#include "lab2.hpp"

namespace nodes {

static inline lab2::Node lab2_node(const hpml::nn::NodeSpec& spec) {
  const auto attr = [&](const char* name, int64_t otherwise) {
    return spec.attrs.contains(name) ? static_cast<int>(spec.integer(name)) : static_cast<int>(otherwise);
  };
  lab2::Node node{.op = spec.op, .name = spec.name};
  for (const hpml::nn::Shape& in : spec.in_shapes) {
    node.in.push_back({in.h, in.w, in.c});
  }
  node.out = {spec.out_shape.h, spec.out_shape.w, spec.out_shape.c};
  node.kernel = attr("kernel", 1);
  if (node.kernel == 0) {  // a pool over the whole image
    node.kernel = node.in[0].h;
  }
  node.stride = attr("stride", 1);
  node.pad = attr("pad", 0);
  node.groups = attr("groups", 1);
  node.bias = spec.op == "linear" ? attr("bias", 1) != 0 : attr("bias", 0) != 0;
  return node;
}

}  // namespace nodes
