// The executor: gradients of whole networks, determinism, memory.
#include "common/nn/train/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/nn/graph/networks.hpp"
#include "common/nn/tests/allocations.hpp"
#include "common/nn/tests/nn_testing.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {
namespace {

namespace fs = std::filesystem;
constexpr int kBatch = 6;

std::vector<int32_t> labels_for(int images) {
  std::vector<int32_t> labels;
  for (int i = 0; i < images; ++i) {
    labels.push_back(i * 7 % 10);
  }
  return labels;
}

struct Trained {
  std::vector<double> losses;
  std::vector<float> weights;
};

Trained train(int threads, Kernel kernel, int steps) {
  ThreadPool pool(threads);
  const Slots slots = baseline_slots(kernel);
  Network net = build_network(resnet8_cifar(4), {.batch = kBatch, .seed = 3}, slots, pool);
  const auto optimizer = slots.optimizer({.kind = OptimizerKind::sgd, .lr = 0.05}, pool);
  const Tensor images = random_tensor({kBatch, 32, 32, 3}, "images");
  Trained result;
  for (int step = 0; step < steps; ++step) {
    result.losses.push_back(net.train_step(images.view(), labels_for(kBatch)).loss);
    optimizer->step(net.parameters());
  }
  for (const Param& param : net.parameters()) {
    result.weights.insert(result.weights.end(), param.value.begin(), param.value.end());
  }
  return result;
}

TEST(Network, TrainsToTheSameBitsForEveryNumberOfThreads) {
  const Trained one = train(1, Kernel::direct, 5);
  EXPECT_LT(one.losses.back(), 0.9 * one.losses.front());
  for (const int threads : {2, 3}) {
    const Trained other = train(threads, Kernel::direct, 5);
    EXPECT_EQ(one.losses, other.losses);
    EXPECT_EQ(one.weights, other.weights);
  }
}

TEST(Network, AllocatesNothingAfterTheFirstStep) {
  for (const int threads : {1, 2}) {
    ThreadPool pool(threads);
    const Slots slots = baseline_slots();
    Network net = build_network(resnet8_cifar(4), {.batch = kBatch}, slots, pool);
    const auto tracer = slots.tracer();
    net.set_tracer(tracer.get());
    const auto optimizer = slots.optimizer({.kind = OptimizerKind::adam}, pool);
    const Tensor images = random_tensor({kBatch, 32, 32, 3}, "images");
    const std::vector<int32_t> labels = labels_for(kBatch);
    const auto step = [&] {
      net.train_step(images.view(), labels);
      optimizer->step(net.parameters());
      net.evaluate(images.view(), labels);
    };
    step();
    const int64_t before = allocations();
    step();
    EXPECT_EQ(allocations(), before) << threads << " threads";
  }
}

// The whole of forward, loss and backward, computed again from the graph by tests/numpy_network.py in double.
TEST(Network, AgreesWithNumPyOnEveryGradientAndStatistic) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("hpml nn " + std::to_string(::getpid()));
  fs::create_directories(folder);
  ThreadPool pool(2);
  Network net = build_network(resnet8_cifar(3), {.batch = kBatch, .seed = 5}, baseline_slots(), pool);
  const Tensor images = random_tensor({kBatch, 32, 32, 3}, "images");
  const std::vector<int32_t> labels = labels_for(kBatch);
  const auto write = [&](const std::string& name, const void* data, size_t bytes) {
    std::ofstream(folder / name, std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  const auto write_floats = [&](const std::string& name, std::span<const float> values) {
    write(name, values.data(), values.size_bytes());
  };
  const std::string graph = to_json(net.graph());
  write("graph.json", graph.data(), graph.size());
  write_floats("images", images.span());
  write("labels", labels.data(), labels.size() * sizeof(int32_t));
  for (const Param& param : net.parameters()) {
    write_floats(std::string(param.name), param.value);
  }
  const double loss = net.train_step(images.view(), labels).loss;
  write("loss", &loss, sizeof(loss));
  for (const Param& param : net.parameters()) {
    write_floats("gradient." + std::string(param.name), param.gradient);
  }
  for (const NodeSpec& node : net.graph().nodes()) {
    if (node.op == "batch_norm") {
      for (const char* buffer : {".running_mean", ".running_var"}) {
        write_floats("after." + node.name + buffer, net.value(node.name + buffer).span());
      }
    }
  }
  const std::string command =
      "/usr/bin/python3 \"" HPML_SOURCE_DIR "/common/nn/tests/numpy_network.py\" \"" + folder.string() + "\"";
  EXPECT_EQ(std::system(command.c_str()), 0);
  fs::remove_all(folder);
}

TEST(Network, RungsOfKernelsAgree) {
  const Trained direct = train(2, Kernel::direct, 1), gemm = train(2, Kernel::gemm, 1),
                naive = train(2, Kernel::naive, 1);
  EXPECT_NEAR(direct.losses[0], naive.losses[0], 1e-5);
  EXPECT_NEAR(gemm.losses[0], naive.losses[0], 1e-5);
  for (size_t i = 0; i < direct.weights.size(); ++i) {
    ASSERT_NEAR(direct.weights[i], naive.weights[i], 1e-4);
    ASSERT_NEAR(gemm.weights[i], naive.weights[i], 1e-4);
  }
}

TEST(Network, AShortBatchGivesWhatANetworkOfThatSizeGives) {
  ThreadPool pool(2);
  const Slots slots = baseline_slots();
  const Tensor images = random_tensor({2, 32, 32, 3}, "images");
  Network large = build_network(resnet8_cifar(4), {.batch = 5}, slots, pool);
  Network exact = build_network(resnet8_cifar(4), {.batch = 2}, slots, pool);
  EXPECT_EQ(large.train_step(images.view(), labels_for(2)).loss, exact.train_step(images.view(), labels_for(2)).loss);
  EXPECT_EQ(values(large.gradient("conv1.weight")), values(exact.gradient("conv1.weight")));
}

TEST(Network, InferenceSharesMemoryAndGivesTheLogitsOfTheTrainingNetwork) {
  ThreadPool pool(1);
  const Slots slots = baseline_slots();
  const Tensor images = random_tensor({2, 32, 32, 3}, "images");
  Network training = build_network(resnet8_cifar(4), {.batch = 2}, slots, pool);
  Network inference = build_network(resnet8_cifar(4), {.batch = 2, .training = false}, slots, pool);
  EXPECT_EQ(values(training.infer(images.view())), values(inference.infer(images.view())));
  EXPECT_LT(inference.activation_bytes(), 0.6 * static_cast<double>(training.activation_bytes()));
  EXPECT_EQ(inference.gradient_bytes(), 0);
}

// Two readers of one node, one of them reading it twice.
TEST(Network, AddsTheGradientsOfAllReaders) {
  Graph graph("fan", {1, 1, 1, 3});
  for (const auto& [op, name, inputs, attrs] :
       {std::tuple<std::string, std::string, std::vector<std::string>, Attrs>{
            "linear", "a", {"input"}, {{"features", int64_t{4}}, {"bias", int64_t{0}}}},
        {"add", "twice", {"a", "a"}, {}},
        {"relu", "relu", {"a"}, {}},
        {"add", "out", {"twice", "relu"}, {}}}) {
    ASSERT_TRUE(graph.add(op, name, inputs, attrs).ok());
  }
  ThreadPool pool(1);
  Network net = build_network(graph, {.batch = 1}, baseline_slots(), pool);
  const Tensor x = random_tensor({1, 1, 1, 3}, "x");
  const int32_t label = 2;
  net.train_step(x.view(), {&label, 1});
  const std::vector<float> gradient = values(net.gradient("a.weight"));
  for (size_t i = 0; i < gradient.size(); ++i) {
    const View<float> weights = net.value("a.weight");
    const float before = weights[static_cast<int64_t>(i)];
    const auto loss = [&](float value) {
      weights[static_cast<int64_t>(i)] = value;
      return net.evaluate(x.view(), {&label, 1}).loss;
    };
    EXPECT_NEAR(gradient[i], (loss(before + 1e-3F) - loss(before - 1e-3F)) / 2e-3, 2e-4);
    weights[static_cast<int64_t>(i)] = before;
  }
}

TEST(Network, RefusesWhatCannotRun) {
  ThreadPool pool(1);
  const auto error = [&](Graph graph) {
    const auto built = Network::build(std::move(graph), {.batch = 1}, baseline_slots(), pool);
    return built.ok() ? "" : built.error().to_string();
  };
  Graph grouped("net", {1, 4, 4, 4});
  ASSERT_TRUE(
      grouped
          .add("conv2d", "conv", {"input"}, {{"channels", int64_t{4}}, {"kernel", int64_t{4}}, {"groups", int64_t{2}}})
          .ok());
  EXPECT_THAT(error(grouped), ::testing::HasSubstr("not run"));
  Graph image("net", {1, 4, 4, 4});
  ASSERT_TRUE(image.add("relu", "relu", {"input"}).ok());
  EXPECT_THAT(error(image), ::testing::HasSubstr("must be 1x1x1xC, not 1x4x4x4"));
  Graph dead("net", {1, 1, 1, 4});
  ASSERT_TRUE(dead.add("relu", "unused", {"input"}).ok());
  ASSERT_TRUE(dead.add("relu", "out", {"input"}).ok());
  EXPECT_THAT(error(dead), ::testing::HasSubstr("'unused': no node reads"));
}

TEST(SlicedConv2d, RunsAStudentsFunctionsToTheSameBitsForEveryNumberOfThreads) {
  EXPECT_EQ(train(1, Kernel::naive, 1).weights, train(4, Kernel::naive, 1).weights);
}

TEST(SoftmaxCrossEntropy, IsFiniteForLargeLogitsAndHasTheRightGradient) {
  const float logits[] = {1000, 0, -1000, 1, 2, 3};
  const int32_t labels[] = {1, 2};
  float gradient[6];
  const StepResult result = softmax_cross_entropy({logits, {2, 1, 1, 3}}, labels, {gradient, {2, 1, 1, 3}});
  const double second = std::log(std::exp(-2.0) + std::exp(-1.0) + 1.0);
  EXPECT_NEAR(result.loss, (1000 + second) / 2, 1e-9);
  EXPECT_EQ(result.correct, 1);
  EXPECT_NEAR(gradient[0], 0.5, 1e-6);
  EXPECT_NEAR(gradient[1], -0.5, 1e-6);
  EXPECT_NEAR(gradient[5], (std::exp(-second) - 1) / 2, 1e-6);
}

}  // namespace
}  // namespace hpml::nn
