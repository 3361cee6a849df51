#include "layers.hpp"

#include <algorithm>
#include <map>

#include "common/nn/thread_pool.hpp"
#include "harness/hosted.hpp"
#include "harness/matmul.hpp"
#include "session.hpp"

namespace hpml::lab2 {

// What a request is about; it lies in the first input.
struct Call {
  enum class What : int64_t { conv_forward, conv_backward, norm_forward, norm_backward, step } what;
  int64_t layer = 0;  // which one: it may keep something from its forward pass
  nn::ConvShape conv = {};
  int64_t images = 0;                              // conv; conv.n is the most
  int64_t pixels = 0, channels = 0, training = 0;  // norm
  ::lab2::OptimizerOptions options = {};           // step
  int64_t t = 0, count = 0;
  float eps = 0, momentum = 0;  // norm
};

namespace {

constexpr size_t kCall = 0;  // of the inputs; floats follow

// In the worker.
class Served {
 public:
  Served(const hosted::Training& functions, const worker::Buffers& buffers) : f_(functions), buffers_(buffers) {}

  void serve() {
    const Call call = *buffers_.input<Call>(kCall, 1);
    switch (call.what) {
      case Call::What::conv_forward:
      case Call::What::conv_backward: convolve(call); break;
      case Call::What::norm_forward: normalise(call); break;
      case Call::What::norm_backward: norm_backward(call); break;
      case Call::What::step: step(call); break;
    }
  }

 private:
  const float* in(size_t i, int64_t count) const { return buffers_.input<float>(1 + i, count); }
  float* out(size_t i, int64_t count) const { return buffers_.output<float>(i, count); }

  void convolve(const Call& call) {
    std::unique_ptr<nn::Conv2d>& conv = convolutions_[call.layer];
    if (conv == nullptr) {
      conv = nn::sliced_conv2d(
          call.conv, pool_,
          [this](const nn::ConvShape& s, nn::View<const float> x, nn::View<const float> w, nn::View<float> y) {
            f_.conv2d_forward(shape_of(s), x.data, w.data, y.data);
          },
          [this](const nn::ConvShape& s, nn::View<const float> x, nn::View<const float> w, nn::View<const float> dy,
                 nn::View<float> dx,
                 nn::View<float> dw) { f_.conv2d_backward(shape_of(s), x.data, w.data, dy.data, dx.data, dw.data); });
    }
    nn::ConvShape s = call.conv;
    s.n = static_cast<int>(call.images);
    const nn::Shape x = s.in_shape(), w = s.weight_shape(), y = s.out_shape();
    const nn::View<const float> image{in(0, x.size()), x}, weights{in(1, w.size()), w};
    if (call.what == Call::What::conv_forward) {
      conv->forward(image, weights, {out(0, y.size()), y});
    } else {
      conv->backward(image, weights, {in(2, y.size()), y}, {out(0, x.size()), x}, {out(1, w.size()), w});
    }
  }
  static ::lab2::ConvShape shape_of(const nn::ConvShape& s) {
    return {s.n, s.h, s.w, s.ci, s.co, s.k, s.stride, s.pad};
  }

  // Inputs: x, gamma, beta, running mean, running variance. Outputs: y and the last two.
  void normalise(const Call& call) {
    const int64_t c = call.channels, size = call.pixels * c;
    std::copy_n(in(3, c), c, out(1, c));
    std::copy_n(in(4, c), c, out(2, c));
    f_.batch_norm_forward(norm(call, out(1, c), out(2, c)), call.pixels, in(0, size), call.training != 0, out(0, size));
  }
  // Inputs: x, gamma, beta, dy. Outputs: dx, dgamma, dbeta.
  void norm_backward(const Call& call) {
    const int64_t c = call.channels, size = call.pixels * c;
    f_.batch_norm_backward(norm(call, nullptr, nullptr), call.pixels, in(0, size), in(3, size), out(0, size), out(1, c),
                           out(2, c));
  }
  ::lab2::BatchNorm& norm(const Call& call, float* mean, float* variance) {
    ::lab2::BatchNorm& n = norms_[call.layer];
    n.channels = static_cast<int>(call.channels);
    n.eps = call.eps;
    n.momentum = call.momentum;
    n.gamma = const_cast<float*>(in(1, call.channels));  // read only
    n.beta = const_cast<float*>(in(2, call.channels));
    n.running_mean = mean;
    n.running_var = variance;
    return n;
  }

  void step(const Call& call) {
    const auto count = static_cast<size_t>(call.count);
    const int moments = f_.moments(call.options.kind);
    a_.resize(moments > 0 ? count : 0);
    b_.resize(moments > 1 ? count : 0);
    float* theta = out(0, call.count);
    std::copy_n(in(0, call.count), count, theta);
    f_.optimizer_step(call.options, call.t, {theta, count}, {in(1, call.count), count}, a_, b_);
  }

  const hosted::Training& f_;
  const worker::Buffers& buffers_;
  const nn::FlushDenormals flush_;
  nn::ThreadPool pool_{1};
  std::map<int64_t, std::unique_ptr<nn::Conv2d>> convolutions_;
  std::map<int64_t, ::lab2::BatchNorm> norms_;
  std::vector<float> a_, b_;
};

}  // namespace

class HostedConv : public nn::Conv2d {
 public:
  HostedConv(Layers& layers, const nn::ConvShape& shape) : layers_(layers), shape_(shape), layer_(layers.made_++) {}
  void forward(nn::View<const float> x, nn::View<const float> w, nn::View<float> y) override {
    layers_.ask({.what = Call::What::conv_forward, .layer = layer_, .conv = shape_, .images = x.shape.n},
                {{{x.data, x.size()}, {w.data, w.size()}}}, {{{y.data, y.size()}}});
  }
  void backward(nn::View<const float> x, nn::View<const float> w, nn::View<const float> dy, nn::View<float> dx,
                nn::View<float> dw) override {
    // The network does not need the first layer's dx: the student's function writes it to a buffer that is not read.
    unwanted_.resize(dx.empty() ? static_cast<size_t>(x.size()) : 0);
    layers_.ask({.what = Call::What::conv_backward, .layer = layer_, .conv = shape_, .images = x.shape.n},
                {{{x.data, x.size()}, {w.data, w.size()}, {dy.data, dy.size()}}},
                {{{dx.empty() ? unwanted_.data() : dx.data, x.size()}, {dw.data, dw.size()}}});
  }

 private:
  Layers& layers_;
  nn::ConvShape shape_;
  int64_t layer_;
  std::vector<float> unwanted_;
};

class HostedNorm : public nn::BatchNorm {
 public:
  explicit HostedNorm(Layers& layers) : layers_(layers), layer_(layers.made_++) {}
  void forward(nn::View<const float> x, const nn::BatchNormParams& p, bool training, nn::View<float> y) override {
    const int64_t c = x.shape.c;
    layers_.ask(call(Call::What::norm_forward, x, p, training),
                {{{x.data, x.size()},
                  {p.gamma.data(), c},
                  {p.beta.data(), c},
                  {p.running_mean.data(), c},
                  {p.running_var.data(), c}}},
                {{{y.data, y.size()}, {p.running_mean.data(), c}, {p.running_var.data(), c}}});
  }
  void backward(nn::View<const float> x, nn::View<const float> dy, const nn::BatchNormParams& p, nn::View<float> dx,
                std::span<float> dgamma, std::span<float> dbeta) override {
    const int64_t c = x.shape.c;
    layers_.ask(call(Call::What::norm_backward, x, p, true),
                {{{x.data, x.size()}, {p.gamma.data(), c}, {p.beta.data(), c}, {dy.data, dy.size()}}},
                {{{dx.data, dx.size()}, {dgamma.data(), c}, {dbeta.data(), c}}});
  }

 private:
  Call call(Call::What what, nn::View<const float> x, const nn::BatchNormParams& p, bool training) const {
    return {.what = what,
            .layer = layer_,
            .pixels = x.size() / x.shape.c,
            .channels = x.shape.c,
            .training = training,
            .eps = p.eps,
            .momentum = p.momentum};
  }
  Layers& layers_;
  int64_t layer_;
};

Answer<std::unique_ptr<Layers>> Layers::start(const std::string& library, const Most& most) {
  const auto bytes = [](int64_t count) { return static_cast<size_t>(count) * sizeof(float); };
  const size_t activation = bytes(most.activation), parameters = bytes(most.parameters);
  const worker::Layout layout{{sizeof(Call), std::max(activation, parameters), parameters,
                               std::max(activation, parameters), activation, parameters},
                              {std::max(activation, parameters), parameters, parameters}};
  HPML_TRY(auto host, worker::Host::start(layout, [&](const worker::Buffers& buffers) -> worker::Function {
             const auto& functions = table_of<hosted::Training>(library, "lab2_training");
             const auto served = std::make_shared<Served>(functions, buffers);
             return [served](const worker::Request&) { served->serve(); };
           }));
  return std::unique_ptr<Layers>(new Layers(std::move(host)));
}

nn::Slots Layers::slots() {
  nn::Slots slots;
  slots.conv2d = [this](const nn::ConvShape& shape, nn::ThreadPool&) {
    return std::make_unique<HostedConv>(*this, shape);
  };
  slots.batch_norm = [this](nn::Shape, nn::ThreadPool&) { return std::make_unique<HostedNorm>(*this); };
  slots.matmul = network::matmul;
  return slots;
}

void Layers::step(const ::lab2::OptimizerOptions& options, std::span<const nn::Param> params) {
  theta_.clear();
  gradient_.clear();
  for (const nn::Param& param : params) {
    theta_.insert(theta_.end(), param.value.begin(), param.value.end());
    gradient_.insert(gradient_.end(), param.gradient.begin(), param.gradient.end());
  }
  const auto count = static_cast<int64_t>(theta_.size());
  ask({.what = Call::What::step, .options = options, .t = ++step_, .count = count},
      {{{theta_.data(), count}, {gradient_.data(), count}}}, {{{theta_.data(), count}}});
  const float* next = theta_.data();
  for (const nn::Param& param : params) {
    std::copy_n(next, param.value.size(), param.value.data());
    next += param.value.size();
  }
}

Answer<Ok> Layers::status() const {
  if (failure_) {
    return *failure_;
  }
  return Ok{};
}

void Layers::ask(const Call& call, std::span<const Source> in, std::span<const Target> out) {
  if (failure_) {
    return;
  }
  *host_->buffers().input<Call>(kCall, 1) = call;
  for (size_t i = 0; i < in.size(); ++i) {
    std::copy_n(in[i].data, in[i].count, host_->buffers().input<float>(1 + i, in[i].count));
  }
  std::vector<worker::Output> outputs;
  for (size_t i = 0; i < out.size(); ++i) {
    outputs.push_back({i, std::as_writable_bytes(std::span(out[i].data, static_cast<size_t>(out[i].count)))});
  }
  if (const Answer<Ok> answered = host_->ask({}, outputs); !answered.ok()) {
    failure_ = answered.error();
  }
}

}  // namespace hpml::lab2
