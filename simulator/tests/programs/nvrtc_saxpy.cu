// A template compiled at run time, its names, a header in memory, a variable; then what cannot be compiled.
#include <nvrtc.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "driver.cuh"

static const char* const kSource = R"(
#include "factor.h"
namespace ns { __constant__ float bias[4]; }
template <class T> __global__ void saxpy(const T* x, T* y, T a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + FACTOR * y[i] + ns::bias[i % 4];
  }
}
)";

// The GPU's own: a cubin runs on no other major version.
static std::string machine() {
  CUdevice device;
  int major = 0, minor = 0;
  use_primary_context();
  DRIVER(cuCtxGetDevice(&device));
  DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  return "sm_" + std::to_string(10 * major + minor);
}

static std::string log_of(nvrtcProgram program) {
  size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, &log[0]);
  return log;
}

static void run(const char* image, const char* kernel, const char* variable) {
  use_primary_context();
  CUmodule module;
  CUfunction function;
  CUdeviceptr bias, x, y;
  size_t bytes;
  int n = 100;
  DRIVER(cuModuleLoadData(&module, image));
  DRIVER(cuModuleGetFunction(&function, module, kernel));
  DRIVER(cuModuleGetGlobal(&bias, &bytes, module, variable));
  const float values[4] = {0.5f, 0, 0, 0.25f};
  DRIVER(cuMemcpyHtoD(bias, values, bytes));
  std::vector<float> host(n, 1);
  DRIVER(cuMemAlloc(&x, n * sizeof(float)));
  DRIVER(cuMemAlloc(&y, n * sizeof(float)));
  DRIVER(cuMemcpyHtoD(x, host.data(), n * sizeof(float)));
  DRIVER(cuMemcpyHtoD(y, host.data(), n * sizeof(float)));
  float a = 3;
  void* parameters[] = {&x, &y, &a, &n};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
  DRIVER(cuMemcpyDtoH(host.data(), y, n * sizeof(float)));
  printf("saxpy %g %g %g\n", host[0], host[1], host[99]);
}

static void failures() {
  nvrtcProgram program;
  size_t size;
  nvrtcCreateProgram(&program, "__global__ void k() { int x = undefined_name; }", "wrong.cu", 0, NULL, NULL);
  printf("wrong source: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, NULL)));
  const std::string log = log_of(program);
  printf("the log names it %d, and the program %d\n", log.find("undefined_name") != std::string::npos,
         log.find("wrong.cu") != std::string::npos);
  const char* const unknown[] = {"--no-such-option"};
  printf("wrong option: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 1, unknown)));
  printf("no cubin: %d\n", nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS && size == 0);
  nvrtcDestroyProgram(&program);
  printf("destroyed %d\n", program == NULL);
}

// "x.h" is found in the working folder without an option; by a name of its own, for this program may run twice at a
// time.
static void quoted_include() {
  const std::string name = "nvrtc_saxpy." + std::to_string(getpid()) + ".tmp.h";
  FILE* file = fopen(name.c_str(), "w");
  fputs("#define ANSWER 42\n", file);
  fclose(file);
  nvrtcProgram program;
  const std::string source = "#include \"" + name + "\"\n__global__ void k(int* x) { *x = ANSWER; }";
  nvrtcCreateProgram(&program, source.c_str(), "quoted.cu", 0, NULL, NULL);
  printf("quoted: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, NULL)));
  const char* const no_source[] = {"-no-source-include"};
  printf("without: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 1, no_source)));
  nvrtcDestroyProgram(&program);
  remove(name.c_str());
}

int main() {
  const char* const headers[] = {"#define FACTOR 2\n"};
  const char* const header_names[] = {"factor.h"};
  const std::string architecture = "--gpu-architecture=" + machine();
  const char* const options[] = {architecture.c_str(), "-std=c++17", "-DUNUSED=1"};
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kSource, "saxpy.cu", 1, headers, header_names);
  nvrtcAddNameExpression(program, "saxpy<float>");
  nvrtcAddNameExpression(program, "&ns::bias");
  const char* name = NULL;
  printf("too early: %s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, "saxpy<float>", &name)));
  const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  printf("compiled: %s\n", nvrtcGetErrorString(result));
  if (result != NVRTC_SUCCESS) {
    printf("%s\n", log_of(program).c_str());
    return 1;
  }
  size_t size;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> ptx(size);
  nvrtcGetPTX(program, ptx.data());
  nvrtcGetLoweredName(program, "saxpy<float>", &name);
  const std::string kernel = name;
  nvrtcGetLoweredName(program, "&ns::bias", &name);
  const std::string variable = name;
  printf("%s %s\n", kernel.c_str(), variable.c_str());
  printf("not asked for: %s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, "saxpy<double>", &name)));
  printf("too late: %s\n", nvrtcGetErrorString(nvrtcAddNameExpression(program, "saxpy<double>")));
  nvrtcGetCUBINSize(program, &size);
  std::vector<char> cubin(size);
  nvrtcGetCUBIN(program, cubin.data());
  printf("cubin %.3s, machine %d\n", &cubin[1], cubin[18] & 255);
  nvrtcDestroyProgram(&program);
  run(ptx.data(), kernel.c_str(), variable.c_str());
  run(cubin.data(), kernel.c_str(), variable.c_str());
  quoted_include();
  failures();
  return 0;
}
