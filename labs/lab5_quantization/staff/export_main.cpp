// lab5_export WEIGHTS FILE: writes ResNet-8 in integers as an ONNX file, reads it back, runs it with the tree's own
// interpreter and prints the share of the test images that it classifies as the integers do, as JSON. With a third
// argument: writes the images, n x 3 x 32 x 32 floats, and behind them the classes as n int32, for another runtime.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/onnx/session.hpp"
#include "networks/export.hpp"

namespace {

using namespace hpml;

constexpr int kPixels = nn::kImageSide * nn::kImageSide;

Result<lab5::IntegerNet> integers_of(const std::string& weights) {
  nn::ThreadPool pool(1);
  HPML_TRY(nn::Graph graph, lab5::graph_by_name("resnet8"));
  HPML_TRY(nn::Network network,
           nn::Network::build(std::move(graph), {.batch = 1, .training = false}, lab5::reproducible_slots(), pool));
  HPML_TRY_VOID(lab5::read_weights(weights, network));
  const lab5::FoldedNet net = lab5::fold(network);
  return lab5::IntegerNet(net, lab5::observe(net, lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kCalibrationImages)));
}

// Planes one after the other, where the lab's own order has pixels one after the other.
void to_planes(std::span<const float> image, float* planes) {
  for (int i = 0; i < nn::kImagePlanes * kPixels; ++i) {
    planes[i] = image[static_cast<size_t>(i % kPixels * nn::kImagePlanes + i / kPixels)];
  }
}

Result<std::vector<int32_t>> classes_of(onnx::Session& session, std::span<const float> planes) {
  std::vector<int32_t> found;
  onnx::Tensor& input = *session.input("image");
  for (size_t at = 0; at < planes.size(); at += input.as<float>().size()) {
    input.reset(onnx::Type::float32, {1, nn::kImagePlanes, nn::kImageSide, nn::kImageSide});
    std::ranges::copy(planes.subspan(at, input.as<float>().size()), input.as<float>().begin());
    HPML_TRY_VOID(session.run());
    const auto logits = session.output("logits")->as<float>();
    found.push_back(static_cast<int32_t>(std::ranges::max_element(logits) - logits.begin()));
  }
  return found;
}

bool written(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return bool{file};
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

Result<std::string> run(const std::string& weights, const std::string& path, const std::string& images) {
  HPML_TRY(const lab5::IntegerNet net, integers_of(weights));
  const std::string model = onnx::serialize(lab5::to_onnx(net));
  if (!written(path, model)) {
    return error_in(path, "cannot be written; is there space, and is the folder yours?");
  }
  HPML_TRY(onnx::Model read, onnx::read_model(path));
  HPML_TRY(onnx::Session session, onnx::Session::create(std::move(read), path, {.fuse = true}));
  const lab5::Images test = lab5::synthetic_images(lab5::kTestSeed, 0, lab5::kTestImages);
  std::vector<float> planes(static_cast<size_t>(test.count() * nn::kImagePlanes * kPixels));
  std::vector<int32_t> expected;
  for (int i = 0; i < test.count(); ++i) {
    const auto image = test.pixels.view().images(i, 1).span();
    to_planes(image, planes.data() + i * nn::kImagePlanes * kPixels);
    expected.push_back(net.classify(image));
  }
  HPML_TRY(const std::vector<int32_t> found, classes_of(session, planes));
  if (!images.empty() && !written(images, std::string(bytes_of(planes)) + std::string(bytes_of(expected)))) {
    return error_in(images, "cannot be written; is there space, and is the folder yours?");
  }
  int same = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    same += found[i] == expected[i] ? 1 : 0;
  }
  return fmt::format("{{\"images\": {}, \"same\": {}, \"bytes\": {}}}", found.size(), same, model.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "usage: lab5_export WEIGHTS FILE [IMAGES]\n");
    return 2;
  }
  const Result<std::string> done = run(argv[1], argv[2], argc == 4 ? argv[3] : "");
  if (!done.ok()) {
    fmt::print(stderr, "lab5_export: {}\n", done.error().to_string());
    return 2;
  }
  fmt::print("{}\n", *done);
  return 0;
}
