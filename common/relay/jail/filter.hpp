#pragma once
// The system calls that a rank may make: read and write on its socket and output pipes, memory of its own, and exit.
// Nothing among them reaches a file, another process, another socket or a clock. Needs no privileges.
namespace hpml::relay::jail {

// What the one execve() of a child is called with. Its addresses are the permission: the program that it starts knows
// none of them, so it cannot start another.
struct Start {
  const char* program;
  char* const* arguments;
  char* const* environment;
};

// In a child of the launcher, before its program starts: allows the list of calls of filter.cpp and the one execve();
// every other call raises SIGSYS, which ends a process without a handler for it. Also takes the clock away where the
// processor and the kernel can (amd64; arm64 since Linux 6.12). False: the kernel refuses; errno says why.
bool install_filter(const Start& start);

// In the rank, once the handler of SIGSYS is in place: from now on handlers cannot be changed either.
bool close_filter();

}  // namespace hpml::relay::jail
