// Does a device load, launch, count and fail as device/api.hpp promises?
#include "simulator/device/api.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "simulator/tests/device/devices.hpp"

namespace hpml::sim::device {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

struct AddArguments {
  uint32_t n, pad = 0;
  uint64_t x, y;
};

LaunchRequest request_of(KernelId kernel, Dim3 grid, Dim3 block, std::span<const std::byte> params = {}) {
  LaunchRequest request;
  request.kernel = kernel;
  request.grid = grid;
  request.block = block;
  request.params = params;
  return request;
}

Json json(const metrics::Kernel& record) { return Json::parse(to_text(record)); }

struct AddRun {
  std::vector<float> y;
  LaunchResult result;
};

// y = 1 + 2, n elements in blocks of 256, in memory of that kind.
AddRun run_add(Device& device, uint32_t n, memory::Kind kind = memory::Kind::device, int launches = 1) {
  const KernelId kernel = load(device, kAdd, "add");
  const uint64_t bytes = uint64_t{n} * 4;
  AddArguments arguments{
      .n = n, .x = device.memory().allocate(kind, bytes), .y = device.memory().allocate(kind, bytes)};
  for (const uint64_t address : {arguments.x, arguments.y}) {
    if (kind == memory::Kind::managed) {
      device.managed_allocated(address, bytes);
    }
    auto* view = reinterpret_cast<float*>(device.memory().find(address)->view);
    std::fill(view, view + n, address == arguments.x ? 1.0f : 2.0f);
  }
  const LaunchRequest request =
      request_of(kernel, {(n + 255) / 256, 1, 1}, {256, 1, 1}, std::as_bytes(std::span(&arguments, 1)));
  EXPECT_EQ(device.check_launch(request), LaunchError::none);
  AddRun run;
  for (int i = 0; i < launches; ++i) {
    run.result = device.launch(request);
  }
  run.y.resize(n);
  std::memcpy(run.y.data(), device.memory().find(arguments.y)->view, bytes);
  return run;
}

TEST(Device, AddsTwoVectorsInEveryMode) {
  for (const Mode mode : {Mode::automatic, Mode::cycle, Mode::functional}) {
    auto device = make(options(mode));
    const AddRun run = run_add(*device, 1000);
    EXPECT_FALSE(run.result.trap.has_value()) << (run.result.trap ? run.result.trap->message : "");
    EXPECT_THAT(run.y, testing::Each(3.0f));
    EXPECT_GT(run.result.duration, 0);
    EXPECT_EQ(run.result.record.estimated, mode == Mode::functional);
    EXPECT_EQ(run.result.record.sampled, false);
  }
}

TEST(Device, RecordsALaunchByTheSchema) {
  auto device = make();
  const auto record = json(run_add(*device, 1024).result.record);
  EXPECT_EQ(record["name"], "add");
  EXPECT_EQ(record["grid"], Json::array({4, 1, 1}));
  EXPECT_EQ(record["block"], Json::array({256, 1, 1}));
  EXPECT_EQ(record["shared_bytes"], 0);
  EXPECT_GT(record["cycles"].get<int64_t>(), 0);
  const auto& m = record["metrics"];
  EXPECT_EQ(m["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 64);  // 32 warps x 2 loads
  EXPECT_EQ(m["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 256);
  EXPECT_EQ(m["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 128);
  EXPECT_EQ(m["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"], 1024);
  EXPECT_EQ(m["launch__waves_per_multiprocessor"], 4.0 / (4 * 40));
  EXPECT_EQ(m["sm__maximum_warps_per_active_cycle_pct"], 100.0);
  EXPECT_EQ(m["dram__bytes_read.sum"], 8192);
  EXPECT_EQ(record["roofline"]["flops"]["fp32"], 1024);
  EXPECT_EQ(record["stalls"].size(), 17u);
}

TEST(Device, GivesTheSameRecordOnEveryRun) {
  std::string first, second;
  for (auto* text : {&first, &second}) {
    auto device = make();
    *text = to_text(run_add(*device, 5000).result.record);
  }
  EXPECT_EQ(first, second);
}

TEST(Device, CountsTheSameInEveryMode) {
  Json exact[2];
  const Mode modes[] = {Mode::cycle, Mode::functional};
  for (int i = 0; i < 2; ++i) {
    auto device = make(options(modes[i]));
    const auto record = json(run_add(*device, 3000).result.record);
    for (const auto& [name, value] : record["metrics"].items()) {
      if (name.starts_with("l1tex__t_sectors_") || name.starts_with("smsp__sass_") ||
          name.starts_with("smsp__thread_")) {
        exact[i][name] = value;
      }
    }
    exact[i]["warp_instructions"] = record["warp_instructions"];
  }
  EXPECT_EQ(exact[0], exact[1]);
}

TEST(Device, SamplesLongLaunchesInAutomaticModeOnly) {
  auto device = make();
  const auto sampled = run_add(*device, 30'000'000);
  EXPECT_EQ(sampled.result.record.sampled, true);
  EXPECT_LT(sampled.result.record.sampled_fraction, 1.0);
  EXPECT_THAT(std::vector<float>(sampled.y.end() - 10, sampled.y.end()), testing::Each(3.0f));
  // 360 MB at 255-265 GB/s, what the T4 reaches (simulator_timing section 7), is 1358-1412 us
  EXPECT_NEAR(sampled.result.record.duration_us, 1385, 0.25 * 1385);
}

TEST(Device, TimesAShortRestOfALaunchWhole) {
  auto device = make();
  const auto record = json(run_add(*device, 5'000'000).result.record);
  EXPECT_EQ(record["sampled"], false) << record["warp_instructions"];
  EXPECT_GT(record["warp_instructions"].get<uint64_t>(), 2'000'000u);
}

TEST(Device, ReachesPinnedMemoryOverTheLink) {
  auto device = make();
  constexpr int kCount = 100'000;
  const auto record = json(run_add(*device, kCount, memory::Kind::pinned).result.record);
  const double read = record["metrics"]["pcie__read_bytes.sum"], written = record["metrics"]["pcie__write_bytes.sum"];
  EXPECT_EQ(read, 2 * 4 * kCount);
  EXPECT_EQ(written, 4 * kCount);
  EXPECT_GE(record["duration_us"].get<double>(), read / 12.35e3);  // PCIe 3 x16, RRZE
  EXPECT_EQ(record["metrics"]["dram__bytes_read.sum"], 0);
  EXPECT_GT(record["metrics"]["gpusim__host_link_throughput.avg.pct_of_peak_sustained_elapsed"], 50);
}

TEST(Device, MovesManagedMemoryOnceAndCountsItsFaults) {
  auto device = make();
  const auto cold = json(run_add(*device, 300'000, memory::Kind::managed).result.record);
  EXPECT_GT(cold["metrics"]["gpusim__fault_groups.sum"].get<uint64_t>(), 0u);
  EXPECT_GE(value_of(device->unified_memory_record(), "host_to_device_bytes").as_double(), 2.4e6);
  device.reset();
  device = make();
  const auto warm = json(run_add(*device, 300'000, memory::Kind::managed, 2).result.record);
  EXPECT_EQ(warm["metrics"]["gpusim__fault_groups.sum"], 0);
  EXPECT_LT(warm["duration_us"], cold["duration_us"]);
}

TEST(Device, ReportsAnOutOfBoundsAccessWithKernelAndNearestAllocation) {
  auto device = make();
  const KernelId kernel = load(*device, kAdd, "add");
  const uint64_t x = device->memory().allocate(memory::Kind::device, 400);
  const AddArguments arguments{.n = 256, .x = x, .y = x};
  const auto result =
      device->launch(request_of(kernel, {1, 1, 1}, {256, 1, 1}, std::as_bytes(std::span(&arguments, 1))));
  ASSERT_TRUE(result.trap.has_value());
  EXPECT_EQ(result.trap->kind, TrapKind::illegal_address);
  EXPECT_THAT(result.trap->message, HasSubstr("add"));
  EXPECT_EQ(result.trap->message.find('\n'), std::string::npos);
}

TEST(Device, EndsAnInfiniteLoopByTheInstructionLimit) {
  for (const Mode mode : {Mode::automatic, Mode::cycle, Mode::functional}) {
    Options o = options(mode);
    o.max_warp_instructions = 100'000;
    auto device = make(o);
    const auto result = device->launch(request_of(load(*device, kForever, "forever"), {}, {32, 1, 1}));
    ASSERT_TRUE(result.trap.has_value());
    EXPECT_EQ(result.trap->kind, TrapKind::timeout);
  }
}

TEST(Device, LetsAKernelWaitForTheClockInEveryMode) {
  for (const Mode mode : {Mode::automatic, Mode::cycle, Mode::functional}) {
    Options o = options(mode);
    o.max_warp_instructions = 1'000'000;
    auto device = make(o);
    const auto result = device->launch(request_of(load(*device, kWaitForClock, "wait_for_clock"), {}, {32, 1, 1}));
    EXPECT_FALSE(result.trap.has_value()) << result.trap->message;
    if (mode != Mode::functional) {
      EXPECT_GE(result.record.cycles, 1000);
    }
  }
}

TEST(Device, NamesARefusedInstructionWhenAKernelReachesIt) {
  auto device = make();
  const auto result = device->launch(request_of(load(*device, kRefusedInstruction, "refused"), {}, {32, 1, 1}));
  ASSERT_TRUE(result.trap.has_value());
  EXPECT_EQ(result.trap->kind, TrapKind::illegal_instruction);
  EXPECT_THAT(result.trap->message, HasSubstr("tcgen05"));
}

TEST(Device, RefusesAModuleWithAnInstructionThatPtxOfItsVersionDoesNotHave) {
  auto device = make();
  const std::string code = ".target sm_75\n.address_size 64\n.visible .entry k()\n{\n  frobnicate.u32 1;\n  ret;\n}\n";
  const auto old = device->load_module({{.ptx = ".version 9.0\n" + code, .name = "old.ptx"}}, {});
  ASSERT_FALSE(old.ok());
  EXPECT_THAT(old.error().to_string(), HasSubstr("old.ptx:6:3: error: unknown instruction 'frobnicate'"));
  EXPECT_TRUE(device->load_module({{.ptx = ".version 9.1\n" + code, .name = "new.ptx"}}, {}).ok());
}

TEST(Device, RefusesBadPtxWithItsPlace) {
  auto device = make();
  const auto module = device->load_module({{.ptx = ptx_header() + ".visible .entry broken( {", .name = "bad.ptx"}}, {});
  ASSERT_FALSE(module.ok());
  EXPECT_THAT(module.error().to_string(), HasSubstr("bad.ptx:4:"));
}

TEST(Device, InitialisesVariablesOfEveryKind) {
  auto device = make();
  const auto module = device->load_module({{.ptx = ptx_header() + kVariables, .name = "variables.ptx"}}, {});
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  const auto managed = device->find_symbol(*module, "m");
  ASSERT_TRUE(managed.has_value());
  EXPECT_EQ(*reinterpret_cast<uint32_t*>(managed->address), 4u);  // the program's own pointer
  *reinterpret_cast<uint32_t*>(managed->address) = 1000;
  const uint64_t out = device->memory().allocate(memory::Kind::device, 4);
  const KernelId kernel = device->find_kernel(*module, "sum").value();
  const auto result = device->launch(request_of(kernel, {}, {}, std::as_bytes(std::span(&out, 1))));
  EXPECT_FALSE(result.trap.has_value()) << result.trap->message;
  uint32_t sum = 0;
  std::memcpy(&sum, device->memory().find(out)->view, 4);
  EXPECT_EQ(sum, 5u + 7 + 1000 + 5);
  EXPECT_EQ(device->find_symbol(*module, "nothing"), std::nullopt);
}

TEST(Device, GivesBackTheMemoryOfAnUnloadedModule) {
  auto device = make();
  const uint64_t before = device->memory().free_bytes();
  const auto module = device->load_module({{.ptx = ptx_header() + kVariables, .name = "variables.ptx"}}, {});
  EXPECT_LT(device->memory().free_bytes(), before);
  device->unload_module(*module);
  EXPECT_EQ(device->memory().free_bytes(), before);
  EXPECT_TRUE(device->memory().live().empty());
  EXPECT_EQ(device->find_kernel(*module, "sum"), std::nullopt);
}

TEST(Device, TakesRegisterCountsFromTheCubinAndElseEstimatesThem) {
  auto device = make();
  const KernelInfo estimated = device->kernel(load(*device, kAdd, "add"));
  EXPECT_TRUE(estimated.registers_estimated);
  EXPECT_GE(estimated.registers, 8);
  EXPECT_LE(estimated.registers, 24);
  const KernelInfo known =
      device->kernel(load(*device, kAdd, "add", {{.name = "add", .sm = 75, .registers = 200, .static_shared = 1000}}));
  EXPECT_FALSE(known.registers_estimated);
  EXPECT_EQ(known.registers, 200);
  EXPECT_EQ(known.static_shared, 1000u);
  EXPECT_EQ(known.max_threads_per_block, 65536 / (200 * 32) * 32);
  ASSERT_EQ(known.params.size(), 3u);
  EXPECT_EQ(known.params[1].offset, 8u);
  EXPECT_EQ(known.param_bytes, 24u);
}

TEST(Device, AnswersOccupancyQueriesByTheSameRuleAsLaunches) {
  auto device = make();
  const KernelId kernel = load(*device, kAdd, "add");
  EXPECT_EQ(device->occupancy(kernel, 256, 0).blocks_per_multiprocessor, 4);       // 1,024 threads per SM
  EXPECT_EQ(device->occupancy(kernel, 256, 30'000).blocks_per_multiprocessor, 2);  // 64 KiB of shared memory
  EXPECT_EQ(device->occupancy(kernel, 2048, 0).blocks_per_multiprocessor, 0);
}

TEST(Device, OpensLargeSharedMemoryOnlyUpToTheOptInLimit) {
  auto device = make();
  const KernelId kernel = load(*device, kAdd, "add");
  EXPECT_FALSE(device->set_max_dynamic_shared(kernel, 65537));
  EXPECT_TRUE(device->set_max_dynamic_shared(kernel, 65536));
}

TEST(Device, NamesUnknownGpusWithTheNearOnes) {
  const auto device = Device::create(options(Mode::automatic, "v10"));
  ASSERT_FALSE(device.ok());
  EXPECT_THAT(device.error().to_string(), HasSubstr("did you mean 'v100'"));
}

TEST(Device, TellsTheProgramWhatTheGpuFileSays) {
  const auto device = make(options(Mode::automatic, "v100"));
  const Properties& p = device->properties();
  EXPECT_THAT(p.name, HasSubstr("V100"));
  EXPECT_EQ(p.cc_major, 7);
  EXPECT_EQ(p.cc_minor, 0);
  EXPECT_EQ(p.multiprocessors, 80);
  EXPECT_EQ(p.max_threads_per_multiprocessor, 2048);
  EXPECT_TRUE(p.concurrent_managed_access);
  EXPECT_EQ(device->memory().total_bytes(), p.total_memory);
}

TEST(Device, ChargesCopiesByDirectionAndKindOfHostMemory) {
  const auto device = make();
  const uint64_t bytes = 64 << 20;
  EXPECT_LT(device->copy_time(CopyKind::host_to_device, true, bytes),
            device->copy_time(CopyKind::host_to_device, false, bytes));
  EXPECT_LT(device->copy_time(CopyKind::device_to_device, false, bytes),
            device->copy_time(CopyKind::device_to_host, true, bytes));
  EXPECT_GT(device->api_cost(ApiCost::malloc_device, bytes), device->api_cost(ApiCost::malloc_device, 0));
}

}  // namespace
}  // namespace hpml::sim::device
