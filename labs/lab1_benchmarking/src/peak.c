// E2: how many floating-point operations per second. Run: peak CORES GHZ FLOP_PER_CYCLE
#define LAB1_USAGE "CORES GHZ FLOP_PER_CYCLE   (positive numbers: [e2] of answers.toml)"
#include "lab1.h"

static double positive(const char *program, const char *text) {
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0.0 && value < 1e9)) {
    lab1_usage(program);
  }
  return value;
}

enum { VALUES = 192 };  // as many floats as twelve of the widest vectors hold; x begins at a multiple of 64 bytes

// x[i] = x[i] * factor + step, `rounds` times, for each of the VALUES numbers x. Not static: the grader also calls it, with
// numbers of its own.
void peak(long rounds, float factor, float step, float *x);

// BEGIN STUDENT
// Step 1. peak() on vectors: at least 8 of them at a time stay in registers for all rounds, because an operation takes
//         about 4 cycles and two can start in each. Wider vectors where the processor has them.
// END STUDENT

int main(int argc, char **argv) {
  if (argc != 4) {
    lab1_usage(argv[0]);
  }
  const double cores = positive(argv[0], argv[1]), ghz = positive(argv[0], argv[2]);
  const double flop_per_cycle = positive(argv[0], argv[3]);
  (void)cores;
  (void)ghz;
  (void)flop_per_cycle;
  // BEGIN STUDENT
  // Step 2. The peak by formula. Step 3. What one core reaches: the best of some bursts of some milliseconds.
  const double formula = 0.0, measured = 0.0;
  // END STUDENT
  printf("Formula: %.3f GFLOP/s\n", formula);
  printf("Measured: %.3f GFLOP/s\n", measured);
  return 0;
}
