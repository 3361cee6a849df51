#pragma once
// Ends of the program that are not exit(): a signal. The report is still written, then the signal takes its course.

#include <cstdint>

namespace hpml::sim::cudart {

// `report(signal, address)` is called once, on a thread of its own: the crashed one may hold locks of the C library.
// address: that the program accessed, where the signal is SIGSEGV or SIGBUS; else UINT64_MAX.
void install_crash_reporter(void (*report)(int signal, uint64_t address));

}  // namespace hpml::sim::cudart
