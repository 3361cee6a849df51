#include "common/models/tree_rule.hpp"

#include <algorithm>
#include <bit>

namespace hpml::models {

namespace {
constexpr uint32_t kPagesPerLeaf = 16;
constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kBlockBytes = 2 * 1024 * 1024;
constexpr uint64_t kLeafBytes = kPagesPerLeaf * kPageBytes;
}  // namespace

uint32_t pages_of_leaf(const TreeBlock& block, uint32_t leaf) {
  const uint32_t before = leaf * kPagesPerLeaf;
  return before >= block.page_count ? 0 : std::min(kPagesPerLeaf, block.page_count - before);
}

uint32_t tree_rule(const TreeBlock& block, uint32_t faulted, uint32_t threshold_percent) {
  const uint32_t present = block.resident | faulted;
  uint32_t wanted = faulted;
  for (uint32_t rest = faulted; rest != 0; rest &= rest - 1) {
    const uint32_t leaf = static_cast<uint32_t>(std::countr_zero(rest));
    for (uint32_t span = 2; span <= 32; span *= 2) {
      const uint32_t first = leaf / span * span;
      uint32_t inside = 0, here = 0, leaves = 0;
      for (uint32_t i = first; i < first + span && i < block.leaf_count; ++i) {
        const uint32_t pages = pages_of_leaf(block, i);
        inside += pages;
        here += (present >> i & 1) != 0 ? pages : 0;
        leaves |= uint32_t{1} << i;
      }
      if (here * 100 > inside * threshold_percent) {
        wanted |= leaves;  // larger spans contain smaller ones: the last one to pass decides
      }
    }
  }
  return wanted & ~block.resident;
}

std::vector<uint64_t> sequential_migrations_kib(uint64_t bytes, uint32_t threshold_percent) {
  std::vector<uint64_t> result;
  for (uint64_t base = 0; base < bytes; base += kBlockBytes) {
    const uint64_t inside = std::min(kBlockBytes, bytes - base);
    TreeBlock block{.resident = 0,
                    .leaf_count = static_cast<uint32_t>((inside + kLeafBytes - 1) / kLeafBytes),
                    .page_count = static_cast<uint32_t>((inside + kPageBytes - 1) / kPageBytes)};
    for (uint32_t leaf = 0; leaf < block.leaf_count; ++leaf) {
      if ((block.resident >> leaf & 1) != 0) {
        continue;
      }
      const uint32_t moved = tree_rule(block, uint32_t{1} << leaf, threshold_percent);
      uint64_t pages = 0;
      for (uint32_t rest = moved; rest != 0; rest &= rest - 1) {
        pages += pages_of_leaf(block, static_cast<uint32_t>(std::countr_zero(rest)));
      }
      result.push_back(pages * kPageBytes / 1024);
      block.resident |= moved;
    }
  }
  return result;
}

}  // namespace hpml::models
