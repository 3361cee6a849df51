// Does a worker in Python speak the protocol, and is its memory sealed as well?
#include "common/worker/python.hpp"

#include <filesystem>
#include <fstream>

#include "doubling.hpp"

namespace hpml::worker {
namespace {

Answer<std::unique_ptr<Host>> python(const std::string& adapter, const std::vector<std::string>& arguments = {}) {
  const std::string path = testing::TempDir() + "adapter" + std::to_string(getpid()) + ".py";
  std::ofstream(path) << adapter;
  auto host = Host::start(floats(), python_worker(floats(), path, arguments));
  std::filesystem::remove(path);
  return host;
}

TEST(Python, AnAdapterAnswersRequests) {
  auto host = python(R"(
import struct, sys
def serve(operation, words, inputs, outputs):
    n = words[0]
    numbers = struct.unpack(f"<{n}f", inputs[0][-4 * n:])
    outputs[0][-4 * n:] = struct.pack(f"<{n}f", *(number * int(sys.argv[1]) for number in numbers))
)",
                     {"3"});
  ASSERT_TRUE(host.ok());
  for (const float value : {1.0F, 2.0F}) {
    std::fill_n((*host)->buffers().input<float>(0, kFloats), kFloats, value);
    std::vector<float> result(kFloats);
    const Output output{0, std::as_writable_bytes(std::span(result))};
    ASSERT_TRUE((*host)->ask({.words = {kFloats}}, {&output, 1}).ok());
    EXPECT_EQ(result, std::vector<float>(kFloats, 3 * value));
  }
}

// Each way to write to the inputs or to change the size of a file that succeeds is one bit of the answer.
TEST(Python, MemoryCanNeitherBeResizedNorInputsBeWritten) {
  auto host = python(R"(
import mmap, os
def tried(number, attempt):
    try:
        attempt()
        return 1 << number
    except (OSError, TypeError, ValueError):
        return 0
def serve(operation, words, inputs, outputs):
    attempts = [lambda: mmap.mmap(5, 0), lambda: os.pwrite(5, b"x", 0), lambda: inputs[0].__setitem__(0, 1),
                lambda: mmap.mmap(os.open("/proc/self/fd/5", os.O_RDWR), 0),
                *(lambda file=file, size=size: os.ftruncate(file, size) for file in (5, 6) for size in (0, 1 << 20))]
    outputs[0][-1] = sum(tried(number, attempt) for number, attempt in enumerate(attempts))
)");
  ASSERT_TRUE(host.ok());
  std::byte made{0xFF};
  const Output output{0, {&made, 1}};
  ASSERT_TRUE((*host)->ask({}, {&output, 1}).ok());
  EXPECT_EQ(made, std::byte{0});
}

TEST(Python, AnAdapterThatCannotBeImportedOrRaisesIsAFailure) {
  EXPECT_EQ(python("raise SystemExit(0)").error().status, kFailed);
  auto host = python("def serve(*all): return 1 / 0");
  ASSERT_TRUE(host.ok());
  std::vector<float> result(kFloats);
  EXPECT_EQ(ask(**host, result).error().status, kFailed);
}

TEST(Python, ACommandThatIsNotThereIsOurFault) {
  EXPECT_EQ(Host::start(floats(), std::vector<std::string>{"/no/such/python"}).error().status, kOurFault);
}

}  // namespace
}  // namespace hpml::worker
