#include "simulator/sanitize/phases.hpp"

#include <gtest/gtest.h>

#include <array>

namespace hpml::sim::sanitize {
namespace {

constexpr int kSlabs = 8;
constexpr uint32_t kSlabWords = 32, kSlabBytes = 4 * kSlabWords;

// One warp of one block, whose lanes use neighbouring words.
class Kernel {
 public:
  Kernel() {
    phases_.begin_launch();
    phases_.block_started({.handle = 0, .shared_bytes = 2 * kSlabBytes});
  }
  void store(int buffer) { access(isa::Mem::st, buffer); }
  void load(int buffer) { access(isa::Mem::ld, buffer); }
  void barrier() { phases_.barrier_opens(0); }
  Staged end() { return phases_.take(); }

 private:
  void access(isa::Mem mem, int buffer) {
    ir::Inst inst;
    inst.mem = mem;
    std::array<uint64_t, 32> address{};
    for (uint32_t lane = 0; lane < address.size(); ++lane) {
      address[lane] = static_cast<uint64_t>(buffer) * kSlabBytes + 4 * lane;
    }
    exec::ObservedAccess access;
    access.at = access.inst = &inst;
    access.space = isa::Space::shared;
    access.active = ~isa::LaneMask{0};
    access.bytes = 4;
    access.address = address.data();
    phases_.access(access);
  }

  Phases phases_;
};

TEST(Phases, TwoBuffersStageBesideTheLoadsOfTheLastSlab) {
  Kernel kernel;
  kernel.store(0);
  kernel.barrier();
  for (int slab = 0; slab < kSlabs; ++slab) {
    if (slab + 1 < kSlabs) {
      kernel.store((slab + 1) % 2);
    }
    kernel.load(slab % 2);
    kernel.load(slab % 2);  // a word counts once
    kernel.barrier();
  }
  EXPECT_EQ(kernel.end(),
            (Staged{.words = kSlabs * kSlabWords, .first = kSlabWords, .beside = (kSlabs - 1) * kSlabWords}));
}

TEST(Phases, OneBufferOfTwiceTheSizeStagesNothingBeside) {
  Kernel kernel;
  for (int slab = 0; slab < kSlabs / 2; ++slab) {
    kernel.store(0);
    kernel.store(1);
    kernel.barrier();
    kernel.load(0);
    kernel.load(1);
    kernel.barrier();
  }
  EXPECT_EQ(kernel.end(), (Staged{.words = kSlabs * kSlabWords, .first = 2 * kSlabWords, .beside = 0}));
}

TEST(Phases, StoresThatNoLaterPhaseLoadsAreNotStaged) {
  Kernel kernel;
  kernel.store(0);
  kernel.load(0);  // in the same phase
  kernel.store(1);
  kernel.barrier();
  kernel.store(1);  // over the words of the last phase
  kernel.load(0);
  kernel.barrier();
  EXPECT_EQ(kernel.end(), (Staged{.words = kSlabWords, .first = kSlabWords, .beside = 0}));
}

}  // namespace
}  // namespace hpml::sim::sanitize
