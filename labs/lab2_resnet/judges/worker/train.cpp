// A training whose loop, loader, layers and optimizer are the student's, in two other processes: one has the images and
// their labels, the other one computes layers and has no label. The network, the loss and the numbers of the log
// are this process's.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "commands.hpp"
#include "common/nn/data/synthetic.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/thread_pool.hpp"
#include "common/nn/train/network.hpp"
#include "layers.hpp"
#include "options.hpp"
#include "session.hpp"

namespace hpml::lab2 {
namespace {

constexpr double kNear = 1e-4;  // of a mean that the student computes

Failure wrong(const std::string& text) { return {worker::kWrong, text}; }

// A data set's labels and images, and which of them have come in an epoch. What the student's loader makes of an image is
// judged elsewhere (C1); the network gets the image itself, so a loader cannot write labels into the pixels.
class Known {
 public:
  explicit Known(const nn::Dataset& data) : data_(data) {
    for (size_t plane = 0; plane < nn::kImagePlanes; ++plane) {
      for (size_t value = 0; value < table_[plane].size(); ++value) {
        table_[plane][value] =
            (static_cast<float>(value) / 255.0F - nn::kChannelMean[plane]) / nn::kChannelDeviation[plane];
      }
    }
  }
  void begin() { seen_.clear(); }
  bool all_seen() const { return seen_.size() == static_cast<size_t>(data_.count()); }

  // Of a batch; fails if a sample is none of the data set or has come before.
  Answer<std::vector<int32_t>> labels(const std::vector<int32_t>& samples) {
    std::vector<int32_t> labels;
    for (const int sample : samples) {
      if (sample < 0 || sample >= data_.count() || !seen_.insert(sample).second) {
        return wrong(fmt::format("sample {} is none of the data set, or comes twice in an epoch", sample));
      }
      labels.push_back(data_.label(sample));
    }
    return labels;
  }

  std::vector<float> images(const std::vector<int32_t>& samples) const {
    std::vector<float> images;
    images.reserve(samples.size() * nn::kImageBytes);
    for (const int sample : samples) {
      const std::span<const uint8_t> planes = data_.image(sample);
      for (size_t pixel = 0; pixel < kPixels; ++pixel) {
        for (size_t plane = 0; plane < nn::kImagePlanes; ++plane) {
          images.push_back(table_[plane][planes[plane * kPixels + pixel]]);
        }
      }
    }
    return images;
  }

 private:
  static constexpr size_t kPixels = size_t{nn::kImageSide} * nn::kImageSide;
  const nn::Dataset& data_;
  std::set<int> seen_;
  std::array<std::array<float, 256>, nn::kImagePlanes> table_{};  // of a plane's values
};

// The network that the student's loop trains.
class Trained {
 public:
  Trained(const TrainingOptions& options, Session& session, Layers& layers, const nn::Dataset& train,
          const nn::Dataset& test)
      : options_(options), session_(session), layers_(layers), train_(train), test_(test) {
    network_.emplace(nn::Network::build(nn::resnet8_cifar(options.width, options.batch_norm),
                                        {.batch = options.batch, .seed = options.seed}, layers.slots(), pool_)
                         .value());
  }

  Answer<Ok> epoch(int number) {
    train_.begin();
    test_.begin();
    steps_ = logged_ = 0;
    HPML_TRY(const Event times, session_.run(Session::Part::train_epoch, number, 0,
                                             [&](const Event& event) { return trained(number, event); }));
    if (logged_ != steps_) {
      return wrong(fmt::format("epoch {}: {} steps, {} entries in the log", number, steps_, logged_));
    }
    right_ = 0;
    HPML_TRY_VOID(
        session_.run(Session::Part::evaluate, number, 0, [&](const Event& event) { return evaluated(event); }));
    if (!test_.all_seen()) {
      return wrong(fmt::format("epoch {}: evaluate() leaves out some of the {} images", number, options_.test));
    }
    fmt::print(
        "{{\"epoch\": {}, \"load_s\": {:.6f}, \"train_s\": {:.6f}, \"total_s\": {:.6f}, \"loss\": {:.9g}, \"top1\": "
        "{:.6f}, \"val_top1\": {:.6f}}}\n",
        number, times.load_s, times.train_s, times.total_s, times.loss, times.top1,
        static_cast<double>(right_) / options_.test);
    return Ok{};
  }

 private:
  Answer<int64_t> trained(int epoch, const Event& event) {
    switch (event.called) {
      case Called::train_step: return compute(event, train_, true);
      case Called::update: layers_.step(options_.optimizer, network_->parameters()); break;
      case Called::log: return log(epoch, event);
      case Called::loss: return std::bit_cast<int64_t>(last_.loss);
      case Called::correct: return last_.correct;
      default: break;
    }
    HPML_TRY_VOID(layers_.status());
    return 0;
  }
  Answer<int64_t> evaluated(const Event& event) {
    switch (event.called) {
      case Called::evaluate: return compute(event, test_, false);
      case Called::loss: return std::bit_cast<int64_t>(last_.loss);
      case Called::correct: return last_.correct;
      default: return 0;
    }
  }

  // One batch, of copies that the student's process cannot change.
  Answer<int64_t> compute(const Event& event, Known& known, bool training) {
    if (event.samples < 1 || event.samples > options_.batch) {
      return wrong(fmt::format("a batch of {} images; at most {} were asked for", event.samples, options_.batch));
    }
    const auto copy = [](auto shared) { return std::vector(shared.begin(), shared.end()); };
    const std::vector<int32_t> samples = copy(session_.samples(event.samples));
    HPML_TRY(const std::vector<int32_t> labels, known.labels(samples));
    const std::vector<float> images =
        options_.loader_images ? copy(session_.images(event.samples)) : known.images(samples);
    const nn::View<const float> view{
        images.data(), {static_cast<int>(event.samples), nn::kImageSide, nn::kImageSide, nn::kImagePlanes}};
    last_ = training ? network_->train_step(view, labels) : network_->evaluate(view, labels);
    batch_ = event.samples;
    (training ? steps_ : right_) += training ? 1 : last_.correct;
    HPML_TRY_VOID(layers_.status());
    return 0;
  }

  Answer<int64_t> log(int epoch, const Event& event) {
    const double top1 = static_cast<double>(last_.correct) / static_cast<double>(batch_);
    const auto near = [](double a, double b) {
      return a == b || std::abs(a - b) <= kNear * std::max(1.0, std::abs(b));
    };
    const bool diverged = !std::isfinite(last_.loss) && !std::isfinite(event.loss);
    if (event.epoch != epoch || event.step != logged_ || event.samples != batch_ || !near(event.top1, top1) ||
        !(diverged || near(event.loss, last_.loss))) {
      return wrong(fmt::format(
          "log entry (epoch, step, samples, loss, top1): expected {} {} {} {:.6f} {:.6f}, got {} {} {} "
          "{:.6f} {:.6f}",
          epoch, logged_, batch_, last_.loss, top1, event.epoch, event.step, event.samples, event.loss, event.top1));
    }
    ++logged_;
    fmt::print("{{\"epoch\": {}, \"step\": {}, \"samples\": {}, \"loss\": {:.9g}, \"top1\": {:.6f}}}\n", epoch,
               event.step, batch_, last_.loss, top1);
    return 0;
  }

  const TrainingOptions& options_;
  Session& session_;
  Layers& layers_;
  Known train_, test_;
  nn::ThreadPool pool_{1};
  std::optional<nn::Network> network_;
  nn::StepResult last_;
  int64_t batch_ = 0, steps_ = 0, logged_ = 0, right_ = 0;
};

Session::Student student_of(const std::string& library, const TrainingOptions& o, const nn::Dataset& train,
                            const nn::Dataset& test) {
  const auto& functions = table_of<hosted::Training>(library, "lab2_training");
  static ::lab2::Dataset train_set, test_set;  // outlive the loaders
  train_set.records = train.records;
  test_set.records = test.records;
  return {functions.loop, functions.make_loader(train_set, {.batch = o.batch, .workers = 0, .seed = o.seed}),
          functions.make_loader(test_set, {.batch = o.batch, .workers = 0, .shuffle = false})};
}

}  // namespace

Answer<Ok> train(Words words) {
  HPML_TRY(const TrainingOptions options, training_options(words.subspan(1)));
  const nn::Graph graph = nn::resnet8_cifar(options.width, options.batch_norm);
  int64_t parameters = 0;
  for (const nn::NodeSpec& node : graph.nodes()) {
    parameters += node.parameters();
  }
  const int64_t activation =
      int64_t{options.batch} * nn::kImageSide * nn::kImageSide * std::max(options.width, nn::kImagePlanes);
  HPML_TRY(auto layers, Layers::start(words[0], {activation, parameters}));
  const nn::Dataset train = nn::synthetic_dataset({.seed = 1, .count = options.train});
  const nn::Dataset test = nn::synthetic_dataset({.seed = 2, .count = options.test});
  HPML_TRY(auto session, Session::start(options.batch, [&] { return student_of(words[0], options, train, test); }));
  const nn::FlushDenormals flush;
  Trained trained(options, *session, *layers, train, test);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    HPML_TRY_VOID(trained.epoch(epoch));
  }
  return Ok{};
}

}  // namespace hpml::lab2
