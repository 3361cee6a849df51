#include "common/nn/train/network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"
#include "common/nn/graph/op.hpp"
#include "common/nn/thread_pool.hpp"
#include "common/nn/train/parameters.hpp"
#include "common/nn/train/plan.hpp"

namespace hpml::nn {

struct Network::Impl {
  Graph graph;
  NetworkOptions options;
  ThreadPool& pool;
  Parameters parameters;
  Buffers activations, gradients;
  std::vector<Step> steps;
  View<const float> input;  // of the current pass
  Tracer* tracer = nullptr;

  Impl(Graph the_graph, const NetworkOptions& the_options, ThreadPool& the_pool)
      : graph(std::move(the_graph)),
        options(the_options),
        pool(the_pool),
        parameters(graph, options.seed, options.training) {}

  Result<void> make_steps(const Slots& slots);
  View<float> out_of(const Step& step) const { return {step.out, step.node->out_shape.with_n(input.shape.n)}; }
  View<const float> output() const { return out_of(steps.back()); }
  void check_input(View<const float> images, size_t labels) const;
  void forward(bool training);
  void forward_step(Step& step, bool training);
  void backward_step(Step& step);
  void add_gradient(const Step& step, size_t input_number);
};

Result<void> Network::Impl::make_steps(const Slots& slots) {
  const auto fail = [&](const NodeSpec& node, std::string_view what) {
    return error_in(fmt::format("graph {}", graph.name()), fmt::format("node '{}': {}", node.name, what));
  };
  if (graph.nodes().empty()) {
    return error_in(fmt::format("graph {}", graph.name()), "has no nodes");
  }
  if (const NodeSpec& last = graph.output(); last.out_shape.h != 1 || last.out_shape.w != 1) {
    return fail(last, fmt::format("a network's output must be 1x1x1xC, not {}", last.out_shape.to_string()));
  }
  for (const NodeSpec& node : graph.nodes()) {
    Step step;
    step.node = &node;
    step.index = static_cast<int>(steps.size());
    const Op* op = find_op(node.op);
    step.layer = op->make == nullptr ? nullptr : op->make({node, options.batch, slots, pool});
    if (step.layer == nullptr) {
      return fail(node, fmt::format("this {} can be described and counted, but not run", node.op));
    }
    step.layer->bind(parameters.values(step.index), parameters.gradients(step.index));
    for (const std::string& name : node.inputs) {
      step.inputs.push_back(graph.index_of(name));
    }
    step.in_views.resize(step.inputs.size());
    step.din_views.resize(step.inputs.size());
    steps.push_back(std::move(step));
  }
  for (const Step& step : steps) {
    const bool read = std::any_of(steps.begin(), steps.end(), [&](const Step& other) {
      return std::find(other.inputs.begin(), other.inputs.end(), step.index) != other.inputs.end();
    });
    if (!read && &step != &steps.back()) {
      return fail(*step.node, "no node reads its output");
    }
  }
  plan_activations(steps, options.batch, options.training, activations);
  if (options.training) {
    plan_gradients(steps, options.batch, gradients);
  }
  return Ok{};
}

void Network::Impl::check_input(View<const float> images, size_t labels) const {
  HPML_CHECK(
      images.shape == graph.input().with_n(images.shape.n) && images.shape.n >= 1 && images.shape.n <= options.batch,
      fmt::format("input {} of network {}, which takes up to {} images of {}", images.shape.to_string(), graph.name(),
                  options.batch, graph.input().to_string()));
  HPML_CHECK(labels == static_cast<size_t>(images.shape.n),
             fmt::format("{} labels for {} images", labels, images.shape.n));
}

void Network::Impl::forward_step(Step& step, bool training) {
  const int images = input.shape.n;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const int from = step.inputs[i];
    step.in_views[i] = from < 0 ? input : View<const float>(out_of(steps[static_cast<size_t>(from)]));
  }
  const Span span(tracer, step.node->name, Pass::forward, step.index, images);
  step.layer->forward({step.in_views, out_of(step), training});
}

void Network::Impl::forward(bool training) {
  for (Step& step : steps) {
    forward_step(step, training);
  }
}

void Network::Impl::add_gradient(const Step& step, size_t input_number) {
  const float* from = step.din[input_number];
  float* to = step.add_to[input_number];
  const int64_t size = step.din_views[input_number].size();
  pool.run(kSlices, [&](int slice) {
    const Range range = part(size, slice, kSlices);
    for (int64_t i = range.begin; i < range.end; ++i) {
      to[i] += from[i];
    }
  });
}

void Network::Impl::backward_step(Step& step) {
  const int images = input.shape.n;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    step.din_views[i] =
        step.din[i] == nullptr ? View<float>{} : View<float>{step.din[i], step.node->in_shapes[i].with_n(images)};
    if (!step.layer->needs_input()) {
      step.in_views[i] = {};
    }
  }
  const Span span(tracer, step.node->name, Pass::backward, step.index, images);
  const View<const float> out = step.layer->needs_output() ? View<const float>(out_of(step)) : View<const float>{};
  step.layer->backward({step.in_views, out, {step.dout, step.node->out_shape.with_n(images)}, step.din_views});
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.add_to[i] != nullptr) {
      add_gradient(step, i);
    }
  }
}

Network::Network(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

Result<Network> Network::build(Graph graph, const NetworkOptions& options, const Slots& slots, ThreadPool& pool) {
  HPML_CHECK(options.batch >= 1, fmt::format("a network for batches of {}", options.batch));
  auto impl = std::make_unique<Impl>(std::move(graph), options, pool);
  HPML_TRY_VOID(impl->make_steps(slots));
  return Network(std::move(impl));
}

const Graph& Network::graph() const { return impl_->graph; }

StepResult Network::train_step(View<const float> images, std::span<const int32_t> labels) {
  impl_->check_input(images, labels.size());
  StepResult result;
  train_step(images, [&](View<const float> logits, View<float> dlogits) {
    result = softmax_cross_entropy(logits, labels, dlogits);
    return result.loss;
  });
  return result;
}

double Network::train_step(View<const float> images, const LossFunction& loss) {
  HPML_CHECK(impl_->options.training, fmt::format("network {} was built for inference", graph().name()));
  impl_->check_input(images, static_cast<size_t>(images.shape.n));
  impl_->input = images;
  impl_->forward(true);
  const Step& last = impl_->steps.back();
  const double result = loss(impl_->output(), {last.dout, last.node->out_shape.with_n(images.shape.n)});
  for (auto step = impl_->steps.rbegin(); step != impl_->steps.rend(); ++step) {
    impl_->backward_step(*step);
  }
  return result;
}

View<const float> Network::infer(View<const float> images) {
  impl_->check_input(images, static_cast<size_t>(images.shape.n));
  impl_->input = images;
  impl_->forward(false);
  return impl_->output();
}

StepResult Network::evaluate(View<const float> images, std::span<const int32_t> labels) {
  impl_->check_input(images, labels.size());
  return softmax_cross_entropy(infer(images), labels, {});
}

std::span<const Param> Network::parameters() const { return impl_->parameters.trainable(); }
View<float> Network::value(std::string_view name) const { return impl_->parameters.value(name); }
View<const float> Network::gradient(std::string_view name) const { return impl_->parameters.gradient(name); }

View<const float> Network::activation(std::string_view node) const {
  const int index = graph().index_of(node);
  HPML_CHECK(index >= 0, fmt::format("network {} has no node '{}'", graph().name(), node));
  const Step& step = impl_->steps[static_cast<size_t>(index)];
  HPML_CHECK(impl_->options.training && !step.overwritten, fmt::format("the output of '{}' was not kept", node));
  return impl_->out_of(step);
}

void Network::set_tracer(Tracer* tracer) { impl_->tracer = tracer; }
int64_t Network::activation_bytes() const { return impl_->activations.bytes(); }
int64_t Network::gradient_bytes() const { return impl_->gradients.bytes(); }

}  // namespace hpml::nn
