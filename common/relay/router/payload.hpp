#pragma once
// Bytes of a message under way, counted against one budget for all ranks.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hpml::relay {

class Budget {
 public:
  explicit Budget(std::uint64_t most) : most_(most) {}
  bool take(std::uint64_t bytes) {
    if (bytes > most_ - used_) {
      return false;
    }
    used_ += bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { used_ -= bytes; }
  std::uint64_t used() const { return used_; }

 private:
  std::uint64_t most_;
  std::uint64_t used_ = 0;
};

class Payload {
 public:
  Payload() = default;
  // The budget must have been taken; it is given back in the end.
  Payload(std::uint64_t bytes, Budget& budget)
      : data_(std::make_unique_for_overwrite<std::byte[]>(bytes)), bytes_(bytes), budget_(&budget) {}
  Payload(Payload&& other) noexcept { *this = std::move(other); }
  Payload& operator=(Payload&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(budget_, other.budget_);
    return *this;
  }
  ~Payload() {
    if (budget_ != nullptr) {
      budget_->give_back(bytes_);
    }
  }
  std::span<std::byte> bytes() { return {data_.get(), bytes_}; }
  std::span<const std::byte> bytes() const { return {data_.get(), bytes_}; }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::uint64_t bytes_ = 0;
  Budget* budget_ = nullptr;
};

}  // namespace hpml::relay
