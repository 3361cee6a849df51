// Expected values: what `ptxas -v` of nvcc 13.0 prints for corpus/tiny.cu.
#include "simulator/cudart/fatbin/cubin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/cudart/fatbin/container.hpp"
#include "simulator/cudart/fatbin/select.hpp"
#include "simulator/tests/cudart/fatbin/corpus.hpp"

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

}  // namespace
}  // namespace hpml::sim::fatbin
