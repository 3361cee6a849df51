// Modules, libraries, the linker. Included by cuda.h inside extern "C".
#pragma once

CUresult cuModuleLoad(CUmodule* __module, const char* __path);
CUresult cuModuleLoadData(CUmodule* __module, const void* __image);
CUresult cuModuleLoadDataEx(CUmodule* __module, const void* __image, unsigned int __count, CUjit_option* __options,
                            void** __values);
CUresult cuModuleLoadFatBinary(CUmodule* __module, const void* __image);
CUresult cuModuleUnload(CUmodule __module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* __mode);
CUresult cuModuleGetFunction(CUfunction* __function, CUmodule __module, const char* __name);
CUresult cuModuleGetGlobal(CUdeviceptr* __address, size_t* __bytes, CUmodule __module, const char* __name);
CUresult cuModuleGetFunctionCount(unsigned int* __count, CUmodule __module);
CUresult cuModuleEnumerateFunctions(CUfunction* __functions, unsigned int __count, CUmodule __module);

CUresult cuLinkCreate(unsigned int __count, CUjit_option* __options, void** __values, CUlinkState* __state);
CUresult cuLinkAddData(CUlinkState __state, CUjitInputType __type, void* __data, size_t __size, const char* __name,
                       unsigned int __count, CUjit_option* __options, void** __values);
CUresult cuLinkAddFile(CUlinkState __state, CUjitInputType __type, const char* __path, unsigned int __count,
                       CUjit_option* __options, void** __values);
CUresult cuLinkComplete(CUlinkState __state, void** __cubin, size_t* __size);
CUresult cuLinkDestroy(CUlinkState __state);

CUresult cuLibraryLoadData(CUlibrary* __library, const void* __code, CUjit_option* __options, void** __values,
                           unsigned int __count, CUlibraryOption* __library_options, void** __library_values,
                           unsigned int __library_count);
CUresult cuLibraryLoadFromFile(CUlibrary* __library, const char* __path, CUjit_option* __options, void** __values,
                               unsigned int __count, CUlibraryOption* __library_options, void** __library_values,
                               unsigned int __library_count);
CUresult cuLibraryUnload(CUlibrary __library);
CUresult cuLibraryGetKernel(CUkernel* __kernel, CUlibrary __library, const char* __name);
CUresult cuLibraryGetKernelCount(unsigned int* __count, CUlibrary __library);
CUresult cuLibraryEnumerateKernels(CUkernel* __kernels, unsigned int __count, CUlibrary __library);
CUresult cuLibraryGetModule(CUmodule* __module, CUlibrary __library);
CUresult cuLibraryGetGlobal(CUdeviceptr* __address, size_t* __bytes, CUlibrary __library, const char* __name);
CUresult cuLibraryGetManaged(CUdeviceptr* __address, size_t* __bytes, CUlibrary __library, const char* __name);
CUresult cuKernelGetFunction(CUfunction* __function, CUkernel __kernel);
CUresult cuKernelGetLibrary(CUlibrary* __library, CUkernel __kernel);
CUresult cuKernelGetAttribute(int* __value, CUfunction_attribute __attr, CUkernel __kernel, CUdevice __device);
CUresult cuKernelSetAttribute(CUfunction_attribute __attr, int __value, CUkernel __kernel, CUdevice __device);
CUresult cuKernelSetCacheConfig(CUkernel __kernel, CUfunc_cache __config, CUdevice __device);
CUresult cuKernelGetName(const char** __name, CUkernel __kernel);
CUresult cuKernelGetParamInfo(CUkernel __kernel, size_t __index, size_t* __offset, size_t* __size);
