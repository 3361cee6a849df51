#include "simulator/replay/transfers.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>

#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {
namespace {

constexpr size_t kMostEntries = 10000;              // further ones are not listed
constexpr uint64_t kMostBytes = uint64_t{4} << 30;  // of all files together
constexpr uint64_t kArgumentBytes = 64;             // that a program may upload besides the inputs
constexpr uint64_t kReturnableBytes = 256 << 20;    // of what a program reads back, kept for when it returns
constexpr uint64_t kToldBytes = 64 << 10;           // in all parameters, fills and the like: some thousand calls
constexpr char kForeign = static_cast<char>(0xFF);

}  // namespace

// Whether anything of it was replaced by what is no data.
bool Transfers::replace_foreign(std::string& payload, uint64_t offset) {
  if (inputs_.empty()) {
    return false;
  }
  if (auto input = inputs_.find(payload, offset)) {
    payload = std::move(*input);
    return false;
  }
  if (std::ranges::all_of(payload, [](char c) { return c == 0; })) {
    return false;
  }
  const auto returned = read_back_.find(digest_of(reinterpret_cast<const std::byte*>(payload.data()), payload.size()));
  if (returned != read_back_.end() && returned->second.size() == payload.size()) {
    payload = returned->second;
    ++returned_;
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
  if (width == payload.size() || inputs_.empty()) {
    return replace_foreign(payload, offset);
  }
  if (auto input = inputs_.find(payload, offset)) {
    payload = std::move(*input);
    return false;
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
  const uint64_t inside = inputs_.bytes_before_end(payload, offset);
  std::string rest = payload.substr(inside);
  if (inside > 0) {
    payload.resize(inside);
    replace_foreign(payload, offset);
    replace_foreign(rest, UINT64_MAX);
    payload += rest;
    return;
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

void Transfers::download(const std::string& bytes, const Side& from, uint64_t width, uint64_t digest,
                         uint64_t launches) {
  const bool matches =
      inputs_.exchanged() || digest_of(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()) == digest;
  mismatches_ += matches ? 0 : 1;
  if (!inputs_.empty() && bytes.size() <= kReturnableBytes - returnable_ && read_back_.emplace(digest, bytes).second) {
    returnable_ += bytes.size();
  }
  add({{"kind", "download"},
       {"bytes", bytes.size()},
       {"address", from.address},
       {"width", width},
       {"pitch", from.pitch},
       {"matches", matches},
       {"launches_before", launches}},
      bytes);
}

void Transfers::shared(const char* memory, uint64_t address, const std::string& bytes) {
  add({{"kind", "shared"}, {"memory", memory}, {"bytes", bytes.size()}, {"address", address}}, bytes);
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
