#pragma once
// What gpusim itself ends with. `gpusim run` passes the program's own status through.

namespace hpml::sim::cli {

enum ExitCode : int {
  kDone = 0,
  kFailed = 1,    // the thing under test failed
  kUsage = 2,     // bad options or input: one clear line
  kOurFault = 3,  // our own or the machine's fault
};

}  // namespace hpml::sim::cli
