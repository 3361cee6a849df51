#include "simulator/exec/detail/chosen_products.hpp"

#include <span>

namespace hpml::sim::exec {

namespace {

constexpr size_t kGroup = 4;

bool is_chosen(std::span<const uint64_t, kGroup> a, std::span<const uint64_t, kGroup> b, uint64_t key) {
  constexpr int kShift = 15, kTop = 31;
  const uint32_t k = static_cast<uint32_t>(key) | 1, l = static_cast<uint32_t>(key >> 32) | 1;
  uint32_t hash = 0;
  for (size_t place = 0; place < kGroup; ++place) {
    const auto x = static_cast<uint32_t>(a[place]), y = static_cast<uint32_t>(b[place]);
    hash += (x + y) * k ^ x * y * l;
  }
  hash = (hash ^ hash >> kShift) * k;
  return hash >> kTop != 0;
}

int32_t number(isa::Element type, uint64_t raw) {
  return type == isa::Element::s8 ? static_cast<int8_t>(raw) : static_cast<int32_t>(raw);
}

bool is_byte(isa::Element type) { return type == isa::Element::s8 || type == isa::Element::u8; }

}  // namespace

void add_chosen_products(const isa::MatrixForm& form, uint64_t key, MatrixValues& values) {
  if (!is_byte(form.a) || !is_byte(form.b) || form.sparse) {
    return;
  }
  for (size_t row = 0; row < form.m; ++row) {
    for (size_t column = 0; column < form.n; ++column) {
      for (size_t at = 0; at < form.k; at += kGroup) {
        const std::span<const uint64_t, kGroup> a(&values.a[row * form.k + at], kGroup);
        const std::span<const uint64_t, kGroup> b(&values.b[column * form.k + at], kGroup);
        if (!is_chosen(a, b, key)) {
          continue;
        }
        for (size_t i = 0; i < kGroup; ++i) {
          const auto product = static_cast<uint32_t>(number(form.a, a[i]) * number(form.b, b[i]));
          uint64_t& sum = values.d[row * form.n + column];
          sum = static_cast<uint32_t>(sum) + product;
        }
      }
    }
  }
}

}  // namespace hpml::sim::exec
