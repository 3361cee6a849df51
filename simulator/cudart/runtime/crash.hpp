#pragma once
// Ends of the program that are not exit(): a signal. The report is still written, then the signal takes its course.

namespace hpml::sim::cudart {

// `report(signal)` is called once, on a thread of its own: the crashed one may hold locks of the C library.
void install_crash_reporter(void (*report)(int signal));

}  // namespace hpml::sim::cudart
