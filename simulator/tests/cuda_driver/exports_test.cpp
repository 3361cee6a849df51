// libcuda.so.1 as the dynamic loader and cuGetProcAddress see it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Row {
  std::string name, symbol, per_thread;
  int since = 0;
};

std::vector<Row> rows() {
  std::ifstream in(std::string(HPML_SOURCE_DIR) + "/simulator/cuda_driver/entry_points.tsv");
  std::vector<Row> all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("cu")) {
      Row row;
      std::istringstream(line) >> row.name >> row.since >> row.symbol >> row.per_thread;
      all.push_back(row);
    }
  }
  EXPECT_GT(all.size(), 500u);
  return all;
}

class Driver : public testing::Test {
 protected:
  void SetUp() override {
    library_ = dlopen(HPML_BINARY_DIR "/lib/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    get_ = reinterpret_cast<Get>(symbol("cuGetProcAddress_v2"));
    ASSERT_NE(get_, nullptr);
  }
  void* symbol(const std::string& name) { return dlsym(library_, name.c_str()); }

  using Get = int (*)(const char*, void**, int, uint64_t, int*);
  void* library_ = nullptr;  // never closed: the library registers an exit handler
  Get get_ = nullptr;
};

TEST_F(Driver, ExportsEveryFormOfEveryName) {
  for (const Row& row : rows()) {
    EXPECT_NE(symbol(row.symbol), nullptr) << row.symbol;
    if (row.per_thread != "-") {
      EXPECT_NE(symbol(row.per_thread), nullptr) << row.per_thread;
    }
  }
}

TEST_F(Driver, DoesNotExportTheRuntime) {
  EXPECT_EQ(symbol("cudaMalloc"), nullptr);
  EXPECT_EQ(symbol("__cudaRegisterFatBinary"), nullptr);
}

TEST_F(Driver, GivesTheNewestFormThatTheAskingVersionKnows) {
  void* function = nullptr;
  int status = -1;
  EXPECT_EQ(get_("cuCtxCreate", &function, 3020, 0, &status), 0);
  EXPECT_EQ(function, symbol("cuCtxCreate_v2"));
  EXPECT_EQ(get_("cuCtxCreate", &function, 12040, 0, &status), 0);
  EXPECT_EQ(function, symbol("cuCtxCreate_v3"));
  EXPECT_EQ(get_("cuCtxCreate", &function, 13000, 0, &status), 0);
  EXPECT_EQ(function, symbol("cuCtxCreate_v4"));
  EXPECT_EQ(status, 0);
}

TEST_F(Driver, GivesTheFormForPerThreadStreamsWhenAskedTo) {
  void* function = nullptr;
  int status = -1;
  EXPECT_EQ(get_("cuLaunchKernel", &function, 12000, 2, &status), 0);
  EXPECT_EQ(function, symbol("cuLaunchKernel_ptsz"));
  EXPECT_EQ(get_("cuMemcpyHtoD", &function, 12000, 2, &status), 0);
  EXPECT_EQ(function, symbol("cuMemcpyHtoD_v2_ptds"));
  EXPECT_EQ(get_("cuMemAlloc", &function, 12000, 2, &status), 0);
  EXPECT_EQ(function, symbol("cuMemAlloc_v2"));
}

TEST_F(Driver, TellsWhyAFunctionIsNotThere) {
  constexpr int kNotFound = 500, kUnknown = 1, kTooOld = 2;
  void* function = &function;
  int status = -1;
  EXPECT_EQ(get_("cuNoSuchFunction", &function, 12000, 0, &status), kNotFound);
  EXPECT_EQ(status, kUnknown);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(get_("cuLibraryLoadData", &function, 11000, 0, &status), kNotFound);
  EXPECT_EQ(status, kTooOld);
  EXPECT_EQ(get_("cuGraphicsMapResources", &function, 12000, 0, &status), kNotFound);  // exported, but a stub
  EXPECT_EQ(status, kUnknown);
  EXPECT_EQ(get_(nullptr, &function, 12000, 0, &status), 1);
}

TEST_F(Driver, MissingFunctionsNameThemselvesOnceAndReturn801) {
  auto* missing = reinterpret_cast<int (*)()>(symbol("cuGraphicsMapResources"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(missing(), 801);
  EXPECT_EQ(missing(), 801);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(told.find("gpusim: cuGraphicsMapResources is not supported"), 0u) << told;
  EXPECT_EQ(told.find('\n'), told.size() - 1) << told;
}

TEST_F(Driver, TheStaticRuntimeIsToldToBeSharedInstead) {
  auto* get_table = reinterpret_cast<int (*)(const void**, const void*)>(symbol("cuGetExportTable"));
  const void* table = &table;
  const char id[16] = {};
  testing::internal::CaptureStderr();
  EXPECT_EQ(get_table(&table, id), 801);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("-cudart shared"), std::string::npos);
  EXPECT_EQ(table, nullptr);
}

TEST_F(Driver, NamesItsErrors) {
  auto* name_of = reinterpret_cast<int (*)(int, const char**)>(symbol("cuGetErrorName"));
  auto* text_of = reinterpret_cast<int (*)(int, const char**)>(symbol("cuGetErrorString"));
  const char* text = nullptr;
  EXPECT_EQ(name_of(700, &text), 0);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(text_of(201, &text), 0);
  EXPECT_STREQ(text, "invalid device context");
  EXPECT_EQ(name_of(12345, &text), 1);
  EXPECT_EQ(text, nullptr);
}

}  // namespace
