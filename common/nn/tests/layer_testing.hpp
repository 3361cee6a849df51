#pragma once
// One layer against its definition in double. The definition is a function of the inputs and parameters that the test
// writes down; gradients are checked against central differences of it, so a test needs no second backward pass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "common/nn/graph/op.hpp"
#include "common/nn/layers/layer.hpp"
#include "common/nn/tests/nn_testing.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

using Values = std::vector<double>;
// inputs, then parameters -> output, all in the library's element order
using Definition = std::function<Values(const std::vector<Values>& inputs, const std::vector<Values>& params)>;

struct LayerCase {
  std::string op;
  Attrs attrs;
  std::vector<Shape> inputs;  // n = the batch
  Definition definition;
};

class LayerCheck {
 public:
  explicit LayerCheck(const LayerCase& test) : test_(test), slots_(baseline_slots()), pool_(2) {
    node_ = {test.op, "layer", {}, test.attrs, {}, {}, {}};
    Graph graph("test", test.inputs[0]);
    std::vector<std::string> names = {"input"};
    for (size_t i = 1; i < test.inputs.size(); ++i) {  // further inputs of the same or another number of channels
      names.push_back("side" + std::to_string(i));
      const auto added = graph.add("conv2d", names.back(), {"input"},
                                   {{"channels", int64_t{test.inputs[i].c}}, {"kernel", int64_t{1}}});
      HPML_CHECK(added.ok(), added.error().message);
    }
    const auto added = graph.add(test.op, "layer", names, test.attrs);
    HPML_CHECK(added.ok(), added.error().message);
    node_ = graph.output();
    const int batch = test.inputs[0].n;
    layer_ = find_op(test.op)->make({node_, batch, slots_, pool_});
    make_tensors(batch);
  }

  void run() {
    pass_forward();
    const std::vector<Values> inputs = doubles(inputs_), params = doubles(params_);
    expect_close(out_, test_.definition(inputs, params), "output");
    pass_backward();
    for (size_t i = 0; i < inputs.size(); ++i) {
      expect_close(din_[i], differences(inputs, params, i, true), "gradient by input " + std::to_string(i));
    }
    for (size_t i = 0; i < params.size(); ++i) {
      if (node_.params[i].trainable) {
        expect_close(dparams_[i], differences(inputs, params, i, false), "gradient by " + node_.params[i].name);
      }
    }
  }

 private:
  void make_tensors(int batch) {
    for (size_t i = 0; i < test_.inputs.size(); ++i) {
      inputs_.push_back(random_tensor(test_.inputs[i], "input" + std::to_string(i)));
      din_.emplace_back(test_.inputs[i]);
    }
    for (const ParamSpec& spec : node_.params) {
      params_.push_back(random_tensor(spec.shape, spec.name));
      dparams_.emplace_back(spec.shape);
    }
    out_ = Tensor(node_.out_shape.with_n(batch));
    dout_ = random_tensor(out_.shape(), "dout");
    for (size_t i = 0; i < params_.size(); ++i) {
      param_views_.push_back(params_[i].view());
      gradient_views_.push_back(node_.params[i].trainable ? dparams_[i].view() : View<float>{});
    }
    layer_->bind(param_views_, gradient_views_);
  }

  void pass_forward() {
    for (const Tensor& input : inputs_) {
      in_views_.emplace_back(input.view());
    }
    layer_->forward({in_views_, out_.view(), true});
  }

  void pass_backward() {
    std::vector<View<float>> din;
    for (const Tensor& gradient : din_) {
      din.push_back(gradient.view());
    }
    std::vector<View<const float>> in = in_views_;
    if (!layer_->needs_input()) {
      std::fill(in.begin(), in.end(), View<const float>{});
    }
    layer_->backward(
        {in, layer_->needs_output() ? View<const float>(out_.view()) : View<const float>{}, dout_.view(), din});
  }

  static std::vector<Values> doubles(const std::vector<Tensor>& tensors) {
    std::vector<Values> result;
    for (const Tensor& tensor : tensors) {
      result.emplace_back(tensor.span().begin(), tensor.span().end());
    }
    return result;
  }

  // d <dout, definition> / d element, for every element of one input or parameter.
  Values differences(std::vector<Values> inputs, std::vector<Values> params, size_t which, bool input) const {
    constexpr double kStep = 1e-5;
    Values& moved = input ? inputs[which] : params[which];
    Values result;
    for (double& element : moved) {
      const double before = element;
      const auto loss = [&](double value) {
        element = value;
        const Values out = test_.definition(inputs, params);
        double sum = 0;
        for (size_t i = 0; i < out.size(); ++i) {
          sum += out[i] * dout_.data()[i];
        }
        return sum;
      };
      result.push_back((loss(before + kStep) - loss(before - kStep)) / (2 * kStep));
      element = before;
    }
    return result;
  }

  static void expect_close(const Tensor& got, const Values& expected, const std::string& what) {
    ASSERT_EQ(static_cast<size_t>(got.size()), expected.size()) << what;
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(got.data()[i], expected[i], 2e-5 * (1 + std::abs(expected[i]))) << what << ", element " << i;
    }
  }

  const LayerCase& test_;
  Slots slots_;
  ThreadPool pool_;
  NodeSpec node_;
  std::unique_ptr<Layer> layer_;
  std::vector<Tensor> inputs_, din_, params_, dparams_;
  Tensor out_, dout_;
  std::vector<View<const float>> in_views_;
  std::vector<View<float>> param_views_, gradient_views_;
};

inline void check_layer(const LayerCase& test) { LayerCheck(test).run(); }

}  // namespace hpml::nn
