// __device__ and __constant__ variables by the address of their host shadow.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

struct FoundSymbol {
  Error error = Error::success;
  device::SymbolInfo info;
};

FoundSymbol find_symbol(Runtime& runtime, Context& context, const void* host) {
  const RegisteredVariable* variable = runtime.registry.variable(host);
  if (variable == nullptr) {
    return {Error::invalid_symbol, {}};
  }
  const LoadedModule module = context.module(*variable->fatbin);
  if (module.error != Error::success) {
    return {module.error, {}};
  }
  const auto info = context.device().find_symbol(module.id, variable->name);
  return info ? FoundSymbol{Error::success, *info} : FoundSymbol{Error::invalid_symbol, {}};
}

}  // namespace

Error symbol_copy_work(Runtime& runtime, Context& context, const void* symbol, size_t offset, CopyWork& copy,
                       bool to_symbol) {
  const FoundSymbol found = find_symbol(runtime, context, symbol);
  if (found.error != Error::success) {
    return found.error;
  }
  if (offset > found.info.size || copy.width > found.info.size - offset) {
    return Error::invalid_value;
  }
  (to_symbol ? copy.dst : copy.src).pointer = reinterpret_cast<void*>(found.info.address + offset);
  return Error::success;
}

namespace {

struct SymbolCopy {
  const void* symbol;
  void* dst;        // from symbol
  const void* src;  // to symbol
  size_t bytes, offset;
  int kind;
};

int symbol_copy(const char* name, const SymbolCopy& request, bool to_symbol, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    CopyWork work = copy_bytes(request.dst, request.src, request.bytes, request.kind);
    const Error error = symbol_copy_work(runtime, context, request.symbol, request.offset, work, to_symbol);
    if (error != Error::success) {
      return error;
    }
    return copy(runtime, work, stream, waiting, record);
  });
}

int to_symbol(const char* name, const SymbolCopy& request, void* stream, Waiting waiting) {
  return symbol_copy(name, request, true, stream, waiting);
}
int from_symbol(const char* name, const SymbolCopy& request, void* stream, Waiting waiting) {
  return symbol_copy(name, request, false, stream, waiting);
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemcpyToSymbol(const void* symbol, const void* src, size_t bytes, size_t offset, int kind) {
  return to_symbol("cudaMemcpyToSymbol", {symbol, nullptr, src, bytes, offset, kind}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyToSymbol_ptds(const void* symbol, const void* src, size_t bytes, size_t offset, int kind) {
  return to_symbol("cudaMemcpyToSymbol", {symbol, nullptr, src, bytes, offset, kind}, per_thread(nullptr),
                   Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t bytes, size_t offset, int kind,
                                          void* stream) {
  return to_symbol("cudaMemcpyToSymbolAsync", {symbol, nullptr, src, bytes, offset, kind}, stream,
                   Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* src, size_t bytes, size_t offset,
                                               int kind, void* stream) {
  return cudaMemcpyToSymbolAsync(symbol, src, bytes, offset, kind, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t bytes, size_t offset, int kind) {
  return from_symbol("cudaMemcpyFromSymbol", {symbol, dst, nullptr, bytes, offset, kind}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyFromSymbol_ptds(void* dst, const void* symbol, size_t bytes, size_t offset, int kind) {
  return from_symbol("cudaMemcpyFromSymbol", {symbol, dst, nullptr, bytes, offset, kind}, per_thread(nullptr),
                     Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t bytes, size_t offset, int kind,
                                            void* stream) {
  return from_symbol("cudaMemcpyFromSymbolAsync", {symbol, dst, nullptr, bytes, offset, kind}, stream,
                     Waiting::asynchronous);
}

HPML_CUDA_API int cudaMemcpyFromSymbolAsync_ptsz(void* dst, const void* symbol, size_t bytes, size_t offset, int kind,
                                                 void* stream) {
  return cudaMemcpyFromSymbolAsync(dst, symbol, bytes, offset, kind, per_thread(stream));
}

HPML_CUDA_API int cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return device_call("cudaGetSymbolAddress", [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (pointer == nullptr) {
      return Error::invalid_value;
    }
    const FoundSymbol found = find_symbol(runtime, context, symbol);
    *pointer = reinterpret_cast<void*>(found.info.address);
    return found.error;
  });
}

HPML_CUDA_API int cudaGetSymbolSize(size_t* size, const void* symbol) {
  return device_call("cudaGetSymbolSize", [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (size == nullptr) {
      return Error::invalid_value;
    }
    const FoundSymbol found = find_symbol(runtime, context, symbol);
    *size = found.info.size;
    return found.error;
  });
}
