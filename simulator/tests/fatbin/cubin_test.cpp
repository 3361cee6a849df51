// Expected values: what `ptxas -v` of nvcc 13.0 prints for corpus/tiny.cu.
#include "simulator/fatbin/cubin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "simulator/fatbin/container.hpp"
#include "simulator/fatbin/select.hpp"
#include "simulator/tests/fatbin/corpus.hpp"

namespace hpml::sim::fatbin {
namespace {

std::map<std::string, KernelResources> kernels_of(const std::string& name, uint32_t sm) {
  const std::string file = corpus_file(name);
  const auto entries = read_containers(bytes_of(file), "<test>");
  const Entry* cubin = choose_cubin(*entries, sm);
  EXPECT_NE(cubin, nullptr);
  EXPECT_EQ(cubin->sm, sm);
  const auto elf = unpack(*cubin, "<test>");
  EXPECT_TRUE(elf.ok());
  const auto kernels = read_cubin(bytes_of(*elf), cubin->sm, "<test>");
  EXPECT_TRUE(kernels.ok());
  return *kernels;
}

std::string said_by(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string said(1 << 16, '\0');
  said.resize(fread(said.data(), 1, said.size(), pipe));
  EXPECT_EQ(pclose(pipe), 0);
  return said;
}

TEST(Cubin, GivesRegistersAndSharedBytesOfTuring) {
  for (const std::string name : {"default", "size", "none", "multi", "rdc"}) {
    auto kernels = kernels_of(name, 75);
    EXPECT_EQ(kernels.size(), 2u) << name;
    EXPECT_EQ(kernels["scale"].registers, 12u) << name;
    EXPECT_EQ(kernels["scale"].shared_bytes, 128u) << name;
    EXPECT_EQ(kernels["nothing"].registers, 5u) << name;
    EXPECT_EQ(kernels["nothing"].shared_bytes, 0u) << name;
  }
}

TEST(Cubin, DoesNotCountTheReservedSharedBytesOfHopper) {
  auto kernels = kernels_of("multi", 90);
  EXPECT_EQ(kernels["scale"].registers, 10u);
  EXPECT_EQ(kernels["scale"].shared_bytes, 128u);
  EXPECT_EQ(kernels["nothing"].registers, 12u);
}

TEST(Cubin, OtherElfFilesAreRefused) {
  const std::string text = "\177ELF and then something else that is long enough to hold a whole header of 64 bytes";
  EXPECT_THAT(read_cubin(bytes_of(text), 75, "<test>").error().message, testing::HasSubstr("no 64-bit CUDA ELF"));
}

TEST(WrittenCubin, GivesItsPtxAndItsSizeBack) {
  const std::string ptx = ".version 7.0\n.visible .entry scale() { ret; }\n";
  const std::string cubin = write_cubin(ptx, 75, {"scale", "other"});
  EXPECT_EQ(ptx_of_cubin(bytes_of(cubin)), ptx);
  EXPECT_EQ(cubin_size((cubin + "what follows").data()), cubin.size());
  const auto kernels = read_cubin(bytes_of(cubin), 75, "<test>");
  ASSERT_TRUE(kernels.ok());
  EXPECT_EQ(kernels->size(), 2U);
  EXPECT_EQ(kernels->at("scale").registers, 0U);  // estimated where it is loaded
}

TEST(WrittenCubin, DamagedOnesHaveNoPtx) {
  const std::string cubin = write_cubin("// ptx", 75, {"scale"});
  for (size_t size = 0; size < cubin.size(); ++size) {
    EXPECT_FALSE(ptx_of_cubin(bytes_of(cubin.substr(0, size))));
  }
  EXPECT_EQ(cubin_size("\177ELF\2\1\1"), 0U);
}

TEST(WrittenCubin, IsAnElfFileToOthers) {
  const std::string path = testing::TempDir() + "written.cubin";
  std::ofstream(path, std::ios::binary) << write_cubin("// ptx", 75, {"scale"});
  const std::string said = said_by("readelf -hSsW " + path + " 2>&1");
  EXPECT_THAT(said, testing::HasSubstr("NVIDIA CUDA architecture"));
  EXPECT_THAT(said, testing::ContainsRegex("FUNC +GLOBAL +DEFAULT .* scale"));
  EXPECT_THAT(said, testing::Not(testing::ContainsRegex("[Ww]arning|[Ee]rror")));
}

}  // namespace
}  // namespace hpml::sim::fatbin
