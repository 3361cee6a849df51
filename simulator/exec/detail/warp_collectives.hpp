#pragma once
// What lanes do together: votes and shuffles, matrix products, barriers; and what units beside the lanes do for them:
// textures and surfaces, asynchronous copies.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/exec/detail/warp_control.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::memory {
struct TensorMap;
}

namespace hpml::sim::exec {

class FragmentMap;
struct MatrixValues;

inline constexpr uint32_t kBarriers = 16;               // of a block
inline constexpr uint32_t kClusterBarrier = kBarriers;  // the name of its cluster's

class WarpCollectives : public WarpControl {
 protected:
  // warp_ops.cpp
  void warp_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  // image_ops.cpp
  void image_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  // async_copy.cpp
  void copy_async(const ir::Inst& inst, LaneMask active, Effects* effects);
  void copy_bulk(const ir::Inst& inst, LaneMask active, Effects* effects);
  void copy_group(const ir::Inst& inst, Effects* effects);
  // mbarrier.cpp
  void mbarrier(const ir::Inst& inst, LaneMask active, Effects* effects);
  // barrier.cpp
  void block_barrier(const ir::Inst& inst, LaneMask active, Effects* effects);
  void release_barrier(int id);
  // Whether all its live lanes wait there: the number of threads that the instruction names, 0 for the whole block.
  std::optional<uint32_t> waits_at(int id) const;
  // cluster.cpp
  void cluster_arrive(LaneMask active);
  void cluster_wait(LaneMask active);
  bool waits_for_cluster() const;

  LaneMask cluster_arrived_ = 0;  // at the cluster's barrier, in this phase
  bool yield_ = false;            // the last instruction waits for another warp: run() gives way

 private:
  bool run_complete(LaneMask absent) final;
  void leave_cluster(LaneMask lanes) final;
  // warp_ops.cpp
  void run_synced(std::span<const int> groups, Effects* effects);
  // Groups that wait at the same warp-wide instruction as group `first`, and the lanes they cover.
  std::vector<int> waiting_with(int first, LaneMask& covered) const;
  void exchange(std::span<const int> groups);
  bool exchange_alone(const ir::Inst& inst, const Group& group);
  // matrix_ops.cpp, matrix_products.cpp
  void matrix_together(std::span<const int> groups, Effects* effects);
  void matrix_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_multiply(const ir::Inst& inst, LaneMask active);
  void matrix_product(const ir::Inst& inst, LaneMask lanes);
  void multiply(const ir::Inst& inst, MatrixValues& values) const;
  void warpgroup_product(const ir::Inst& inst, LaneMask lanes);
  std::vector<uint16_t> kept_by(const ir::Inst& inst, LaneMask lanes) const;
  std::vector<uint8_t> factors(const ir::Inst& inst, size_t from, int rows) const;
  bool read_shared_matrix(uint64_t descriptor, bool transposed, size_t first, size_t count, size_t along,
                          isa::Element type, std::vector<uint64_t>& out);
  void matrix_memory(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_rows(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_transpose(const ir::Inst& inst, LaneMask active);
  void gather(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes, isa::Element type,
              size_t row_step, size_t col_step, std::vector<uint64_t>& out) const;
  void scatter(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes, isa::Element type,
               size_t row_step, const std::vector<uint64_t>& in);
  // image_ops.cpp, surface_ops.cpp
  void sample_texture(const ir::Inst& inst, const memory::Image& image, LaneMask active, Effects* effects);
  void access_surface(const ir::Inst& inst, const memory::Image& image, LaneMask active, Effects* effects);
  void read_surface(const ir::Inst& inst, int lane, const std::byte* place);
  void write_surface(const ir::Inst& inst, const memory::Image& image, int lane, std::byte* place);
  void ask_image(const ir::Inst& inst, const memory::Image& image, LaneMask active);
  const std::byte* texel_at(const memory::Image& image, uint64_t x, uint64_t y, uint64_t z, int lane);
  // async_copy.cpp
  bool copy_bulk_lane(const ir::Inst& inst, int lane, Effects* effects);
  void count_bulk(const ir::Inst& inst, int lane, bool to_shared);
  bool copy_range(const ir::Inst& inst, int lane, uint64_t from, uint64_t to, uint64_t barrier, Effects* effects);
  // tensor_copy.cpp
  bool read_tensor_map(uint64_t address, int lane, memory::TensorMap& map);
  bool copy_box(const ir::Inst& inst, const memory::TensorMap& map, int lane, uint64_t shared);
  bool copy_tensor_lane(const ir::Inst& inst, int lane, Effects* effects);
  // mbarrier.cpp
  bool complete_bytes(uint64_t barrier, uint64_t bytes, int lane);
};

}  // namespace hpml::sim::exec
