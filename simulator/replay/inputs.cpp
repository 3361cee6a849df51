#include "simulator/replay/inputs.hpp"

#include <string.h>

#include <algorithm>

namespace hpml::sim::replay {
namespace {

constexpr size_t kLeastPart = 64;  // bytes: a shorter part of an input could be found by chance

bool is_zero(const std::string& bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c == 0; });
}

// memmem, because it is linear: std::string::find takes hours for a part of an input that repeats itself.
std::optional<uint64_t> position(const std::string& input, const std::string& payload, uint64_t from) {
  const auto* const found =
      static_cast<const char*>(memmem(input.data() + from, input.size() - from, payload.data(), payload.size()));
  return found == nullptr ? std::nullopt : std::optional<uint64_t>(found - input.data());
}

}  // namespace

bool Inputs::exchanged() const {
  return std::ranges::any_of(inputs_, [](const Input& input) { return !input.instead.empty(); });
}

// Places where an input is expected come first, of all inputs: only what is in none of them is searched for, from where
// the last part ended, since inputs that go in parts go in order.
std::vector<Inputs::Part> Inputs::parts(const std::string& payload, uint64_t offset) const {
  std::vector<Part> found;
  for (const uint64_t begin : {offset, uint64_t{0}}) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& input = inputs_[i].given;
      const bool fits = payload.size() <= input.size() && begin <= input.size() - payload.size();
      if (fits && input.compare(begin, payload.size(), payload) == 0) {
        found.push_back({.input = i, .begin = begin});
      }
    }
    if (!found.empty()) {
      return found;
    }
  }
  if (payload.size() < kLeastPart) {
    return found;
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    auto begin = position(inputs_[i].given, payload, next_[i]);
    begin = begin ? begin : position(inputs_[i].given, payload, 0);
    if (begin) {
      found.push_back({.input = i, .begin = *begin});
    }
  }
  return found;
}

std::string Inputs::bytes(const Part& part, uint64_t count) const {
  const Input& input = inputs_[part.input];
  return (input.instead.empty() ? input.given : input.instead).substr(part.begin, count);
}

std::optional<std::string> Inputs::find(const std::string& payload, uint64_t offset) {
  const std::vector<Part> found = parts(payload, offset);
  if (found.empty()) {
    return std::nullopt;
  }
  // Zeros are what most memory begins with: they are no sign of an input.
  if (is_zero(payload)) {
    ambiguous_ += payload.size() >= kLeastPart &&
                  std::ranges::any_of(found, [&](const Part& part) { return !is_zero(bytes(part, payload.size())); });
    return payload;
  }
  std::string taken = bytes(take(found, payload.size()), payload.size());
  ambiguous_ += std::ranges::any_of(found, [&](const Part& part) { return bytes(part, payload.size()) != taken; });
  return taken;
}

Inputs::Part Inputs::take(const std::vector<Part>& found, uint64_t count) {
  const Part best = *std::ranges::min_element(found, {}, [&](const Part& part) { return uses_[part.input]; });
  ++uses_[best.input];
  next_[best.input] = best.begin + count;
  return best;
}

std::optional<Inputs::Part> Inputs::place(const std::string& payload, uint64_t offset) {
  const std::vector<Part> found = parts(payload, offset);
  return found.empty() || is_zero(payload) ? std::nullopt : std::optional(take(found, payload.size()));
}

uint64_t Inputs::bytes_before_end(const std::string& payload, uint64_t offset) const {
  for (const Input& input : inputs_) {
    if (offset < input.given.size() && input.given.size() - offset < payload.size()) {
      const uint64_t inside = input.given.size() - offset;
      if (input.given.compare(offset, inside, payload, 0, inside) == 0) {
        return inside;
      }
    }
  }
  return 0;
}

}  // namespace hpml::sim::replay
