// Two PTX texts that need each other become one module; libraries and their kernels.
#include <string.h>

#include "driver.cuh"

static const char* const kMain = R"(
.version 6.0
.target sm_60
.address_size 64
.extern .func (.param .b32 result) triple (.param .b32 x);
.extern .global .align 4 .u32 offset;
.visible .entry run(.param .u64 out)
{
  .reg .b64 %a; .reg .b32 %r<4>;
  ld.param.u64 %a, [out];
  mov.u32 %r1, %tid.x;
  {
    .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r1;
    call.uni (y), triple, (x);
    ld.param.b32 %r2, [y];
  }
  ld.global.u32 %r3, [offset];
  add.u32 %r2, %r2, %r3;
  mad.wide.u32 %a, %r1, 4, %a;
  st.global.u32 [%a], %r2;
  ret;
}
)";
static const char* const kPart = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .global .align 4 .u32 offset = 100;
.visible .func (.param .b32 result) triple (.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  mul.lo.u32 %r2, %r1, 3;
  st.param.b32 [result], %r2;
  ret;
}
)";

static void run(const char* what, CUfunction function) {
  CUdeviceptr out;
  unsigned host[4];
  DRIVER(cuMemAlloc(&out, sizeof(host)));
  void* parameters[] = {&out};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters, 0));
  DRIVER(cuMemcpyDtoH(host, out, sizeof(host)));
  printf("%s: %u %u %u %u\n", what, host[0], host[1], host[2], host[3]);
  DRIVER(cuMemFree(out));
}

int main() {
  use_primary_context();
  CUlinkState link;
  void* cubin;
  size_t size;
  DRIVER(cuLinkCreate(0, NULL, NULL, &link));
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)kMain, strlen(kMain) + 1, "main.ptx", 0, NULL, NULL));
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)kPart, strlen(kPart), "part.ptx", 0, NULL, NULL));
  DRIVER(cuLinkComplete(link, &cubin, &size));
  CUmodule module;
  CUfunction function;
  DRIVER(cuModuleLoadData(&module, cubin));
  DRIVER(cuLinkDestroy(link));
  DRIVER(cuModuleGetFunction(&function, module, "run"));
  run("linked", function);

  char log[300] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof(log)};
  DRIVER(cuLinkCreate(2, options, values, &link));
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)kMain, strlen(kMain) + 1, "main.ptx", 0, NULL, NULL));
  printf("a part is missing: %d\n", cuLinkComplete(link, &cubin, &size) != CUDA_SUCCESS);
  printf("the log names what is: %d\n", strstr(log, "offset") != NULL);
  DRIVER(cuLinkDestroy(link));
  printf("destroyed: %s\n", named(cuLinkComplete(link, &cubin, &size)));

  CUlibrary library;
  CUkernel kernel;
  DRIVER(cuLibraryLoadData(&library, "// one part\n.version 6.0\n.target sm_60\n.address_size 64\n"
                                     ".visible .entry run(.param .u64 out)\n{\n"
                                     "  .reg .b64 %a; .reg .b32 %r;\n  ld.param.u64 %a, [out];\n"
                                     "  mov.u32 %r, %tid.x;\n  mad.wide.u32 %a, %r, 4, %a;\n"
                                     "  st.global.u32 [%a], %r;\n  ret;\n}\n",
                           NULL, NULL, 0, NULL, NULL, 0));
  DRIVER(cuLibraryGetKernel(&kernel, library, "run"));
  DRIVER(cuKernelGetFunction(&function, kernel));
  run("library", function);
  run("kernel as function", (CUfunction)kernel);
  DRIVER(cuLibraryUnload(library));
  return 0;
}
