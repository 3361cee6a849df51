// C1: the CIFAR-10 binary files.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "lab2.hpp"

namespace lab2 {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, size_t offset, const std::string& what) {
  throw std::runtime_error(file.string() + ": byte " + std::to_string(offset) + ": " + what);
}

std::vector<fs::path> files_of(const fs::path& folder, bool test) {
  if (test) {
    return {folder / "test_batch.bin"};
  }
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("data_batch_") && name.ends_with(".bin")) {
      files.push_back(entry->path());
    }
  }
  if (files.empty()) {
    fail(folder / "data_batch_1.bin", 0, "there is no training file data_batch_*.bin; name the folder of the data set");
  }
  std::sort(files.begin(), files.end());
  return files;
}

void append(const fs::path& path, std::vector<uint8_t>& records) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {  // a device or a pipe may have no end
    fail(path, 0, error ? "the file cannot be opened" : "no regular file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail(path, 0, "the file cannot be opened");
  }
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const size_t whole = bytes.size() / kRecordBytes * kRecordBytes;
  for (size_t at = 0; at < whole; at += kRecordBytes) {
    if (bytes[at] >= kClasses) {
      fail(path, at, "label " + std::to_string(bytes[at]) + ", expected 0 to 9");
    }
  }
  if (bytes.empty() || whole != bytes.size()) {
    fail(path, whole, "a record of " + std::to_string(bytes.size() - whole) + " bytes, expected 3073");
  }
  records.insert(records.end(), bytes.begin(), bytes.end());
}

}  // namespace

Dataset read_dataset(const std::string& folder, bool test) {
  Dataset data;
  for (const fs::path& file : files_of(folder, test)) {
    append(file, data.records);
  }
  return data;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
