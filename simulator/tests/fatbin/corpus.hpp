#pragma once
// The committed fat binaries, built from corpus/tiny.cu by corpus/make_corpus.sh.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace hpml::sim::fatbin {

inline const std::vector<std::string> kCorpus = {"default", "size",     "speed", "none",    "rdc",
                                                 "debug",   "lineinfo", "multi", "ptxonly", "noptx"};

inline std::string corpus_file(const std::string& name) {
  std::ifstream in(std::string(HPML_SOURCE_DIR) + "/simulator/tests/fatbin/corpus/" + name + ".fatbin",
                   std::ios::binary);
  EXPECT_TRUE(in.is_open()) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::span<const std::byte> bytes_of(const std::string& data) {
  return std::as_bytes(std::span<const char>(data.data(), data.size()));
}

}  // namespace hpml::sim::fatbin
