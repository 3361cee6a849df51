#include "common/nn/layers/pool.hpp"

#include <fmt/format.h>

namespace hpml::nn {

PoolShape pool_shape(const NodeSpec& node) {
  const Shape in = node.in_shapes[0];
  const int kernel = static_cast<int>(node.integer("kernel")), stride = static_cast<int>(node.integer("stride"));
  const int pad = static_cast<int>(node.integer("pad"));
  const auto window = [&](int size) {
    const int k = kernel == 0 ? size : kernel;
    return Window{size, k, stride == 0 ? k : stride, pad};
  };
  return {window(in.h), window(in.w)};
}

std::string infer_pool(NodeSpec& node) {
  const PoolShape shape = pool_shape(node);
  if (!shape.rows.fits() || !shape.columns.fits()) {
    return fmt::format("kernel {} is larger than the padded input {}", shape.rows.kernel,
                       node.in_shapes[0].to_string());
  }
  if (2 * shape.rows.pad > shape.rows.kernel || 2 * shape.columns.pad > shape.columns.kernel) {
    return fmt::format("pad {} is more than half of the kernel {}", shape.rows.pad, shape.rows.kernel);
  }
  node.out_shape = {1, shape.rows.positions(), shape.columns.positions(), node.in_shapes[0].c};
  return "";
}

LayerCost pool_cost(const NodeSpec& node) {
  const PoolShape shape = pool_shape(node);
  return {.other_flop = node.out_shape.size() * shape.rows.kernel * shape.columns.kernel};
}

std::vector<AttrRule> pool_attrs() {
  return {{.name = "kernel", .required = false, .value = 0, .min = 0, .max = 1 << 12},
          {.name = "stride", .required = false, .value = 0, .min = 0, .max = 1 << 12},
          {.name = "pad", .required = false, .value = 0, .min = 0, .max = 64}};
}

}  // namespace hpml::nn
