#pragma once
// What libgpusim_preload.so asks the runtime library, which hands these functions to gpusim_connect() when it starts.
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#define HPML_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace hpml::sim::preload {

struct Hooks {
  // Whether the calling thread is in the program's code, not in the runtime's. The others are asked only then.
  bool (*in_program)();
  int64_t (*read_clock)();         // simulated nanoseconds since the start of the program
  void (*advance_clock)(int64_t);  // nanoseconds
  // How many bytes from an address on belong to managed memory, in one allocation, and at most `bytes`.
  size_t (*managed_bytes)(const void* address, size_t bytes);
  // sigaction(SIGSEGV, wanted, old), either of which may be null; false: the C library is to be asked.
  bool (*segv_action)(const struct sigaction* wanted, struct sigaction* old);
};

// Null before the runtime has connected itself, and inside it: then a function does what the C library's does.
const Hooks* hooks();

// The C library's own function.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace hpml::sim::preload

HPML_INTERPOSED void gpusim_connect(const hpml::sim::preload::Hooks* hooks);
