// What these programs share. Each holds many cases; `PROGRAM CASE bad` plants the one defect of the case, `PROGRAM CASE
// good` is its correct twin. What must be found is written beside the line it is expected at:
//   // FIND case: kind [thread=(x,y,z)] [block=(x,y,z)] [distance=N] [other=label]
// and `// LABEL label` marks the other line of a hazard. A line of its own that says FIND names a finding of the host.
// MAY instead of FIND: follows from the defect when the warps run in one order, not in another.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

struct Case {
  const char* name;
  void (*run)(bool bad);
};

template <class T>
T* filled(size_t n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemset(p, 0, n * sizeof(T));
  return p;
}

inline int run_cases(int argc, char** argv, const Case* cases, size_t count) {
  for (size_t i = 0; argc == 3 && i < count; ++i) {
    if (strcmp(cases[i].name, argv[1]) == 0) {
      cases[i].run(strcmp(argv[2], "bad") == 0);
      cudaDeviceSynchronize();
      return 0;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    printf("%s\n", cases[i].name);
  }
  return 0;
}
