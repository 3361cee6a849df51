// Given, do not modify. The grader replaces this file by its own copy.
#include "partb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

namespace {

const long kMaxMillions = 2000;

[[noreturn]] void usage(const char* program, const char* arguments, const char* problem) {
  fprintf(stderr, "%s: %s\nusage: %s %s K [--n COUNT]   (K: millions of elements, 1 to %ld)\n", program, problem,
          program, arguments, kMaxMillions);
  exit(2);
}

bool parse_number(const char* text, long low, long high, long* value) {
  char* end = nullptr;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0' && *value >= low && *value <= high;
}

// Reads "K [--n COUNT]" from position first on.
void read_size(int argc, char** argv, int first, const char* arguments, Options* options) {
  if (!parse_number(argv[first], 1, kMaxMillions, &options->k)) {
    usage(argv[0], arguments, "K must be a whole number of millions");
  }
  options->n = static_cast<size_t>(options->k) * 1000000;
  if (argc == first + 1) {
    return;
  }
  long count = 0;
  if (argc != first + 3 || strcmp(argv[first + 1], "--n") != 0) {
    usage(argv[0], arguments, "after K only --n COUNT may follow");
  }
  if (!parse_number(argv[first + 2], 1, kMaxMillions * 1000000, &count)) {
    usage(argv[0], arguments, "COUNT must be a whole number, 1 or more");
  }
  options->n = static_cast<size_t>(count);
}

// x[i] = (a i + b) mod 1024, y[i] = 2 ((c i + d) mod 1000). The grader chooses a, b, c, d with HPML_DATA="a,b,c,d" so
// that a program cannot know its result beforehand. All sums stay exact: x + y <= 3021.
struct DataRule {
  unsigned long a = 1, b = 0, c = 1, d = 0;
};

DataRule data_rule() {
  DataRule rule;
  const char* text = getenv("HPML_DATA");
  if (text != nullptr && sscanf(text, "%lu,%lu,%lu,%lu", &rule.a, &rule.b, &rule.c, &rule.d) != 4) {
    fprintf(stderr, "HPML_DATA must be four numbers a,b,c,d, not '%s'\n", text);
    exit(2);
  }
  return rule;
}

// The grader compares every element with its own sum; it names the file in HPML_DUMP.
void dump(const float* z, size_t n) {
  const char* path = getenv("HPML_DUMP");
  if (path == nullptr) {
    return;
  }
  FILE* file = fopen(path, "wb");
  const bool written = file != nullptr && fwrite(z, sizeof(float), n, file) == n;
  if (file == nullptr || fclose(file) != 0 || !written) {
    fprintf(stderr, "cannot write the results to %s\n", path);
    exit(3);
  }
}

}  // namespace

Options read_cpu_options(int argc, char** argv) {
  Options options = {};
  if (argc < 2) {
    usage(argv[0], "", "K is missing");
  }
  read_size(argc, argv, 1, "", &options);
  return options;
}

Options read_gpu_options(int argc, char** argv) {
  Options options = {};
  long grid = 0;
  long block = 0;
  if (argc < 4) {
    usage(argv[0], "GRID BLOCK", "GRID, BLOCK and K are needed");
  }
  if (!parse_number(argv[1], 0, 2147483647, &grid)) {
    usage(argv[0], "GRID BLOCK", "GRID must be 0 (as many blocks as n needs) or the number of blocks");
  }
  if (!parse_number(argv[2], 1, 1024, &block)) {
    usage(argv[0], "GRID BLOCK", "BLOCK must be 1 to 1024 threads");
  }
  options.grid = static_cast<int>(grid);
  options.block = static_cast<int>(block);
  read_size(argc, argv, 3, "GRID BLOCK", &options);
  return options;
}

double now_ms() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void fill_inputs(float* x, float* y, size_t n) {
  const DataRule rule = data_rule();
  size_t x_index = rule.b % 1024;
  size_t y_index = rule.d % 1000;
  for (size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(x_index);
    y[i] = static_cast<float>(2 * y_index);
    x_index = (x_index + rule.a) % 1024;
    y_index = (y_index + rule.c) % 1000;
  }
}

void print_size(const Options& options) { printf("K: %ld million\n", options.k); }

void print_shape(const Options& options, unsigned grid) {
  printf("K: %ld million, Grid size: %u, Block size: %d\n", options.k, grid, options.block);
}

void print_ms(const char* label, double milliseconds) { printf("%-26s : %.6f millisec\n", label, milliseconds); }

void print_checksum(const float* z, size_t n) {
  double s0 = 0;
  double s1 = 0;
  for (size_t i = 0; i < n; ++i) {
    s0 += z[i];
    s1 += static_cast<double>(z[i]) * static_cast<double>(1 + i % 7);
  }
  printf("Checksum: %.0f %.0f\n", s0, s1);
  dump(z, n);
}
