// The same checks on what the installed nvcc writes today, so that a new toolkit's format shows here first.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "simulator/fatbin/cubin.hpp"
#include "simulator/fatbin/select.hpp"
#include "simulator/fatbin/wrapper.hpp"
#include "simulator/tests/fatbin/corpus.hpp"

namespace hpml::sim::fatbin {
namespace {

constexpr const char* kSource = "/simulator/tests/fatbin/corpus/tiny.cu";

class Nvcc : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (system("nvcc --version > /dev/null 2>&1") != 0) {
      GTEST_SKIP() << "nvcc is not installed";
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "fatbin_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_);
    }
  }
  std::filesystem::path folder_;
};

TEST_P(Nvcc, OutputIsReadWhole) {
  const std::string out = (folder_ / "out.fatbin").string();
  const std::string command = "nvcc --fatbin " + GetParam() + " -o " + out + " " + HPML_SOURCE_DIR + kSource + " > " +
                              (folder_ / "log").string() + " 2>&1";
  if (system(command.c_str()) != 0) {
    GTEST_SKIP() << "this nvcc does not know " << GetParam();
  }
  std::ifstream in(out, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const auto part = read_part(bytes_of(file), "<nvcc>");
  ASSERT_TRUE(part.ok()) << part.error().to_string();
  for (const Entry& entry : part->entries) {
    const auto bytes = unpack(entry, "<nvcc>");
    ASSERT_TRUE(bytes.ok()) << bytes.error().to_string();
    if (entry.is_ptx()) {
      EXPECT_NE(bytes->find(".entry scale("), std::string::npos);
    } else if (entry.is_elf()) {
      const auto kernels = read_cubin(bytes_of(*bytes), entry.sm, "<nvcc>");
      ASSERT_TRUE(kernels.ok()) << kernels.error().to_string();
      EXPECT_GT(kernels->at("scale").registers, 0u);
      EXPECT_EQ(kernels->at("scale").shared_bytes, 128u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Options, Nvcc,
                         testing::Values("", "-arch=sm_80", "-arch=sm_90", "-compress-mode=size",
                                         "-compress-mode=speed", "-compress-mode=none", "-rdc=true", "-G", "-lineinfo",
                                         "-arch=compute_75", "-gencode arch=compute_75,code=sm_75"));

}  // namespace
}  // namespace hpml::sim::fatbin
