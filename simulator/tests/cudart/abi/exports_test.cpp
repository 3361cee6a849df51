// The three libraries as the dynamic loader sees them.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace {

struct Library {
  const char* soname;
  std::vector<const char*> lists;  // of names it must export
  int version;
};

std::vector<std::string> names_in(const std::string& list) {
  std::ifstream in(std::string(HPML_SOURCE_DIR) + "/simulator/cudart/abi/" + list);
  std::vector<std::string> names;
  for (std::string name; std::getline(in, name);) {
    names.push_back(name);
  }
  EXPECT_FALSE(names.empty()) << list;
  return names;
}

class Exports : public testing::TestWithParam<Library> {
 protected:
  void SetUp() override {
    const std::string path = std::string(HPML_BINARY_DIR) + "/lib/" + GetParam().soname;
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle_, nullptr) << dlerror();
  }
  void* handle_ = nullptr;  // never closed: the library registers an exit handler
};

TEST_P(Exports, EveryNameUnderTheVersionNodeOfItsSoname) {
  for (const char* list : GetParam().lists) {
    for (const std::string& name : names_in(list)) {
      EXPECT_NE(dlvsym(handle_, name.c_str(), GetParam().soname), nullptr) << name;
    }
  }
}

TEST_P(Exports, NothingElseOfOurs) {
  EXPECT_EQ(dlvsym(handle_, "_ZN4hpml3sim6cudart7Runtime3getEv", GetParam().soname), nullptr);
}

TEST_P(Exports, TheStateIsOneForAllLibrariesOfTheProcess) {
  void* other = dlopen((std::string(HPML_BINARY_DIR) + "/lib/libcudart.so.12").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(other, nullptr) << dlerror();
  auto* allocate = reinterpret_cast<int (*)(void**, size_t)>(dlsym(handle_, "cudaMalloc"));
  auto* release = reinterpret_cast<int (*)(void*)>(dlsym(other, "cudaFree"));
  void* pointer = nullptr;
  EXPECT_EQ(allocate(&pointer, 64), 0);
  EXPECT_EQ(release(pointer), 0);
}

TEST_P(Exports, TheRuntimeVersionIsThatOfTheMajor) {
  auto* get_version = reinterpret_cast<int (*)(int*)>(dlsym(handle_, "cudaRuntimeGetVersion"));
  int version = 0;
  EXPECT_EQ(get_version(&version), 0);
  EXPECT_EQ(version, GetParam().version);
}

TEST_P(Exports, MissingFunctionsNameThemselvesOnceAndReturn801) {
  auto* missing = reinterpret_cast<int (*)()>(dlsym(handle_, "cudaExternalMemoryGetMappedBuffer"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(missing(), 801);
  EXPECT_EQ(missing(), 801);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(told.find("gpusim: cudaExternalMemoryGetMappedBuffer is not supported by the simulated runtime: "), 0u)
      << told;
  EXPECT_EQ(told.find('\n'), told.size() - 1) << told;
  auto* last_error = reinterpret_cast<int (*)()>(dlsym(handle_, "cudaGetLastError"));
  EXPECT_EQ(last_error(), 801);
}

INSTANTIATE_TEST_SUITE_P(Majors, Exports,
                         testing::Values(Library{"libcudart.so.11.0", {"exports_13.txt", "exports_11_12.txt"}, 11080},
                                         Library{"libcudart.so.12", {"exports_13.txt", "exports_11_12.txt"}, 12080},
                                         Library{"libcudart.so.13", {"exports_13.txt"}, 13000}),
                         [](const auto& info) {
                           return std::string("cudart_") + std::to_string(info.param.version / 1000);
                         });

}  // namespace
