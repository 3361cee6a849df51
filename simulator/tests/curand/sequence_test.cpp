// The numbers of each generator against those that NVIDIA's library has written (recorded.csv), and one against its
// published definition.
#include "simulator/curand/sequence.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace hpml::sim::curand {
namespace {

struct Row {
  std::string generator, kind, number;
  uint64_t seed = 0, offset = 0;
  size_t index = 0;
};

std::vector<Row> rows() {
  std::ifstream file(HPML_SOURCE_DIR "/simulator/tests/curand/recorded.csv");
  std::vector<Row> found;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Row row;
    std::string seed, offset, index;
    std::getline(words, row.generator, ',');
    std::getline(words, seed, ',');
    std::getline(words, offset, ',');
    std::getline(words, row.kind, ',');
    std::getline(words, index, ',');
    std::getline(words, row.number);
    row.seed = std::stoull(seed);
    row.offset = std::stoull(offset);
    row.index = std::stoull(index);
    found.push_back(row);
  }
  return found;
}

std::unique_ptr<Sequence> sequence_of(const std::string& name) {
  return name == "xorwow" ? xorwow() : name == "mrg32k3a" ? mrg32k3a() : name == "philox" ? philox4_32_10() : sobol32();
}

constexpr size_t kNumbers = 300002;

// Generates `count` numbers by several calls of growing size, so that the test also shows that a call continues the
// sequence.
template <class T, class Write>
std::vector<double> written(Sequence& sequence, size_t count, Write write) {
  std::vector<T> out(count);
  for (size_t at = 0, piece = 2; at < count; at += piece, piece *= 2) {
    write(sequence, std::span(out).subspan(at, std::min(piece, count - at)));
  }
  return {out.begin(), out.end()};
}

std::vector<double> written(Sequence& sequence, const std::string& kind, size_t count) {
  if (kind == "bits") {
    return written<uint32_t>(sequence, count, [](Sequence& from, std::span<uint32_t> out) { from.bits(out); });
  }
  const auto uniform = [](Sequence& from, auto out) { from.uniform(out); };
  const auto normal = [](Sequence& from, auto out) { from.normal(out); };
  if (kind == "uniform") {
    return written<float>(sequence, count, uniform);
  }
  if (kind == "uniform_double") {
    return written<double>(sequence, count, uniform);
  }
  return kind == "normal" ? written<float>(sequence, count, normal) : written<double>(sequence, count, normal);
}

TEST(Curand, writesWhatTheLibraryWrites) {
  const std::string after = "bits after 10 ";
  std::map<std::string, std::vector<double>> known;
  int compared = 0;
  for (const Row& row : rows()) {
    std::vector<double>& numbers =
        known[row.generator + ' ' + std::to_string(row.seed) + ' ' + std::to_string(row.offset) + ' ' + row.kind];
    if (numbers.empty()) {
      const auto sequence = sequence_of(row.generator);
      sequence->begin(row.seed, row.offset);
      const bool mixed = row.kind.starts_with(after);
      if (mixed) {
        written(*sequence, row.kind.substr(after.size()), 10);
      }
      numbers = written(*sequence, mixed ? "bits" : row.kind, kNumbers);
    }
    const double expected = std::stod(row.number), got = numbers.at(row.index);
    const bool rounded = row.kind == "normal" || row.kind == "normal_double";  // the C library's last places
    const double allowed = !rounded ? 0 : row.kind == "normal" ? 4e-7 : 1e-13;
    const double exact = row.kind == "uniform" ? static_cast<double>(static_cast<float>(expected)) : expected;
    EXPECT_NEAR(got, exact, allowed * std::max(1.0, std::abs(exact)))
        << row.generator << ' ' << row.seed << ' ' << row.offset << ' ' << row.kind << ' ' << row.index;
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

// Random123's known answers for a counter and a key of zeros (kat_vectors: philox4x32 10).
TEST(Curand, philoxIsThePublishedFunction) {
  const auto sequence = philox4_32_10();
  sequence->begin(0, 0);
  std::vector<uint32_t> words(4);
  sequence->bits(words);
  EXPECT_EQ(words, (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

}  // namespace
}  // namespace hpml::sim::curand
