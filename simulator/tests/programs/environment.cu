// A program keeps its environment, its name and its arguments, also in constructors of globals and in what it starts.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cstdio>

#include "check.cuh"

extern char** environ;

static bool has_path() { return getenv("PATH") != nullptr; }

static const bool early = has_path();

__global__ void store(int* place) { *place = 7; }

int main(int count, char** arguments) {
  int* place = nullptr;
  int stored = 0;
  CHECK(cudaMalloc(&place, sizeof(int)));
  store<<<1, 1>>>(place);
  CHECK(cudaMemcpy(&stored, place, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(place));
  setenv("A_NAME_OF_THIS_PROGRAM", "seven", 1);
  printf("stored: %d, arguments: %d\n", stored, count);
  printf("environment: %d early, %d in main, %d as a list\n", early, has_path(), environ != nullptr);
  printf("name: %s, %d\n", program_invocation_short_name, strcmp(program_invocation_name, arguments[0]));
  fflush(stdout);
  return system("echo \"in a shell: $A_NAME_OF_THIS_PROGRAM, ${PATH:+a path}\"");
}
