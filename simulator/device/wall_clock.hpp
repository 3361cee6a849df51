#pragma once
namespace hpml::sim::device {

// Real seconds, for limits on our own run time only. Asks the kernel directly: under `gpusim run` the C library's
// clocks show simulated time.
double wall_seconds();

}  // namespace hpml::sim::device
