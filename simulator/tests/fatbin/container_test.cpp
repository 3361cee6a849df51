#include "simulator/fatbin/container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/tests/fatbin/corpus.hpp"

namespace hpml::sim::fatbin {
namespace {

using testing::HasSubstr;

const Entry* first_ptx(const std::vector<Entry>& entries) {
  const auto it = std::ranges::find_if(entries, &Entry::is_ptx);
  return it == entries.end() ? nullptr : &*it;
}

std::string ptx_of(const std::string& file) {
  const auto entries = read_containers(bytes_of(file), "<test>");
  EXPECT_TRUE(entries.ok());
  const Entry* entry = first_ptx(*entries);
  EXPECT_NE(entry, nullptr);
  const auto text = unpack(*entry, "<test>");
  EXPECT_TRUE(text.ok());
  return *text;
}

TEST(Container, EveryCompressionGivesTheSamePtx) {
  const std::string plain = ptx_of(corpus_file("none"));
  EXPECT_THAT(plain, HasSubstr(".visible .entry scale("));
  EXPECT_EQ(plain.back(), '\n');  // no NUL padding
  EXPECT_EQ(ptx_of(corpus_file("default")), plain);
  EXPECT_EQ(ptx_of(corpus_file("size")), plain);
  EXPECT_EQ(ptx_of(corpus_file("speed")), plain);
  EXPECT_EQ(ptx_of(corpus_file("ptxonly")), plain);
}

TEST(Container, NamesTheCompressionOfEachEntry) {
  const auto compression = [](const std::string& name) {
    const std::string file = corpus_file(name);
    return first_ptx(*read_containers(bytes_of(file), "<test>"))->compression;
  };
  EXPECT_EQ(compression("default"), Compression::zstd);
  EXPECT_EQ(compression("speed"), Compression::lz4);
  EXPECT_EQ(compression("none"), Compression::none);
}

TEST(Container, ReadsHeadersOfSeveralArchitectures) {
  const std::string file = corpus_file("multi");
  const auto entries = read_containers(bytes_of(file), "<test>");
  ASSERT_TRUE(entries.ok());
  std::vector<uint32_t> ptx, elf;
  for (const Entry& entry : *entries) {
    (entry.is_ptx() ? ptx : elf).push_back(entry.sm);
  }
  EXPECT_THAT(ptx, testing::UnorderedElementsAre(80, 90));
  EXPECT_THAT(elf, testing::UnorderedElementsAre(75, 90));
  EXPECT_EQ(first_ptx(*entries)->version_major, 9);
}

TEST(Container, ReadsOptionsAndSourceName) {
  const std::string file = corpus_file("lineinfo");
  const auto entries = read_containers(bytes_of(file), "<test>");
  ASSERT_TRUE(entries.ok());
  EXPECT_THAT(first_ptx(*entries)->options, HasSubstr("--generate-line-info"));
  EXPECT_EQ(first_ptx(*entries)->source_name, "tiny.cu");
}

TEST(Container, ContainersMayFollowEachOther) {
  const std::string one = corpus_file("default");
  const std::string two = one + one;
  EXPECT_EQ(read_containers(bytes_of(two), "<test>")->size(), 2 * read_containers(bytes_of(one), "<test>")->size());
}

TEST(Container, AnEmptyContainerIsLegal) {
  const std::string empty("\x50\xed\x55\xba\x01\x00\x10\x00\0\0\0\0\0\0\0\0", 16);
  const auto entries = read_containers(bytes_of(empty), "<test>");
  ASSERT_TRUE(entries.ok());
  EXPECT_TRUE(entries->empty());
}

TEST(Container, WrongMagicNumbersAreNamed) {
  std::string file = corpus_file("none");
  file[0] = 'x';
  EXPECT_THAT(read_containers(bytes_of(file), "<test>").error().message, HasSubstr("magic number"));
  const std::string ancient("\x01\x5a\xe5\x1e\x01\x00\x10\x00\0\0\0\0\0\0\0\0", 16);
  EXPECT_THAT(read_containers(bytes_of(ancient), "<test>").error().message, HasSubstr("older than 4.0"));
}

TEST(Container, ATruncatedFileIsAnErrorAtEveryLength) {
  for (const std::string& name : kCorpus) {
    const std::string file = corpus_file(name);
    for (size_t length = 0; length < file.size(); ++length) {
      const std::string cut = file.substr(0, length);
      ASSERT_FALSE(read_containers(bytes_of(cut), "<test>").ok()) << name << " cut to " << length;
    }
  }
}

TEST(Container, ADamagedPayloadNamesKindArchitectureAndOffset) {
  std::string file = corpus_file("ptxonly");
  file[file.size() - 40] = static_cast<char>(file[file.size() - 40] ^ 0x55);
  const auto entries = read_containers(bytes_of(file), "<test>");
  ASSERT_TRUE(entries.ok());
  const auto text = unpack(entries->front(), "<test>");
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.error().message, HasSubstr("PTX for sm_75 at offset 16"));
}

TEST(TrimPtx, RemovesBlankLinesBeforeAndPaddingAfter) {
  using namespace std::string_view_literals;
  EXPECT_EQ(trim_ptx("\n \n.version 9.0\n\0\0\0"sv), ".version 9.0\n");
  EXPECT_EQ(trim_ptx("\0\0"sv), "");
}

}  // namespace
}  // namespace hpml::sim::fatbin
