#pragma once
// Runs PTX text on the executor alone: no device, no time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "simulator/exec/grid.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/memory/address_space.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::exec {

class PtxRig {
 public:
  // `body`: directives and functions; a header is put before it.
  explicit PtxRig(const std::string& body)
      : memory_(std::move(memory::AddressSpace::create(uint64_t{1} << 30)).value()) {
    auto parsed = ptx::parse(".version 7.5\n.target sm_70\n.address_size 64\n" + body, "test.ptx");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(parsed).value());
    auto linked = ir::Program::link(std::move(modules));
    EXPECT_TRUE(linked.ok()) << linked.error().to_string();
    program_ = std::make_unique<ir::Program>(std::move(linked).value());
    for (ir::Variable& v : program_->variables()) {
      v.address = memory_->allocate(memory::Kind::module, std::max<uint64_t>(v.size, 1), v.name);
    }
    for (const ir::Variable& v : program_->variables()) {
      const auto bytes = program_->initial_bytes(v);
      EXPECT_TRUE(bytes.ok()) << bytes.error().to_string();
      std::memcpy(memory_->find(v.address)->view, bytes->data(), bytes->size());
    }
  }

  template <class T>
  uint64_t upload(const std::vector<T>& values) {
    const uint64_t address = memory_->allocate(memory::Kind::device, values.size() * sizeof(T));
    std::memcpy(memory_->find(address)->view, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(uint64_t address, size_t count) {
    std::vector<T> out(count);
    std::memcpy(out.data(), memory_->find(address)->view, count * sizeof(T));
    return out;
  }

  // 64-bit parameters, in order.
  Grid& prepare(const std::string& kernel, Extent grid, Extent block, const std::vector<uint64_t>& params = {},
                uint32_t dynamic_shared = 0) {
    auto lowered = program_->lower(kernel);
    EXPECT_TRUE(lowered.ok()) << lowered.error().to_string();
    module_ = std::move(lowered).value();
    params_.resize(params.size() * 8);
    if (!params.empty()) {
      std::memcpy(params_.data(), params.data(), params_.size());
    }
    Launch launch;
    launch.module = &module_;
    launch.grid = grid;
    launch.block = block;
    launch.cluster = cluster.value_or(Extent{});
    launch.explicit_cluster = cluster.has_value();
    launch.dynamic_shared = dynamic_shared;
    launch.params = params_;
    launch.max_warp_instructions = max_warp_instructions;
    Services services;
    services.memory = memory_.get();
    grid_ = Grid::create(launch, services);
    return *grid_;
  }
  Grid& run(const std::string& kernel, Extent grid, Extent block, const std::vector<uint64_t>& params = {},
            uint32_t dynamic_shared = 0) {
    prepare(kernel, grid, block, params, dynamic_shared).run_rest();
    return *grid_;
  }
  memory::AddressSpace& memory() { return *memory_; }
  const ir::Module& module() const { return module_; }

  uint64_t max_warp_instructions = 10'000'000;
  std::optional<Extent> cluster;

 private:
  std::unique_ptr<memory::AddressSpace> memory_;
  std::unique_ptr<ir::Program> program_;
  ir::Module module_;
  std::vector<std::byte> params_;
  std::unique_ptr<Grid> grid_;
};

}  // namespace hpml::sim::exec
