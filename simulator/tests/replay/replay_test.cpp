// A recording of a small program on a device, and what its replay says: the same, or what is wrong with it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "simulator/replay/recorder.hpp"
#include "simulator/replay/replayer.hpp"
#include "simulator/tests/device/kernels.hpp"

namespace hpml::sim::replay {
namespace {

using testing::HasSubstr;

constexpr uint32_t kCount = 1000;
constexpr uint64_t kBytes = kCount * sizeof(float);

device::Options t4() {
  device::Options options;
  options.gpu = "t4";
  options.gpu_dir = HPML_SOURCE_DIR "/simulator/gpus";
  return options;
}

std::vector<float> numbers(float first) {
  std::vector<float> list(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    list[i] = first + static_cast<float>(i);
  }
  return list;
}

std::string bytes_of(const std::vector<float>& list) { return {reinterpret_cast<const char*>(list.data()), kBytes}; }

std::string temporary(const std::string& name) { return testing::TempDir() + name + "." + std::to_string(getpid()); }

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  Result<void> done = Ok{};
  nlohmann::ordered_json metrics, transfers;
  uint64_t mismatches = 0, foreign_bytes = 0;
  bool complete = false;
  std::string unrepeatable;
};

Outcome replay(const std::string& recording, std::vector<Input> inputs = {}, const ProgramCode* code = nullptr,
               const std::string& folder = "", std::optional<Passes> passes = {}) {
  ReplayOptions options{
      .devices = {t4()}, .gpu_names = "t4", .mode_name = "auto", .code = code, .libraries = {}, .passes = passes};
  Transfers transfers(folder, std::move(inputs));
  Replayer replayer(options, transfers);
  Reader reader(std::as_bytes(std::span(recording)), "<test>");
  Outcome outcome;
  outcome.done = replayer.run(reader);
  outcome.metrics = nlohmann::ordered_json::parse(to_text(replayer.metrics()));
  outcome.transfers = transfers.list();
  outcome.mismatches = transfers.mismatches();
  outcome.foreign_bytes = transfers.foreign_bytes();
  outcome.complete = replayer.complete();
  outcome.unrepeatable = replayer.unrepeatable();
  return outcome;
}

std::vector<Input> given(const std::vector<std::string>& contents) {
  std::vector<Input> inputs;
  for (const std::string& content : contents) {
    inputs.push_back({.given = content, .instead = {}});
  }
  return inputs;
}

// What a program does on a device that is being recorded.
class Program {
 public:
  explicit Program(std::string path) : path_(std::move(path)) {
    auto made = Recorder::create(path_);
    recorder_ = std::move(made).value();
    auto device = device::Device::create(t4());
    device_ = recorder_->wrap(std::move(device).value(), 0);
    const auto module = device_->load_module({{device::ptx_header() + device::kAdd, "<test>", {}}}, {});
    kernel_ = *device_->find_kernel(*module, "add");
  }

  uint64_t allocate(memory::Kind kind) {
    const uint64_t address = device_->memory().allocate(kind, kBytes);
    if (kind == memory::Kind::managed) {
      device_->managed_allocated(address, kBytes);
    }
    return address;
  }
  void upload(uint64_t to, const std::vector<float>& from) {
    const auto copy = host_copy(to, from.data(), device::CopyKind::host_to_device);
    device_->before_copy(copy);
    std::memcpy(device_->memory().find(to)->view, from.data(), kBytes);
    device_->after_copy(copy);
    device_->memory_written(to, kBytes);
  }
  std::vector<float> download(uint64_t from) {
    std::vector<float> list(kCount);
    auto copy = host_copy(from, list.data(), device::CopyKind::device_to_host);
    std::swap(copy.dst, copy.src);
    device_->before_copy(copy);
    std::memcpy(list.data(), device_->memory().find(from)->view, kBytes);
    device_->after_copy(copy);
    return list;
  }
  nlohmann::ordered_json add(uint64_t x, uint64_t y) {
    std::vector<std::byte> params(24);
    std::memcpy(params.data(), &kCount, sizeof(kCount));
    std::memcpy(params.data() + 8, &x, sizeof(x));
    std::memcpy(params.data() + 16, &y, sizeof(y));
    device::LaunchRequest request{.kernel = kernel_, .grid = {4}, .block = {256}, .params = params};
    return nlohmann::ordered_json::parse(to_text(device_->launch(request).record));
  }
  void call_library(const std::string& name) {
    device_->before_library({.name = name, .arguments = "[]", .part = 0}, 0);
    device_->after_library();
  }
  void fill_bytewise(uint64_t to, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) {
      const device::CopySide dst{
          .address = to + i % kBytes, .pitch = 1, .slice = 1, .data = nullptr, .simulated = true};
      device_->before_fill({.dst = dst, .value = 1 + i % 255, .element = 1, .width = 1});
    }
  }
  std::string end() {
    recorder_->ended(0, 0);
    unified = nlohmann::ordered_json::parse(to_text(device_->unified_memory_record()));
    device_.reset();  // the replay's device lies at the same addresses
    recorder_.reset();
    std::string content = content_of(path_);
    unlink(path_.c_str());
    return content;
  }

  nlohmann::ordered_json unified;

 private:
  device::HostCopy host_copy(uint64_t address, const void* host, device::CopyKind kind) {
    return {.kind = kind,
            .dst = {.address = address,
                    .pitch = kBytes,
                    .slice = kBytes,
                    .data = device_->memory().find(address)->view,
                    .simulated = true},
            .src = {.address = reinterpret_cast<uint64_t>(host),
                    .pitch = kBytes,
                    .slice = kBytes,
                    .data = static_cast<const std::byte*>(host)},
            .width = kBytes};
  }

  std::string path_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<device::Device> device_;
  device::KernelId kernel_ = -1;
};

struct Recorded {
  std::string recording;
  nlohmann::ordered_json kernel, unified;
};

Recorded explicit_copies(const std::vector<float>& x, const std::vector<float>& y) {
  Program program(temporary("explicit"));
  const uint64_t device_x = program.allocate(memory::Kind::device), device_y = program.allocate(memory::Kind::device);
  program.upload(device_x, x);
  program.upload(device_y, y);
  Recorded made;
  made.kernel = program.add(device_x, device_y);
  EXPECT_EQ(program.download(device_y)[7], x[7] + y[7]);
  made.recording = program.end();
  return made;
}

Recorded managed_memory() {
  Program program(temporary("managed"));
  const uint64_t x = program.allocate(memory::Kind::managed), y = program.allocate(memory::Kind::managed);
  std::memcpy(reinterpret_cast<void*>(x), numbers(1).data(), kBytes);
  std::memcpy(reinterpret_cast<void*>(y), numbers(5).data(), kBytes);
  Recorded made;
  made.kernel = program.add(x, y);
  EXPECT_EQ(reinterpret_cast<volatile float*>(y)[3], 4.0F + 8.0F);  // takes the page back
  program.add(x, y);
  made.recording = program.end();
  made.unified = program.unified;
  return made;
}

TEST(Replay, GivesTheResultsAndTheCountersOfTheRun) {
  const Recorded made = explicit_copies(numbers(0), numbers(3));
  const Outcome outcome = replay(made.recording);
  ASSERT_TRUE(outcome.done.ok()) << outcome.done.error().to_string();
  EXPECT_TRUE(outcome.complete);
  EXPECT_EQ(outcome.mismatches, 0U);
  ASSERT_EQ(outcome.metrics["kernels"].size(), 1U);
  EXPECT_EQ(outcome.metrics["kernels"][0]["metrics"].dump(), made.kernel["metrics"].dump());
  EXPECT_EQ(outcome.metrics["memcpy"].size(), 3U);
  EXPECT_EQ(outcome.metrics["memcpy"][0]["kind"], "HtoD");
  EXPECT_EQ(outcome.metrics["memcpy"][2]["kind"], "DtoH");
}

TEST(Replay, MeetsTheSamePageFaults) {
  const Recorded made = managed_memory();
  const Outcome outcome = replay(made.recording);
  ASSERT_TRUE(outcome.done.ok()) << outcome.done.error().to_string();
  EXPECT_EQ(outcome.metrics["unified_memory"].dump(), made.unified.dump());
  EXPECT_GT(made.unified["cpu_faults"].get<double>(), 0);
  EXPECT_EQ(outcome.metrics["kernels"][0]["metrics"].dump(), made.kernel["metrics"].dump());
}

TEST(Replay, OfManagedMemoryKeepsWhatTheProgramCouldRead) {
  const Outcome outcome = replay(managed_memory().recording);
  ASSERT_EQ(outcome.transfers.size(), 2U);
  EXPECT_EQ(outcome.transfers[1]["kind"], "shared");
  EXPECT_EQ(outcome.transfers[1]["bytes"], kBytes);
}

TEST(Replay, LetsOnlyTheInputsIn) {
  const std::vector<float> x = numbers(0), y = numbers(3);
  const std::string recording = explicit_copies(x, y).recording;
  EXPECT_EQ(replay(recording, given({bytes_of(x), bytes_of(y)})).mismatches, 0U);
  const Outcome other = replay(recording, given({bytes_of(x), bytes_of(numbers(9))}));
  EXPECT_EQ(other.mismatches, 1U);
  EXPECT_EQ(other.foreign_bytes, kBytes);
}

TEST(Replay, APartOfAnInputIsAnInputWhereverItGoes) {
  const std::vector<float> x = numbers(0), y = numbers(3);
  const std::string recording = explicit_copies(x, y).recording;
  std::string inputs = bytes_of(numbers(500));
  inputs.resize(inputs.size() + 12);
  EXPECT_EQ(replay(recording, given({inputs + bytes_of(x) + bytes_of(y)})).foreign_bytes, 0U);
  EXPECT_EQ(replay(recording, given({inputs + bytes_of(y)})).foreign_bytes, kBytes);
}

std::vector<float> floats_of(const std::string& path) {
  const std::string content = content_of(path);
  std::vector<float> list(content.size() / sizeof(float));
  std::memcpy(list.data(), content.data(), list.size() * sizeof(float));
  return list;
}

TEST(Replay, ComputesWithOtherDataInThePlaceOfTheGiven) {
  const std::vector<float> x = numbers(0), y = numbers(3);
  const std::string folder = temporary("exchanged");
  ASSERT_TRUE(std::filesystem::create_directory(folder));
  const Outcome outcome = replay(explicit_copies(x, y).recording,
                                 {{.given = bytes_of(x), .instead = bytes_of(numbers(40))},
                                  {.given = bytes_of(y), .instead = bytes_of(numbers(700))}},
                                 nullptr, folder);
  ASSERT_TRUE(outcome.done.ok()) << outcome.done.error().to_string();
  EXPECT_EQ(outcome.mismatches, 0U);  // the program's results are of its own data
  EXPECT_EQ(outcome.foreign_bytes, 0U);
  EXPECT_EQ(floats_of(folder + "/00002.bin")[7], 47.0F + 707.0F);
  std::filesystem::remove_all(folder);
}

TEST(Replay, ComputesWithOtherDataInManagedMemory) {
  const std::string folder = temporary("exchanged_managed");
  ASSERT_TRUE(std::filesystem::create_directory(folder));
  const Outcome outcome = replay(managed_memory().recording,
                                 {{.given = bytes_of(numbers(1)), .instead = bytes_of(numbers(40))},
                                  {.given = bytes_of(numbers(5)), .instead = bytes_of(numbers(700))}},
                                 nullptr, folder);
  EXPECT_EQ(outcome.foreign_bytes, 0U);
  EXPECT_EQ(floats_of(folder + "/00001.bin")[7], 2 * 47.0F + 707.0F);  // two launches
  std::filesystem::remove_all(folder);
}

TEST(Replay, WhatTheProgramReadBackMayReturn) {
  Program program(temporary("returned"));
  const std::vector<float> x = numbers(0), y = numbers(3);
  const uint64_t device_x = program.allocate(memory::Kind::device), device_y = program.allocate(memory::Kind::device);
  program.upload(device_x, x);
  program.upload(device_y, y);
  program.add(device_x, device_y);
  program.upload(device_x, program.download(device_y));
  program.add(device_x, device_y);
  program.download(device_y);
  const std::string folder = temporary("returned_files");
  ASSERT_TRUE(std::filesystem::create_directory(folder));
  const Outcome outcome = replay(
      program.end(), {{.given = bytes_of(x), .instead = bytes_of(numbers(40))}, {.given = bytes_of(y), .instead = {}}},
      nullptr, folder);
  EXPECT_EQ(outcome.foreign_bytes, 0U);
  EXPECT_EQ(floats_of(folder + "/00004.bin")[7], 2 * (47.0F + 10.0F));
  std::filesystem::remove_all(folder);
}

TEST(Replay, LetsOnlyTheInputsIntoManagedMemory) {
  const std::string recording = managed_memory().recording;
  EXPECT_EQ(replay(recording, given({bytes_of(numbers(1)), bytes_of(numbers(5))})).foreign_bytes, 0U);
  EXPECT_EQ(replay(recording, given({bytes_of(numbers(1)), bytes_of(numbers(6))})).foreign_bytes, kBytes);
}

TEST(Replay, FindsAResultThatTheProgramNeverGot) {
  std::string recording = explicit_copies(numbers(0), numbers(3)).recording;
  const size_t at = recording.find(bytes_of(numbers(3)));
  ASSERT_NE(at, std::string::npos);
  recording[at] ^= 1;  // another input, the old result
  EXPECT_EQ(replay(recording).mismatches, 1U);
}

std::string calling(const std::string& name) {
  Program program(temporary("library"));
  program.call_library(name);
  return program.end();
}

// y = x + y twice, on a y that is uploaded before each launch, before the first one only, or saved and brought back.
enum class Second : uint8_t { uploads, relies, saves };

std::string twice(Second second) {
  Program program(temporary("twice"));
  const uint64_t x = program.allocate(memory::Kind::device), y = program.allocate(memory::Kind::device);
  program.upload(x, numbers(1));
  program.upload(y, numbers(2));
  program.add(x, y);
  const std::vector<float> between = program.download(y);
  if (second != Second::relies) {
    program.upload(y, second == Second::uploads ? numbers(2) : between);
  }
  program.add(x, y);
  program.download(y);
  return program.end();
}

TEST(Replay, TakesAwayWhatTheWarmUpLeavesButNotWhatTheHostPutsThere) {
  for (const Second second : {Second::uploads, Second::relies, Second::saves}) {
    const std::string recording = twice(second);
    EXPECT_EQ(replay(recording).mismatches, 0);
    const Outcome outcome = replay(recording, given({bytes_of(numbers(1)), bytes_of(numbers(2))}), nullptr, "",
                                   Passes{.warm_up = 0, .timed = 1});
    EXPECT_TRUE(outcome.done.ok() && outcome.complete);
    const bool right = outcome.transfers.back()["matches"];
    EXPECT_EQ(right, second == Second::uploads);
  }
}

TEST(Replay, StopsAtALibraryCallThatOnlyItsOwnProcessCanMakeAndNamesIt) {
  const Outcome outcome = replay(calling("cublasSgemm_v2"));
  EXPECT_TRUE(outcome.done.ok());
  EXPECT_FALSE(outcome.complete);
  EXPECT_EQ(outcome.unrepeatable, "cublasSgemm_v2");
}

TEST(Replay, OfALibraryCallThatIsNoNameIsAnError) {
  for (const std::string name : {"", "::error::", "a\nb"}) {
    const Outcome outcome = replay(calling(name));
    EXPECT_FALSE(outcome.done.ok()) << name;
    EXPECT_EQ(outcome.unrepeatable, "");
  }
}

Recorded launched_and_filled(int launches, uint32_t fills) {
  Program program(temporary("told"));
  const uint64_t x = program.allocate(memory::Kind::device), y = program.allocate(memory::Kind::device);
  for (int i = 0; i < launches; ++i) {
    program.add(x, i % 2 == 0 ? x : y);
  }
  program.fill_bytewise(x, fills);
  return {.recording = program.end(), .kernel = {}, .unified = {}};
}

TEST(Replay, TakesNoDataInArgumentsOfKernels) {
  const std::string little = launched_and_filled(20, 0).recording, much = launched_and_filled(2000, 0).recording;
  EXPECT_TRUE(replay(little, given({"input"})).done.ok());
  EXPECT_TRUE(replay(much).done.ok());
  EXPECT_THAT(replay(much, given({"input"})).done.error().to_string(), HasSubstr("data in arguments"));
}

TEST(Replay, TakesNoDataInFills) {
  EXPECT_TRUE(replay(launched_and_filled(0, 100).recording, given({"input"})).done.ok());
  const Outcome much = replay(launched_and_filled(0, 8000).recording, given({"input"}));
  ASSERT_FALSE(much.done.ok());
  EXPECT_THAT(much.done.error().to_string(), HasSubstr("data in arguments"));
}

TEST(Replay, RunsOnlyTheCodeOfTheProgram) {
  const std::string recording = explicit_copies(numbers(0), numbers(3)).recording;
  const std::string path = temporary("program");
  for (const bool same : {true, false}) {
    std::ofstream(path, std::ios::binary)
        << "\x7f"
        << "ELF other things " << device::ptx_header() + (same ? device::kAdd : ".visible .entry none() {}");
    const auto code = ProgramCode::read(path);
    const Outcome outcome = replay(recording, {}, &*code);
    EXPECT_EQ(outcome.done.ok(), same);
    if (!same) {
      EXPECT_THAT(outcome.done.error().to_string(), HasSubstr("device code that is not in the program"));
    }
  }
  unlink(path.c_str());
}

TEST(Replay, OfARecordingWithoutItsEndIsNotComplete) {
  const std::string recording = explicit_copies(numbers(0), numbers(3)).recording;
  constexpr size_t kEndBytes = 9;
  const Outcome outcome = replay(recording.substr(0, recording.size() - kEndBytes));
  EXPECT_TRUE(outcome.done.ok());
  EXPECT_FALSE(outcome.complete);
}

TEST(Replay, EveryTruncationIsAnErrorOrIncomplete) {
  const std::string recording = explicit_copies(numbers(0), numbers(3)).recording;
  for (size_t length = 0; length < recording.size(); length += 1 + length / 50) {
    const Outcome outcome = replay(recording.substr(0, length));
    EXPECT_FALSE(outcome.done.ok() && outcome.complete) << length;
  }
}

TEST(Replay, DamagedRecordingsAreErrorsOrOtherWork) {
  const std::string recording = explicit_copies(numbers(0), numbers(3)).recording;
  for (size_t at = 0; at < recording.size(); at += 1 + at / 20) {
    for (const unsigned char with : {0x01, 0x80, 0xFF}) {
      std::string damaged = recording;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ with);
      (void)replay(damaged);  // ends
    }
  }
}

TEST(Replay, BytesThatAreNoRecordingAreNamed) {
  EXPECT_THAT(replay("something else").done.error().to_string(), HasSubstr("is no recording"));
  EXPECT_THAT(replay("").done.error().to_string(), HasSubstr("is no recording"));
}

TEST(Recording, EndsAtItsLimit) {
  const std::string path = temporary("limit");
  {
    auto made = Writer::create(path, 100);
    const auto writer = std::move(made).value();
    writer->write(Uploaded{.device = 0, .kind = 1, .dst = {}, .shape = {}, .payload = std::string(1000, 'x')});
    writer->write(Ended{});
  }
  const std::string content = content_of(path);
  unlink(path.c_str());
  EXPECT_LT(content.size(), 100U);
  Reader reader(std::as_bytes(std::span(content)), "<test>");
  ASSERT_TRUE(reader.check_header().ok());
  const auto event = reader.next();
  ASSERT_TRUE(event.ok() && event->has_value());
  EXPECT_TRUE(std::holds_alternative<TooLarge>(**event));
}

}  // namespace
}  // namespace hpml::sim::replay
