#include "simulator/replay/transfers.hpp"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <fstream>

namespace hpml::sim::replay {
namespace {

constexpr size_t kMostEntries = 10000;              // further ones are not listed
constexpr uint64_t kMostBytes = uint64_t{4} << 30;  // of all files together
constexpr size_t kLeastPart = 64;                   // bytes: a shorter part of an input could be found by chance
constexpr uint64_t kArgumentBytes = 64;             // that a program may upload besides the inputs
constexpr uint64_t kToldBytes = 64 << 10;           // in all parameters, fills and the like: some thousand calls
constexpr char kForeign = static_cast<char>(0xFF);

}  // namespace

// Places where an input is expected come first, of all inputs: only what is in none of them is searched for.
bool Transfers::is_input(const std::string& payload, uint64_t offset) const {
  const auto in_place = [&](const std::string& input) {
    const bool fits = payload.size() <= input.size() && offset <= input.size() - payload.size();
    return (fits && input.compare(offset, payload.size(), payload) == 0) || input.starts_with(payload);
  };
  // memmem, because it is linear: std::string::find takes hours for a part of an input that repeats itself.
  const auto somewhere = [&](const std::string& input) {
    return memmem(input.data(), input.size(), payload.data(), payload.size()) != nullptr;
  };
  return std::ranges::any_of(inputs_, in_place) ||
         (payload.size() >= kLeastPart && std::ranges::any_of(inputs_, somewhere));
}

// Whether anything of it was replaced.
bool Transfers::replace_foreign(std::string& payload, uint64_t offset) {
  const auto is_zero = [](char c) { return c == 0; };
  if (inputs_.empty() || std::ranges::all_of(payload, is_zero) || is_input(payload, offset)) {
    return false;
  }
  if (payload.size() <= kArgumentBytes - argument_bytes_) {
    argument_bytes_ += payload.size();
    return false;
  }
  foreign_bytes_ += payload.size();
  payload.assign(payload.size(), kForeign);
  return true;
}

// A part of an input that is not contiguous there is one row by row.
bool Transfers::replace_foreign_rows(std::string& payload, uint64_t offset, uint64_t width) {
  if (width == payload.size() || is_input(payload, offset)) {
    return replace_foreign(payload, offset);
  }
  bool foreign = false;
  for (uint64_t at = 0; at < payload.size(); at += width) {
    std::string row = payload.substr(at, width);
    foreign = replace_foreign(row, UINT64_MAX) || foreign;
    payload.replace(at, width, row);
  }
  return foreign;
}

void Transfers::upload(std::string& payload, uint64_t offset, uint64_t width) {
  const bool foreign = replace_foreign_rows(payload, offset, width);
  if (list_.size() < kMostEntries) {
    list_.push_back({{"kind", "upload"}, {"bytes", payload.size()}, {"foreign", foreign}});
  }
}

// An allocation may be longer than the input in it: the leaf with the input's end is looked at in two parts.
void Transfers::host_write(std::string& payload, uint64_t offset) {
  for (const std::string& input : inputs_) {
    if (offset < input.size() && input.size() - offset < payload.size()) {
      std::string inside = payload.substr(0, input.size() - offset), rest = payload.substr(inside.size());
      if (is_input(inside, offset)) {
        replace_foreign(rest, UINT64_MAX);
        payload = inside + rest;
        return;
      }
    }
  }
  replace_foreign(payload, offset);
}

bool Transfers::tell(const std::string& of, std::string bytes) {
  std::string& before = told_[of];
  if (before != bytes) {
    told_bytes_ += bytes.size();
    before = std::move(bytes);
  }
  return inputs_.empty() || told_bytes_ <= kToldBytes;
}

void Transfers::download(const std::string& bytes, bool matches, uint64_t launches) {
  mismatches_ += matches ? 0 : 1;
  add({{"kind", "download"}, {"bytes", bytes.size()}, {"matches", matches}, {"launches_before", launches}}, bytes);
}

void Transfers::shared(const char* memory, const std::string& bytes) {
  add({{"kind", "shared"}, {"memory", memory}, {"bytes", bytes.size()}}, bytes);
}

void Transfers::add(nlohmann::ordered_json entry, const std::string& bytes) {
  if (list_.size() >= kMostEntries) {
    return;
  }
  if (!folder_.empty() && bytes.size() <= kMostBytes - written_) {
    const std::string name = fmt::format("{:05}.bin", list_.size());
    std::ofstream out(folder_ + "/" + name, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      problem_ = folder_ + "/" + name + ": cannot be written";
    }
    written_ += bytes.size();
    entry["file"] = name;
  }
  list_.push_back(std::move(entry));
}

}  // namespace hpml::sim::replay
