#pragma once
// Where the op tables of one level put their variants. Not a vector: a template instantiated in a unit compiled for
// AVX-512 could be the copy that the linker keeps for the whole program.
#include <utility>
#include <vector>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

class VariantSink {
 public:
  void add(const Variant& variant);  // in levels.cpp, compiled for the portable baseline
  std::vector<Variant> take() { return std::move(variants_); }

 private:
  std::vector<Variant> variants_;
};

}  // namespace hpml::sim::isa
