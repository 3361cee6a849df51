// Images that are none, and the log of the compiler (ours says the line as FILE:7:9:, ptxas as "line 7;").
#include <string.h>

#include "driver.cuh"

static const char* const kUndefined = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry broken()
{
  .reg .b32 %r<2>;
  add.s32 %r1, %r1, %missing;
  ret;
}
)";

int main() {
  CUmodule module;
  printf("before cuInit: %s\n", named(cuModuleLoadData(&module, kUndefined)));
  DRIVER(cuInit(0));
  printf("without a context: %s\n", named(cuModuleLoadData(&module, kUndefined)));
  use_primary_context();

  char log[400] = "", info[100] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                            CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS, CU_JIT_OPTIMIZATION_LEVEL,
                            CU_JIT_LOG_VERBOSE};
  void* values[] = {log, (void*)sizeof(log), info, (void*)sizeof(info), (void*)32, (void*)4, (void*)1};
  printf("undefined register: %s\n", named(cuModuleLoadDataEx(&module, kUndefined, 7, options, values)));
  printf("the log names it: %d, its line: %d, its length is given: %d\n", strstr(log, "%missing") != NULL,
         strstr(log, ":7:") != NULL || strstr(log, "line 7;") != NULL, (size_t)values[1] == strlen(log));
  printf("info log: '%s'\n", info);

  char tiny[8];
  values[0] = tiny;
  values[1] = (void*)sizeof(tiny);
  cuModuleLoadDataEx(&module, kUndefined, 2, options, values);
  printf("a short log is cut: %zu of %zu\n", strlen(tiny), (size_t)values[1]);

  printf("no PTX: %s\n", named(cuModuleLoadDataEx(&module, "this is no module at all", 2, options, values)));
  printf("machine code: %s\n", named(cuModuleLoadDataEx(&module, "\177ELF\2\1\1", 2, options, values)));
  const char* const mistaken = ".version 8.0\n.target sm_60\n.address_size 64\n.visible .entry k() {\n  ads.s32 1;\n}\n";
  printf("no such instruction: %s\n", named(cuModuleLoadDataEx(&module, mistaken, 0, NULL, NULL)));
  options[0] = (CUjit_option)1000;
  printf("unknown option: %s\n", named(cuModuleLoadDataEx(&module, kUndefined, 1, options, values)));
  printf("no such file: %s\n", named(cuModuleLoad(&module, "/does/not/exist.ptx")));

  FILE* file = fopen("driver_bad_images.tmp.ptx", "w");
  fputs(".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry fine() { ret; }\n", file);
  fclose(file);
  CUfunction fine;
  DRIVER(cuModuleLoad(&module, "driver_bad_images.tmp.ptx"));
  DRIVER(cuModuleGetFunction(&fine, module, "fine"));
  DRIVER(cuLaunchKernel(fine, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
  printf("from a file: %s\n", named(cuCtxSynchronize()));
  remove("driver_bad_images.tmp.ptx");
  return 0;
}
