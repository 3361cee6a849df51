#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/onnx/session.hpp"

namespace hpml::onnx {
namespace {

namespace fs = std::filesystem;
using Ints = std::vector<int64_t>;

struct ImageCase {
  std::string op;
  std::vector<Dims> inputs;
  std::map<std::string, Attribute> attributes;
};

// Values between 0.1 and 1.9, a different pattern for each input: also a variance may be one.
Tensor pattern(const Dims& dims, size_t input) {
  std::vector<float> values(static_cast<size_t>(*count_of(dims)));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = 1 + 0.9F * static_cast<float>(std::sin(static_cast<double>((i + 1) * (2 * input + 3) % 1009)));
  }
  return Tensor::of<float>(dims, values);
}

Result<Tensor> image_result(const ImageCase& one) {
  Model model;
  Node node{one.op, "one", {}, {"out"}, one.attributes};
  for (const Dims& dims : one.inputs) {
    node.inputs.push_back("i" + std::to_string(node.inputs.size()));
    model.initializers.emplace_back(node.inputs.back(), pattern(dims, node.inputs.size()));
  }
  model.nodes = {node};
  model.outputs = {{"out", Type::float32, {}}};
  auto parsed = parse_model(serialize(model), "<test>");  // attributes as a file holds them
  if (!parsed.ok()) {
    return parsed.error();
  }
  auto session = Session::create(std::move(*parsed), "<test>");
  if (!session.ok()) {
    return session.error();
  }
  if (auto done = session->run(); !done.ok()) {
    return done.error();
  }
  return *session->output("out");
}

std::string json_of(const std::map<std::string, Attribute>& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes) {
    const auto* numbers = std::get_if<Ints>(&value);
    const auto* real = std::get_if<float>(&value);
    text += (text.empty() ? "\"" : ", \"") + name + "\": ";
    text += numbers != nullptr
                ? to_string(*numbers)
                : std::to_string(real != nullptr ? double{*real} : static_cast<double>(std::get<int64_t>(value)));
  }
  return "{" + text + "}";
}

const std::vector<ImageCase> kImageCases = {
    {"Conv", {{2, 3, 7, 5}, {4, 3, 3, 3}, {4}}, {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}}},
    {"Conv", {{1, 4, 9, 8}, {6, 4, 1, 1}, {6}}, {{"strides", Ints{2, 2}}}},
    {"Conv",
     {{3, 2, 6, 7}, {5, 2, 3, 2}, {5}},
     {{"pads", Ints{2, 0, 1, 3}}, {"strides", Ints{2, 3}}, {"dilations", Ints{2, 1}}}},
    {"Conv", {{2, 6, 5, 5}, {9, 2, 3, 3}, {9}}, {{"group", int64_t{3}}, {"pads", Ints{1, 1, 1, 1}}}},
    {"Conv", {{1, 8, 70, 70}, {12, 8, 3, 3}, {12}}, {{"pads", Ints{1, 1, 1, 1}}}},  // several strips of patches
    {"Conv", {{1, 2, 1, 1}, {3, 2, 3, 3}, {3}}, {{"pads", Ints{1, 1, 1, 1}}}},
    {"MaxPool", {{2, 3, 8, 7}}, {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}}},
    {"MaxPool", {{1, 1, 6, 9}}, {{"kernel_shape", Ints{2, 3}}, {"dilations", Ints{2, 1}}, {"pads", Ints{0, 1, 1, 0}}}},
    {"GlobalAveragePool", {{2, 5, 4, 3}}, {}},
    {"BatchNormalization", {{2, 3, 4, 5}, {3}, {3}, {3}, {3}}, {{"epsilon", 1e-3F}}},
};

// Every operator computed again by numpy_images.py, in double.
TEST(Images, OperatorsAgreeWithNumPy) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("hpml onnx " + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::string cases;
  for (size_t n = 0; n < kImageCases.size(); ++n) {
    const ImageCase& one = kImageCases[n];
    const auto got = image_result(one);
    ASSERT_TRUE(got.ok()) << one.op << " " << n << ": " << got.error().message;
    const auto write = [&](const std::string& name, const Tensor& tensor) {
      std::ofstream(folder / (std::to_string(n) + "." + name), std::ios::binary) << tensor.bytes();
    };
    std::string inputs;
    for (size_t i = 0; i < one.inputs.size(); ++i) {
      write("in" + std::to_string(i), pattern(one.inputs[i], i + 1));
      inputs += (i == 0 ? "" : ", ") + to_string(one.inputs[i]);
    }
    write("out", *got);
    cases += (n == 0 ? "" : ",\n") + ("{\"name\": \"" + std::to_string(n)) + "\", \"op\": \"" + one.op +
             "\", \"attributes\": " + json_of(one.attributes) + ", \"inputs\": [" + inputs +
             "], \"output\": " + to_string(got->dims()) + "}";
  }
  std::ofstream(folder / "cases.json") << "[" << cases << "]";
  const std::string command =
      "/usr/bin/python3 \"" HPML_SOURCE_DIR "/common/onnx/tests/numpy_images.py\" \"" + folder.string() + "\"";
  EXPECT_EQ(std::system(command.c_str()), 0);
  fs::remove_all(folder);
}

TEST(Images, WhatDoesNotFitIsRefused) {
  const auto message = [](const ImageCase& one) {
    const auto result = image_result(one);
    return result.ok() ? "" : result.error().message;
  };
  using testing::HasSubstr;
  EXPECT_THAT(message({"Conv", {{1, 3, 4, 4}, {2, 2, 3, 3}}, {}}), HasSubstr("in 1 groups do not fit [1, 3, 4, 4]"));
  EXPECT_THAT(message({"Conv", {{1, 3, 4, 4}, {2, 3, 5, 5}}, {}}), HasSubstr("does not fit into"));
  EXPECT_THAT(message({"Conv", {{1, 3, 4}, {2, 3, 3, 3}}, {}}), HasSubstr("float images N x C x H x W"));
  EXPECT_THAT(message({"Conv", {{1, 1, 4, 4}, {1, 1, 3, 3}, {2}}, {}}), HasSubstr("one value per filter"));
  EXPECT_THAT(message({"Conv", {{1, 1, 4, 4}, {1, 1, 3, 3}}, {{"strides", Ints{0, 1}}}}), HasSubstr("strides"));
  EXPECT_THAT(message({"Conv", {{1, 1, 4, 4}, {1, 1, 3, 3}}, {{"pads", Ints{1 << 27, 1 << 27, 0, 0}}}}),
              HasSubstr("would have"));
  EXPECT_THAT(message({"Conv", {{1, 1, 4, 4}, {1, 1, 3, 3}}, {{"auto_pad", std::string("SAME_UPPER")}}}),
              HasSubstr("SAME_UPPER"));
  EXPECT_THAT(message({"MaxPool", {{1, 1, 4, 4}}, {}}), HasSubstr("kernel_shape"));
  EXPECT_THAT(message({"BatchNormalization", {{1, 2, 4, 4}, {2}, {2}, {2}, {3}}, {}}),
              HasSubstr("one value per channel, 2"));
  EXPECT_THAT(message({"GlobalAveragePool", {{1, 2}}, {}}), HasSubstr("float images"));
}

}  // namespace
}  // namespace hpml::onnx
