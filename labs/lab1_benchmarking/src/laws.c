// E3 and E4: the laws of parallel speed-up, and the three means.
#define LAB1_USAGE                                                                                      \
  "amdahl F P | gustafson F P | karpflatt S P | strong TS TP P | weak T1 TP | need F T TARGET | overhead F K | " \
  "mean a|h|g X... | throughput OPS T..."
#include "lab1.h"

// BEGIN STUDENT
// Step 1. One function per law. F lies in [0, 1], P is at least 1, times and speed-ups are above 0; anything else is a
//         call of lab1_usage().
// END STUDENT

int main(int argc, char **argv) {
  if (argc < 3) {
    lab1_usage(argv[0]);
  }
  // BEGIN STUDENT
  // Step 2. Choose by argv[1], read the numbers, print one line: %.6f, or "impossible" where no speed-up is enough.
  printf("0.000000\n");
  // END STUDENT
  return 0;
}
