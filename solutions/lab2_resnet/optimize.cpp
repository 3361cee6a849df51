// C8: what a graph compiler does before it runs a network.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab2.hpp"

namespace lab2 {

void fold_batch_norm(const ConvShape& shape, const BatchNorm& norm, float* w, float* bias) {
  const int64_t rows = int64_t{shape.k} * shape.k * shape.ci;
  for (int c = 0; c < shape.co; ++c) {
    const float scale = norm.gamma[c] / std::sqrt(norm.running_var[c] + norm.eps);
    bias[c] = norm.beta[c] - norm.running_mean[c] * scale;
    for (int64_t row = 0; row < rows; ++row) {
      w[row * shape.co + c] *= scale;
    }
  }
}

namespace {

// The only reader of a node, or -1.
int only_reader(std::span<const GraphNode> nodes, int node) {
  int reader = -1, readers = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto uses = static_cast<int>(std::count(nodes[i].inputs.begin(), nodes[i].inputs.end(), node));
    readers += uses;
    reader = uses > 0 ? static_cast<int>(i) : reader;
  }
  return readers == 1 ? reader : -1;
}

bool is(std::span<const GraphNode> nodes, int node, std::string_view op) {
  return node >= 0 && nodes[static_cast<size_t>(node)].op == op;
}

}  // namespace

std::vector<std::vector<int>> fuse(std::span<const GraphNode> nodes) {
  std::vector<int> end(nodes.size());  // the last node of the group that a node is in
  std::iota(end.begin(), end.end(), 0);
  std::vector<std::vector<int>> groups;
  std::vector<bool> taken(nodes.size());
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    if (taken[static_cast<size_t>(i)]) {
      continue;
    }
    std::vector<int> group{i};
    const auto take = [&](std::string_view op) {
      const int next = only_reader(nodes, group.back());
      if (is(nodes, next, op) && !taken[static_cast<size_t>(next)]) {
        group.push_back(next);
      }
    };
    if (is(nodes, i, "conv2d")) {
      take("batch_norm");
      const int sum = only_reader(nodes, group.back());
      if (is(nodes, sum, "add") && !taken[static_cast<size_t>(sum)]) {
        const auto& inputs = nodes[static_cast<size_t>(sum)].inputs;
        const int other = inputs[0] == group.back() ? inputs[1] : inputs[0];
        if (other < 0 || end[static_cast<size_t>(other)] < i) {
          group.push_back(sum);
        }
      }
      take("relu");
    }
    for (const int node : group) {
      taken[static_cast<size_t>(node)] = true;
      end[static_cast<size_t>(node)] = group.back();
    }
    groups.push_back(group);
  }
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.back() < b.back(); });
  return groups;
}

std::vector<int64_t> plan_memory(std::span<const Lifetime> buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  std::vector<int64_t> offsets(buffers.size());
  std::vector<size_t> placed;  // by offset
  for (const size_t i : order) {
    int64_t at = 0;
    for (const size_t other : placed) {
      const bool meet = buffers[other].first <= buffers[i].last && buffers[i].first <= buffers[other].last;
      if (meet && offsets[other] < at + buffers[i].bytes && at < offsets[other] + buffers[other].bytes) {
        at = (offsets[other] + buffers[other].bytes + 63) / 64 * 64;
      }
    }
    offsets[i] = at;
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), i, [&](size_t a, size_t b) { return offsets[a] < offsets[b]; }),
        i);
  }
  return offsets;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
