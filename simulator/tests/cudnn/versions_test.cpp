// libcudnn.so.8 and .9 are made of the same objects: what differs between them asks for the version at run time.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace {

template <class Function>
Function* find(const char* library, const char* name) {
  void* const opened = dlopen((HPML_BINARY_DIR "/lib/" + std::string(library)).c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(opened, nullptr) << dlerror();
  return opened != nullptr ? reinterpret_cast<Function*>(dlsym(opened, name)) : nullptr;
}

struct Version {
  const char* library;
  size_t number;
  int null_pointer;  // CUDNN_STATUS_BAD_PARAM, which cuDNN 9 divides
  int missing;       // CUDNN_STATUS_NOT_SUPPORTED
  const char* name_of_2;
};

void PrintTo(const Version& version, std::ostream* out) { *out << version.library; }

class CudnnVersions : public testing::TestWithParam<Version> {};

TEST_P(CudnnVersions, saysItsOwnNumberAndStatuses) {
  const Version& version = GetParam();
  const auto number = find<size_t()>(version.library, "cudnnGetVersion");
  const auto create = find<int(void*)>(version.library, "cudnnCreateTensorDescriptor");
  const auto missing = find<int()>(version.library, "cudnnRNNForward");
  const auto name = find<const char*(int)>(version.library, "cudnnGetErrorString");
  ASSERT_TRUE(number != nullptr && create != nullptr && missing != nullptr && name != nullptr);
  EXPECT_EQ(number(), version.number);
  EXPECT_EQ(create(nullptr), version.null_pointer);
  testing::internal::CaptureStderr();
  EXPECT_EQ(missing(), version.missing);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("cudnnRNNForward"), std::string::npos);
  EXPECT_STREQ(name(version.missing), "CUDNN_STATUS_NOT_SUPPORTED");
  EXPECT_STREQ(name(2), version.name_of_2);
}

INSTANTIATE_TEST_SUITE_P(, CudnnVersions,
                         testing::Values(Version{"libcudnn.so.8", 8907, 3, 9, "CUDNN_STATUS_ALLOC_FAILED"},
                                         Version{"libcudnn.so.9", 91000, 2002, 3000, "CUDNN_UNKNOWN_STATUS"}));

}  // namespace
