// libcublas.so as a program's loader sees it: every name of NVIDIA's library, what is missing says so.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace {

void* library() {
  static void* const runtime = dlopen(HPML_BINARY_DIR "/lib/libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
  static void* const opened =
      runtime != nullptr ? dlopen(HPML_BINARY_DIR "/lib/libcublas.so.13", RTLD_NOW | RTLD_LOCAL) : nullptr;
  return opened;
}

TEST(CublasExports, everyNameOfTheListIsThere) {
  ASSERT_NE(library(), nullptr) << dlerror();
  std::ifstream list(HPML_SOURCE_DIR "/simulator/cublas/exports.txt");
  std::string name;
  int names = 0;
  while (std::getline(list, name)) {
    EXPECT_NE(dlsym(library(), name.c_str()), nullptr) << name;
    ++names;
  }
  EXPECT_GT(names, 700);
}

TEST(CublasExports, aRoutineThatIsMissingSaysItsName) {
  ASSERT_NE(library(), nullptr) << dlerror();
  const auto missing = reinterpret_cast<int (*)()>(dlsym(library(), "cublasZgelsBatched"));
  ASSERT_NE(missing, nullptr);
  testing::internal::CaptureStderr();
  EXPECT_EQ(missing(), 15);  // CUBLAS_STATUS_NOT_SUPPORTED
  EXPECT_NE(testing::internal::GetCapturedStderr().find("not supported: cublasZgelsBatched"), std::string::npos);
}

}  // namespace
