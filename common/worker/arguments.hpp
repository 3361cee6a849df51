#pragma once
#include <string>
#include <vector>

namespace hpml::worker {

// The words of the command line. The first call starts the program once more, without them: a worker is a copy of its
// program, and code in it could read in /proc/self/cmdline, or on the stack, which of its runs is the one that counts.
// For the first line of main(); never returns in the first process.
std::vector<std::string> unseen_arguments(int argc, char** argv);

}  // namespace hpml::worker
