#include "harness/network.hpp"

#include <optional>

#include "common/base/check.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/layers/layer.hpp"
#include "common/nn/profile/trace.hpp"
#include "common/nn/thread_pool.hpp"
#include "common/nn/train/network.hpp"
#include "harness/matmul.hpp"
#include "harness/nodes.hpp"

namespace network {

namespace {

namespace nn = hpml::nn;

lab2::ConvShape shape_of(const nn::ConvShape& s) { return {s.n, s.h, s.w, s.ci, s.co, s.k, s.stride, s.pad}; }

void forward(const nn::ConvShape& s, nn::View<const float> x, nn::View<const float> w, nn::View<float> y) {
  lab2::conv2d_forward(shape_of(s), x.data, w.data, y.data);
}

void backward(const nn::ConvShape& s, nn::View<const float> x, nn::View<const float> w, nn::View<const float> dy,
              nn::View<float> dx, nn::View<float> dw) {
  lab2::conv2d_backward(shape_of(s), x.data, w.data, dy.data, dx.data, dw.data);
}

class StudentBatchNorm : public nn::BatchNorm {
 public:
  void forward(nn::View<const float> x, const nn::BatchNormParams& params, bool training, nn::View<float> y) override {
    lab2::batch_norm_forward(fill(params, x.shape.c), x.size() / x.shape.c, x.data, training, y.data);
  }
  void backward(nn::View<const float> x, nn::View<const float> dy, const nn::BatchNormParams& params,
                nn::View<float> dx, std::span<float> dgamma, std::span<float> dbeta) override {
    lab2::batch_norm_backward(fill(params, x.shape.c), x.size() / x.shape.c, x.data, dy.data, dx.data, dgamma.data(),
                              dbeta.data());
  }

 private:
  lab2::BatchNorm& fill(const nn::BatchNormParams& params, int channels) {
    norm_.channels = channels;
    norm_.eps = params.eps;
    norm_.momentum = params.momentum;
    norm_.gamma = const_cast<float*>(params.gamma.data());  // read only
    norm_.beta = const_cast<float*>(params.beta.data());
    norm_.running_mean = params.running_mean.data();
    norm_.running_var = params.running_var.data();
    return norm_;
  }
  lab2::BatchNorm norm_;
};

// Hands the library's spans over to your tracer, with the work that costs.cpp counts.
class Relay : public nn::Tracer {
 public:
  Relay(lab2::Tracer& to, const nn::Graph& graph) : to_(to), graph_(graph) {}
  int64_t now_ns() const override { return to_.now_ns(); }
  void record(const nn::TraceEvent& e) override {
    const nn::NodeSpec& spec = graph_.nodes()[static_cast<size_t>(e.node)];
    const lab2::Cost cost = lab2::cost(nodes::lab2_node(spec));
    const int64_t passes = e.pass == nn::Pass::forward || spec.inputs[0] == "input" ? 1 : 2;
    to_.record({.name = e.name,
                .pass = nn::to_string(e.pass),
                .node = e.node,
                .flop = (2 * cost.macs * passes + cost.other_flop) * e.images,
                .bytes = (cost.bytes_in + cost.bytes_out) * e.images + cost.bytes_w,
                .start_ns = e.start_ns,
                .duration_ns = e.duration_ns});
  }
  std::vector<nn::TraceEvent> events() const override { return {}; }

 private:
  lab2::Tracer& to_;
  const nn::Graph& graph_;
};

class StudentOptimizer {
 public:
  explicit StudentOptimizer(const lab2::TrainOptions& o) {
    constexpr std::string_view kKinds[] = {"sgd", "nesterov", "adagrad", "adadelta", "adam"};
    for (size_t kind = 0; kind < std::size(kKinds); ++kind) {
      if (o.optimizer == kKinds[kind]) {
        options_.kind = static_cast<lab2::OptimizerKind>(kind);
      }
    }
    options_.lr = o.lr;
    options_.momentum = o.momentum;
    options_.weight_decay = o.weight_decay;
  }
  void step(std::span<const nn::Param> params) {
    a_.resize(params.size());
    b_.resize(params.size());
    ++t_;
    for (size_t i = 0; i < params.size(); ++i) {
      const int moments = lab2::moments(options_.kind);
      a_[i].resize(moments > 0 ? params[i].value.size() : 0);
      b_[i].resize(moments > 1 ? params[i].value.size() : 0);
      lab2::optimizer_step<float>(options_, t_, params[i].value, params[i].gradient, a_[i], b_[i]);
    }
  }

 private:
  lab2::OptimizerOptions options_;
  int64_t t_ = 0;
  std::vector<std::vector<float>> a_, b_;
};

class NetworkModel : public Model {
 public:
  NetworkModel(const lab2::TrainOptions& o, lab2::Tracer* tracer)
      : pool_(o.threads), slots_(student_slots()), optimizer_(o), tracer_(tracer) {
    network_.emplace(nn::Network::build(graph_of(o), {.batch = o.batch, .seed = o.seed}, slots_, pool_).value());
    if (tracer != nullptr) {
      relay_ = std::make_unique<Relay>(*tracer, network_->graph());
      network_->set_tracer(relay_.get());
    }
  }
  void train_step(const lab2::Batch& batch) override {
    const int64_t start = tracer_ == nullptr ? 0 : tracer_->now_ns();
    keep(network_->train_step(images(batch), labels(batch)));
    span("train_step", "step", start);
  }
  void update() override {
    const int64_t start = tracer_ == nullptr ? 0 : tracer_->now_ns();
    optimizer_.step(network_->parameters());
    span("update", "update", start);
  }
  void synchronize() override {}
  double loss() override { return loss_; }
  int correct() override { return correct_; }
  void evaluate(const lab2::Batch& batch) override { keep(network_->evaluate(images(batch), labels(batch))); }
  const nn::Network& network() const override { return *network_; }

 private:
  static nn::View<const float> images(const lab2::Batch& batch) {
    return {batch.images, {batch.count, lab2::kSide, lab2::kSide, lab2::kPlanes}};
  }
  static std::span<const int32_t> labels(const lab2::Batch& batch) {
    return {batch.labels, static_cast<size_t>(batch.count)};
  }
  void keep(const nn::StepResult& result) {
    loss_ = result.loss;
    correct_ = result.correct;
  }
  void span(const char* name, const char* pass, int64_t start) {
    if (tracer_ != nullptr) {
      tracer_->record({.name = name, .pass = pass, .start_ns = start, .duration_ns = tracer_->now_ns() - start});
    }
  }

  nn::ThreadPool pool_;
  nn::Slots slots_;
  StudentOptimizer optimizer_;
  lab2::Tracer* tracer_;
  std::optional<nn::Network> network_;
  std::unique_ptr<Relay> relay_;
  double loss_ = 0;
  int correct_ = 0;
};

}  // namespace

hpml::nn::Slots student_slots() {
  nn::Slots slots;
  slots.conv2d = [](const nn::ConvShape& shape, nn::ThreadPool& pool) {
    return nn::sliced_conv2d(shape, pool, forward, backward);
  };
  slots.batch_norm = [](nn::Shape, nn::ThreadPool&) { return std::make_unique<StudentBatchNorm>(); };
  slots.matmul = matmul;
  return slots;
}

hpml::nn::Graph graph_of(const lab2::TrainOptions& options) {
  return options.model == "resnet18" ? nn::resnet18_cifar(options.batch_norm)
                                     : nn::resnet8_cifar(options.width, options.batch_norm);
}

std::unique_ptr<Model> make_model(const lab2::TrainOptions& options, lab2::Tracer* tracer) {
  return std::make_unique<NetworkModel>(options, tracer);
}

}  // namespace network
