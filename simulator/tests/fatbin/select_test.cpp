#include "simulator/fatbin/select.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hpml::sim::fatbin {
namespace {

Entry entry(EntryKind kind, uint32_t sm) {
  Entry made;
  made.kind = static_cast<uint16_t>(kind);
  made.sm = sm;
  return made;
}

uint32_t chosen(std::vector<uint32_t> ptx, uint32_t device) {
  std::vector<Entry> entries;
  for (uint32_t sm : ptx) {
    entries.push_back(entry(EntryKind::ptx, sm));
  }
  return choose_ptx(entries, device, false, "<test>")->entry->sm;
}

TEST(ChoosePtx, TakesTheHighestAtOrBelowTheDevice) {
  EXPECT_EQ(chosen({52, 75, 80, 90}, 80), 80u);
  EXPECT_EQ(chosen({90, 75, 52}, 80), 75u);
}

TEST(ChoosePtx, ElseTheLowestAboveAndSaysSo) {
  EXPECT_EQ(chosen({90, 80}, 75), 80u);
  const std::vector<Entry> entries = {entry(EntryKind::ptx, 80)};
  EXPECT_TRUE(choose_ptx(entries, 75, false, "<test>")->above_device);
  EXPECT_FALSE(choose_ptx(entries, 80, false, "<test>")->above_device);
}

TEST(ChoosePtx, StrictRefusesPtxAboveTheDevice) {
  const std::vector<Entry> entries = {entry(EntryKind::ptx, 80)};
  EXPECT_THAT(choose_ptx(entries, 75, true, "<test>").error().message, testing::HasSubstr("-arch=sm_75"));
}

TEST(ChoosePtx, WithoutPtxSaysHowToBuildIt) {
  const std::vector<Entry> entries = {entry(EntryKind::elf, 75)};
  EXPECT_EQ(choose_ptx(entries, 75, false, "<test>").error().message,
            "compiled without PTX; use -arch=sm_XX or add code=compute_XX (without changing its Makefile: "
            "NVCC_APPEND_FLAGS='-gencode arch=compute_XX,code=compute_XX' make)");
}

TEST(ChooseCubin, PrefersTheSameMajorThenTheNearest) {
  const std::vector<Entry> entries = {entry(EntryKind::elf, 80), entry(EntryKind::elf, 89), entry(EntryKind::elf, 90)};
  EXPECT_EQ(choose_cubin(entries, 86)->sm, 89u);
  EXPECT_EQ(choose_cubin(entries, 80)->sm, 80u);
  EXPECT_EQ(choose_cubin(entries, 75)->sm, 80u);
  EXPECT_EQ(choose_cubin({}, 75), nullptr);
}

}  // namespace
}  // namespace hpml::sim::fatbin
