#pragma once
// Why a measuring program gives no answer, and the exit status it then ends with.
#include <string>

#include "common/base/result.hpp"

namespace hpml::worker {

inline constexpr int kFailed = 1, kUsage = 2, kOurFault = 3;  // kFailed: the student's part ended or did not load
inline constexpr int kPolicy = 4, kWrong = 5;  // the grader's verdict depends on these: hpml_autograder/worker_runs.py

struct Failure {
  int status = kFailed;
  std::string text;  // one line; empty: the worker process itself has said it
};

template <class T>
using Answer = Result<T, Failure>;

// kOurFault, with the reason that the system gave for its last call.
Failure system_failure(const std::string& what);

}  // namespace hpml::worker
