// dataset SCENARIO SEED: makes files in the CIFAR-10 format in a folder of its own and reads them. The records, or
// "refused: " and the message.
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "harness/check.hpp"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

Bytes records(uint64_t seed, uint64_t which, int count) {
  Bytes bytes(static_cast<size_t>(count) * lab2::kRecordBytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint64_t bits = lab2::random_bits(seed, which, 1, i);
    bytes[i] = static_cast<uint8_t>(i % lab2::kRecordBytes == 0 ? bits % lab2::kClasses : bits & 255);
  }
  return bytes;
}

void write(const fs::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// The files of a scenario. The folder has a space in its name, as a student's may have.
void make(std::string_view scenario, uint64_t seed, const fs::path& folder) {
  Bytes first = records(seed, 0, 3);
  if (scenario == "label") {
    first[2 * lab2::kRecordBytes] = 10;
  } else if (scenario == "short") {
    first.resize(first.size() - 100);
  } else if (scenario == "empty") {
    first.clear();
  } else if (scenario == "byte") {
    first.resize(1);
  }
  if (scenario != "none") {
    write(folder / "data_batch_2.bin", records(seed, 1, 2));
    write(folder / "data_batch_1.bin", first);
    write(folder / "data_batch_3.bin", records(seed, 2, 1));
    write(folder / "data_batch_4.txt", records(seed, 3, 1));
  }
  if (scenario != "no_test") {
    write(folder / "test_batch.bin", records(seed, 4, 4));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    check::fail("usage: dataset good|test|label|short|empty|byte|none|no_test SEED");
  }
  const std::string_view scenario = argv[1];
  const fs::path folder = fs::temp_directory_path() / "lab 2 data";
  fs::create_directories(folder);
  make(scenario, static_cast<uint64_t>(std::atoll(argv[2])), folder);
  try {
    const lab2::Dataset data = lab2::read_dataset(folder.string(), scenario == "test" || scenario == "no_test");
    check::Results().write(data.records);
    std::printf("%d records\n", lab2::count(data));
  } catch (const std::runtime_error& error) {
    std::printf("refused: %s\n", error.what());
  }
  return 0;
}
