#include "networks/fake_quant.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/check.hpp"

namespace hpml::lab5 {

namespace {

constexpr int kBatch = 100;
constexpr size_t kObserved = 1 << 20;  // values of an activation that its histogram is made of

// What one convolution knows of its quantisation.
struct Site {
  std::string name, norm;  // the node, and the batch norm behind it
  bool active = false;
  int weight_bits = 0, activation_bits = 0;
  std::vector<float> factor, weight_scales;
  Scale activation;
  std::vector<float>* observed = nullptr;  // not null: record the inputs, quantise nothing
};

class QuantizedConv : public nn::Conv2d {
 public:
  QuantizedConv(const nn::ConvShape& shape, Site& site, const FakeQuantFunctions& functions,
                std::unique_ptr<nn::Conv2d> below)
      : site_(site),
        functions_(functions),
        below_(std::move(below)),
        x_(shape.in_shape()),
        w_(shape.weight_shape()),
        x_mask_(static_cast<size_t>(x_.size())),
        w_mask_(static_cast<size_t>(w_.size())) {}

  void forward(nn::View<const float> x, nn::View<const float> w, nn::View<float> y) override {
    observe(x);
    below_->forward(input(x), weights(w), y);
  }

  void backward(nn::View<const float> x, nn::View<const float> w, nn::View<const float> dy, nn::View<float> dx,
                nn::View<float> dw) override {
    below_->backward(input(x), weights(w), dy, dx, dw);
    if (!dx.empty() && on(site_.activation_bits)) {
      functions_.backward(dx.size(), x_mask_.data(), dx.data, dx.data);
    }
    if (on(site_.weight_bits)) {
      functions_.backward(dw.size(), w_mask_.data(), dw.data, dw.data);
    }
  }

 private:
  bool on(int bits) const { return site_.active && bits > 0 && site_.observed == nullptr; }

  void observe(nn::View<const float> x) {
    if (site_.observed != nullptr) {
      const size_t left = kObserved - std::min(kObserved, site_.observed->size());
      const auto values = x.span().first(std::min(left, static_cast<size_t>(x.size())));
      site_.observed->insert(site_.observed->end(), values.begin(), values.end());
    }
  }

  nn::View<const float> input(nn::View<const float> x) {
    if (!on(site_.activation_bits)) {
      return x;
    }
    const Scale& s = site_.activation;
    functions_.forward(x.size(), x.data, s.scale, s.zero, s.type.qmin, s.type.qmax, x_.data(), x_mask_.data());
    return {x_.data(), x.shape};
  }

  nn::View<const float> weights(nn::View<const float> w) {
    if (!on(site_.weight_bits)) {
      return w;
    }
    functions_.weights(w.size(), w.shape.c, w.data, site_.factor.data(), site_.weight_scales.data(), site_.weight_bits,
                       w_.data(), w_mask_.data());
    return {w_.data(), w.shape};
  }

  Site& site_;
  const FakeQuantFunctions& functions_;
  std::unique_ptr<nn::Conv2d> below_;
  nn::Tensor x_, w_;
  std::vector<uint8_t> x_mask_, w_mask_;
};

std::vector<std::unique_ptr<Site>> sites_of(const nn::Graph& graph, const QuantPlan& plan) {
  std::vector<std::unique_ptr<Site>> sites;
  for (const nn::NodeSpec& node : graph.nodes()) {
    if (node.op == "conv2d") {
      const int place = static_cast<int>(sites.size());
      sites.push_back(std::make_unique<Site>());
      Site& site = *sites.back();
      site.name = node.name;
      site.active = plan.only < 0 ? place > 0 : place == plan.only;
      site.weight_bits = plan.weight_bits;
      site.activation_bits = plan.activation_bits;
    } else if (node.op == "batch_norm" && !sites.empty() && node.inputs[0] == sites.back()->name) {
      sites.back()->norm = node.name;
    }
  }
  return sites;
}

void our_forward(int64_t n, const float* x, float scale, int32_t zero, int32_t qmin, int32_t qmax, float* y,
                 uint8_t* mask) {
  for (int64_t i = 0; i < n; ++i) {
    const float q = std::nearbyint(x[i] / scale) + static_cast<float>(zero);
    const float kept = std::clamp(q, static_cast<float>(qmin), static_cast<float>(qmax));
    mask[i] = q == kept;
    y[i] = scale * (kept - static_cast<float>(zero));
  }
}

void our_backward(int64_t n, const uint8_t* mask, const float* dy, float* dx) {
  for (int64_t i = 0; i < n; ++i) {
    dx[i] = mask[i] != 0 ? dy[i] : 0;
  }
}

void our_weights(int64_t n, int32_t co, const float* w, const float* factor, const float* scales, int32_t bits,
                 float* y, uint8_t* mask) {
  const Integers type = narrow_integers(bits);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t c = i % co;
    const float folded = w[i] * factor[c];
    our_forward(1, &folded, scales[c], 0, type.qmin, type.qmax, y + i, mask + i);
    y[i] = factor[c] == 0 ? 0 : y[i] / factor[c];
    mask[i] = factor[c] == 0 ? 0 : mask[i];
  }
}

}  // namespace

FakeQuantFunctions our_fake_quant() { return {our_forward, our_backward, our_weights}; }

struct QuantizedNetwork::Impl {
  QuantPlan plan;
  FakeQuantFunctions functions;
  std::vector<std::unique_ptr<Site>> sites;
  nn::Slots slots;
  std::unique_ptr<nn::Network> network;

  std::vector<float> folded(const Site& site) const {
    const nn::View<float> w = network->value(site.name + ".weight");
    std::vector<float> result;
    for (int64_t i = 0; i < w.size(); ++i) {
      result.push_back(w[i] * site.factor[static_cast<size_t>(i % w.shape.c)]);
    }
    return result;
  }

  void refresh() {
    for (const auto& site : sites) {
      const nn::View<float> gamma = network->value(site->norm + ".gamma"),
                            var = network->value(site->norm + ".running_var");
      const double eps = network->graph().find(site->norm)->real("eps");
      site->factor.clear();
      for (int64_t c = 0; c < gamma.size(); ++c) {
        site->factor.push_back(static_cast<float>(gamma[c] / std::sqrt(double{var[c]} + eps)));
      }
    }
  }

  void scale_weights() {
    for (const auto& site : sites) {
      const std::vector<float> w = folded(*site);
      const size_t co = site->factor.size();
      const Integers type = narrow_integers(std::max(2, site->weight_bits));
      const auto scale = [&](const std::vector<float>& values) {
        const Limits limits = plan.mse_weights ? least_squares(values, type) : min_max(values);
        return scale_for(limits.lo, limits.hi, type).scale;
      };
      site->weight_scales.assign(co, plan.per_channel ? 0 : scale(w));
      for (size_t c = 0; c < co && plan.per_channel; ++c) {
        std::vector<float> channel;
        for (size_t i = c; i < w.size(); i += co) {
          channel.push_back(w[i]);
        }
        site->weight_scales[c] = scale(channel);
      }
    }
  }

  void calibrate(const Images& images) {
    std::vector<std::vector<float>> observed(sites.size());
    for (size_t i = 0; i < sites.size(); ++i) {
      sites[i]->observed = &observed[i];
    }
    accuracy(*network, images);
    for (size_t i = 0; i < sites.size(); ++i) {
      const Integers type = unsigned_integers(std::max(2, sites[i]->activation_bits));
      const Limits limits = plan.mse_activations ? least_squares(observed[i], type) : min_max(observed[i]);
      sites[i]->activation = scale_for(limits.lo, limits.hi, type);
      sites[i]->observed = nullptr;
    }
  }
};

Result<QuantizedNetwork> QuantizedNetwork::make(const std::string& weights, const QuantPlan& plan,
                                                const FakeQuantFunctions& functions, const Images& calibration,
                                                nn::ThreadPool& pool, nn::Slots slots) {
  auto impl = std::make_unique<Impl>();
  impl->plan = plan;
  impl->functions = functions;
  HPML_TRY(nn::Graph graph, graph_by_name("resnet8"));
  impl->sites = sites_of(graph, plan);
  impl->slots = std::move(slots);
  const auto below = impl->slots.conv2d;
  size_t next = 0;
  Impl& own = *impl;
  impl->slots.conv2d = [&own, below, next](const nn::ConvShape& shape, nn::ThreadPool& the_pool) mutable {
    return std::make_unique<QuantizedConv>(shape, *own.sites[next++], own.functions, below(shape, the_pool));
  };
  HPML_TRY(nn::Network network, nn::Network::build(std::move(graph), {.batch = kBatch}, impl->slots, pool));
  impl->network = std::make_unique<nn::Network>(std::move(network));
  HPML_TRY_VOID(read_weights(weights, *impl->network));
  QuantizedNetwork result(std::move(impl));
  result.calibrate(calibration);
  return result;
}

QuantizedNetwork::QuantizedNetwork(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
QuantizedNetwork::~QuantizedNetwork() = default;
QuantizedNetwork::QuantizedNetwork(QuantizedNetwork&&) noexcept = default;
nn::Network& QuantizedNetwork::network() { return *impl_->network; }
const nn::Slots& QuantizedNetwork::slots() const { return impl_->slots; }
int QuantizedNetwork::convolutions() const { return static_cast<int>(impl_->sites.size()); }
void QuantizedNetwork::refresh() { impl_->refresh(); }
void QuantizedNetwork::calibrate(const Images& images) {
  impl_->refresh();
  impl_->scale_weights();
  impl_->calibrate(images);
}

}  // namespace hpml::lab5
