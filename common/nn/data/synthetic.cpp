#include "common/nn/data/synthetic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "common/nn/random.hpp"

namespace hpml::nn {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kPixels = kImageSide * kImageSide;

// What one image is drawn with; distances in pixels, angles in radians.
struct Grating {
  double angle, cycles, phase, amplitude, centre_x, centre_y, radius;
  double colour[kImagePlanes], background[kImagePlanes];
};

Grating draw_parameters(int label, double frequency_factor, Random& random) {
  Grating g{};
  g.angle = (label % 5) * kPi / 5 + 0.12 * random.next_normal();
  g.cycles = (label < 5 ? 2.5 : 4.5) * frequency_factor * (1 + 0.08 * random.next_normal());
  for (int plane = 0; plane < kImagePlanes; ++plane) {
    g.colour[plane] = random.next_normal();
    g.background[plane] = 0.5 * random.next_normal();
  }
  return g;
}

void draw_places(Grating& g, Random& random) {
  g.phase = 2 * kPi * random.next_uniform();
  g.amplitude = 0.35 + 0.3 * random.next_uniform();
  g.centre_x = kImageSide * random.next_uniform();
  g.centre_y = kImageSide * random.next_uniform();
  g.radius = 8 + 8 * random.next_uniform();
}

double wave_at(const Grating& g, int x, int y) {
  const double dx = x - g.centre_x, dy = y - g.centre_y;
  const double window = std::exp(-(dx * dx + dy * dy) / (2 * g.radius * g.radius));
  const double turns = g.cycles * (x * std::cos(g.angle) + y * std::sin(g.angle)) / kImageSide;
  return 1.5 * g.amplitude * window * std::sin(2 * kPi * turns + g.phase);
}

uint8_t to_byte(double value) {
  const double scaled = std::floor(127.5 + 51 * value + 0.5);
  return static_cast<uint8_t>(scaled < 0 ? 0 : scaled > 255 ? 255 : scaled);
}

void draw_image(const SyntheticOptions& options, int index, uint8_t* record) {
  const int label = index % kClasses;
  Random places(options.seed, stream_id("synthetic places", static_cast<uint64_t>(index)));
  Random normals(options.seed, stream_id("synthetic normals", static_cast<uint64_t>(index)));
  Grating g = draw_parameters(label, options.frequency_factor, normals);
  draw_places(g, places);
  record[0] = static_cast<uint8_t>(label);
  for (int p = 0; p < kPixels; ++p) {
    const double wave = wave_at(g, p % kImageSide, p / kImageSide);
    for (int plane = 0; plane < kImagePlanes; ++plane) {
      const double value = g.background[plane] + g.colour[plane] * wave + options.noise * normals.next_normal();
      record[1 + plane * kPixels + p] = to_byte(value);
    }
  }
}

Result<void> write_file(const std::filesystem::path& path, const void* data, size_t bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  file.close();
  if (!file) {
    return error_in(path.string(), "cannot be written; is there space, and is the folder yours?");
  }
  return Ok{};
}

}  // namespace

Dataset synthetic_dataset(const SyntheticOptions& options) {
  Dataset dataset;
  dataset.records.resize(static_cast<size_t>(options.count) * kRecordBytes);
  for (int i = 0; i < options.count; ++i) {
    draw_image(options, i, dataset.records.data() + static_cast<size_t>(i) * kRecordBytes);
  }
  return dataset;
}

Result<void> write_synthetic(const std::string& folder, uint64_t seed, int train_count, int test_count) {
  const std::filesystem::path root(folder);
  std::error_code error;
  std::filesystem::create_directories(root, error);
  if (error) {
    return error_in(folder, fmt::format("cannot be created: {}", error.message()));
  }
  const Dataset train = synthetic_dataset({.seed = seed, .count = train_count});
  const Dataset test = synthetic_dataset({.seed = seed + 1, .count = test_count});
  HPML_TRY_VOID(write_file(root / "data_batch_1.bin", train.records.data(), train.records.size()));
  HPML_TRY_VOID(write_file(root / "test_batch.bin", test.records.data(), test.records.size()));
  std::string names;
  for (int label = 0; label < kClasses; ++label) {
    names += fmt::format("grating{}_{}\n", 36 * (label % 5), label < 5 ? "wide" : "narrow");
  }
  HPML_TRY_VOID(write_file(root / "batches.meta.txt", names.data(), names.size()));
  const std::string toml = fmt::format(
      "# A synthetic data set in the CIFAR-10 format. Mirroring changes the class, so there is no augmentation.\n"
      "seed = {}\ntrain_count = {}\ntest_count = {}\naugment = \"none\"\n",
      seed, train_count, test_count);
  return write_file(root / "dataset.toml", toml.data(), toml.size());
}

}  // namespace hpml::nn
