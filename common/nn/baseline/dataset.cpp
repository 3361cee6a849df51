#include "common/nn/baseline/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hpml::nn::baseline {

namespace {

namespace fs = std::filesystem;

bool is_training_file(const std::string& name) { return name.starts_with("data_batch_") && name.ends_with(".bin"); }

Result<std::vector<fs::path>> files_of(const fs::path& folder, Split split) {
  if (split == Split::test) {
    return std::vector{folder / "test_batch.bin"};
  }
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_training_file(entry->path().filename().string())) {
      files.push_back(entry->path());
    }
  }
  if (error) {
    return error_in(folder.string(), fmt::format("cannot be listed: {}", error.message()));
  }
  if (files.empty()) {
    return error_in(folder.string(),
                    "holds no training file data_batch_*.bin; name the folder of the CIFAR-10 binary files");
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<void> check_records(const std::string& file, std::span<const uint8_t> records) {
  const size_t count = records.size() / kRecordBytes;
  if (records.empty()) {
    return error_in(file, "byte 0: the file is empty");
  }
  for (size_t i = 0; i < count; ++i) {
    const uint8_t label = records[i * kRecordBytes];
    if (label >= kClasses) {
      return error_in(file, fmt::format("byte {}: label {} of record {}, expected 0 to {}", i * kRecordBytes, label, i,
                                        kClasses - 1));
    }
  }
  if (const size_t rest = records.size() % kRecordBytes; rest != 0) {
    return error_in(file, fmt::format("byte {}: the last record has {} bytes, expected {}", records.size() - rest, rest,
                                      kRecordBytes));
  }
  return Ok{};
}

Result<void> append_file(const fs::path& path, std::vector<uint8_t>& records) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return error_in(path.string(), "byte 0: there is no such file");
  }
  const uintmax_t bytes = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return error_in(path.string(), "byte 0: cannot be opened; may you read it?");
  }
  const size_t before = records.size();
  records.resize(before + bytes);
  file.read(reinterpret_cast<char*>(records.data() + before), static_cast<std::streamsize>(bytes));
  if (static_cast<uintmax_t>(file.gcount()) != bytes) {
    return error_in(path.string(), fmt::format("byte {}: cannot be read further", file.gcount()));
  }
  return check_records(path.string(), std::span(records).subspan(before));
}

}  // namespace

Result<Dataset> read_dataset(const std::string& folder, Split split) {
  HPML_TRY(const std::vector<fs::path> files, files_of(folder, split));
  Dataset dataset;
  for (const fs::path& file : files) {
    HPML_TRY_VOID(append_file(file, dataset.records));
  }
  return dataset;
}

}  // namespace hpml::nn::baseline
