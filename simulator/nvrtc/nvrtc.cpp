// The entry points of libnvrtc. The same for all majors but for the version.
#include <stdio.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "simulator/nvrtc/program.hpp"

#define HPML_NVRTC_API extern "C" __attribute__((visibility("default")))

namespace hpml::sim::nvrtc {
namespace {

// Virtual architectures that the compilers here can aim at.
constexpr std::array kArchitectures = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

std::mutex mutex;

std::map<void*, std::unique_ptr<Program>>& programs() {
  static auto* live = new std::map<void*, std::unique_ptr<Program>>();
  return *live;
}

// `body(Program&) -> Status`
template <class Body>
int program_call(void* handle, Body body) {
  const std::lock_guard lock(mutex);
  const auto found = programs().find(handle);
  return static_cast<int>(found != programs().end() ? body(*found->second) : Status::invalid_program);
}

int give_size(void* handle, size_t* size, const std::string& (Program::*text)() const) {
  return program_call(handle, [&](Program& program) {
    return size != nullptr ? (*size = (program.*text)().size() + 1, Status::success) : Status::invalid_input;
  });
}

int give_text(void* handle, char* out, const std::string& (Program::*text)() const) {
  return program_call(handle, [&](Program& program) {
    if (out == nullptr) {
      return Status::invalid_input;
    }
    const std::string& value = (program.*text)();
    std::memcpy(out, value.c_str(), value.size() + 1);
    return Status::success;
  });
}

int refuse(const char* function, const char* what) {
  fprintf(stderr, "gpusim: %s: %s is not supported, because the simulated GPU runs PTX: use nvrtcGetPTX\n", function,
          what);
  return static_cast<int>(Status::internal_error);
}

}  // namespace
}  // namespace hpml::sim::nvrtc

using namespace hpml::sim::nvrtc;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_NVRTC_API const char* nvrtcGetErrorString(int status) { return status_name(status); }

HPML_NVRTC_API int nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) {
    return static_cast<int>(Status::invalid_input);
  }
  *major = HPML_NVRTC_MAJOR;
  *minor = HPML_NVRTC_MINOR;
  return 0;
}
HPML_NVRTC_API int nvrtcGetNumSupportedArchs(int* count) {
  return count != nullptr ? (*count = static_cast<int>(kArchitectures.size()), 0)
                          : static_cast<int>(Status::invalid_input);
}
HPML_NVRTC_API int nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) {
    return static_cast<int>(Status::invalid_input);
  }
  std::copy(kArchitectures.begin(), kArchitectures.end(), architectures);
  return 0;
}

HPML_NVRTC_API int nvrtcCreateProgram(void** handle, const char* source, const char* name, int count,
                                      const char* const* headers, const char* const* names) {
  if (handle == nullptr || source == nullptr || count < 0 || (count > 0 && (headers == nullptr || names == nullptr))) {
    return static_cast<int>(Status::invalid_input);
  }
  std::vector<Header> all;
  for (int i = 0; i < count; ++i) {
    all.push_back({names[i], headers[i]});
  }
  auto program = std::make_unique<Program>(source, name != nullptr ? name : "", std::move(all));
  const std::lock_guard lock(mutex);
  *handle = program.get();
  programs().emplace(*handle, std::move(program));
  return 0;
}
HPML_NVRTC_API int nvrtcDestroyProgram(void** handle) {
  const std::lock_guard lock(mutex);
  if (handle == nullptr || programs().erase(*handle) == 0) {
    return static_cast<int>(Status::invalid_program);
  }
  *handle = nullptr;
  return 0;
}
HPML_NVRTC_API int nvrtcCompileProgram(void* handle, int count, const char* const* options) {
  return program_call(handle, [&](Program& program) {
    if (count < 0 || (count > 0 && options == nullptr)) {
      return Status::invalid_input;
    }
    return program.compile(std::vector<std::string>(options, options + count));
  });
}

HPML_NVRTC_API int nvrtcGetPTXSize(void* handle, size_t* size) { return give_size(handle, size, &Program::ptx); }
HPML_NVRTC_API int nvrtcGetPTX(void* handle, char* ptx) { return give_text(handle, ptx, &Program::ptx); }
HPML_NVRTC_API int nvrtcGetProgramLogSize(void* handle, size_t* size) { return give_size(handle, size, &Program::log); }
HPML_NVRTC_API int nvrtcGetProgramLog(void* handle, char* log) { return give_text(handle, log, &Program::log); }

HPML_NVRTC_API int nvrtcAddNameExpression(void* handle, const char* expression) {
  return program_call(handle, [&](Program& program) {
    return expression != nullptr ? program.add_name_expression(expression) : Status::invalid_input;
  });
}
HPML_NVRTC_API int nvrtcGetLoweredName(void* handle, const char* expression, const char** name) {
  return program_call(handle, [&](Program& program) {
    return expression != nullptr && name != nullptr ? program.lowered_name(expression, name) : Status::invalid_input;
  });
}

// NVRTC User Guide: the size is 0 where -arch names a virtual architecture.
HPML_NVRTC_API int nvrtcGetCUBINSize(void* handle, size_t* size) {
  return program_call(handle, [&](Program& program) {
    return size != nullptr ? (*size = program.cubin().size(), Status::success) : Status::invalid_input;
  });
}
HPML_NVRTC_API int nvrtcGetCUBIN(void* handle, char* cubin) {
  return program_call(handle, [&](Program& program) {
    if (cubin == nullptr) {
      return Status::invalid_input;
    }
    std::memcpy(cubin, program.cubin().data(), program.cubin().size());
    return Status::success;
  });
}

HPML_NVRTC_API int nvrtcGetLTOIRSize(void*, size_t*) { return refuse("nvrtcGetLTOIRSize", "LTO IR"); }
HPML_NVRTC_API int nvrtcGetLTOIR(void*, char*) { return refuse("nvrtcGetLTOIR", "LTO IR"); }
HPML_NVRTC_API int nvrtcGetNVVMSize(void*, size_t*) { return refuse("nvrtcGetNVVMSize", "NVVM IR"); }
HPML_NVRTC_API int nvrtcGetNVVM(void*, char*) { return refuse("nvrtcGetNVVM", "NVVM IR"); }
HPML_NVRTC_API int nvrtcGetOptiXIRSize(void*, size_t*) { return refuse("nvrtcGetOptiXIRSize", "OptiX IR"); }
HPML_NVRTC_API int nvrtcGetOptiXIR(void*, char*) { return refuse("nvrtcGetOptiXIR", "OptiX IR"); }
