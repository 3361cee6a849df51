#pragma once
// A program that gpusim waits for, because something is to be done after it.
#include <functional>

namespace hpml::sim::cli {

// Runs `become` (which ends in exec or with an exit code) in a child process and waits for its end. Signals that ask us
// to end go to the child. Returns its status as waitpid() gives it.
int run_supervised(const std::function<int()>& become);

// Ends this process as that status tells: with the same exit code, or by the same signal.
int end_alike(int status);

}  // namespace hpml::sim::cli
