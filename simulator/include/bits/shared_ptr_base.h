// libstdc++ writes __attribute__((__noinline__)) in this header; CUDA's macro of that name would break it
// (clang 14 and 15 have no keyword to replace the macro).
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
