#pragma once
// ResNet-8 in integers, from a folded network and its ranges (README.md, "Integer inference"). Plain loops: an oracle.
#include "networks/folded.hpp"

namespace hpml::lab5 {

class IntegerNet {
 public:
  struct Node {
    FoldedNode from;
    std::vector<int8_t> weight;
    std::vector<float> weight_scale;  // one per output channel
    std::vector<int64_t> bias, m0;
    std::vector<int> shift;
    Scale in, second, out;
    float ra = 0, rb = 0;

    void multiplier(double m);
    uint8_t limited(int64_t q) const;
    uint8_t requantized(int64_t acc, size_t c) const;
  };

  IntegerNet(const FoldedNet& net, const Ranges& ranges);
  // The class with the largest logit, by integers alone.
  int classify(std::span<const float> image) const;
  std::vector<int64_t> logits(std::span<const float> image) const;
  const std::vector<Node>& nodes() const { return nodes_; }
  const Scale& input() const { return input_; }

 private:
  std::vector<Node> nodes_;
  Scale input_;
};

}  // namespace hpml::lab5
