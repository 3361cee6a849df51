// Given: the command line, the vectors and the clock of dp1.c, dp2.c and dp3.c. The grader uses its own copy.
#ifndef LAB1_H
#define LAB1_H
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef LAB1_USAGE  // a program with other arguments defines its own before it includes this file
#define LAB1_USAGE "N REPS [--data ones|probe|ints] [--times FILE]   (N: 1 to 2^40, REPS: 2 to 1000000)"
#endif
#define LAB1_MAX_N (1LL << 40)
#define LAB1_MAX_REPS 1000000LL

typedef struct {
  long n;             // elements of each vector
  long reps;          // how often the kernel is timed
  const char *data;   // ones, probe or ints
  const char *times;  // file for one time per repetition, or NULL
} Lab1Options;

// Tells the compiler that somebody may read and change *pointer here: nothing before may be left out or moved behind.
#define LAB1_KEEP(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")

static inline void lab1_usage(const char *program) {
  fprintf(stderr, "usage: %s %s\n", program, LAB1_USAGE);
  exit(2);
}

// A whole number between low and high, or the usage line.
static inline long lab1_number(const char *program, const char *text, long long low, long long high) {
  char *end = NULL;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < low || value > high) {
    lab1_usage(program);
  }
  return (long)value;
}

static inline Lab1Options lab1_options(int argc, char **argv) {
  Lab1Options options = {0, 0, "ones", NULL};
  if (argc < 3 || argc % 2 == 0) {
    lab1_usage(argv[0]);
  }
  options.n = lab1_number(argv[0], argv[1], 1, LAB1_MAX_N);
  options.reps = lab1_number(argv[0], argv[2], 2, LAB1_MAX_REPS);
  for (int i = 3; i < argc; i += 2) {
    if (strcmp(argv[i], "--data") == 0) {
      options.data = argv[i + 1];
    } else if (strcmp(argv[i], "--times") == 0) {
      options.times = argv[i + 1];
    } else {
      lab1_usage(argv[0]);
    }
  }
  if (strcmp(options.data, "ones") != 0 && strcmp(options.data, "probe") != 0 && strcmp(options.data, "ints") != 0) {
    lab1_usage(argv[0]);
  }
  return options;
}

// count elements of the given size, or one line and exit status 1.
static inline void *lab1_allocate(long count, size_t size) {
  void *memory = malloc((size_t)count * size);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %ld elements of %zu bytes\n", count, size);
    exit(1);
  }
  return memory;
}

// Writes every element: memory that was never written is one shared page of zeros, and would be read from the cache.
static inline void lab1_fill(const Lab1Options *options, float *a, float *b) {
  const int ints = strcmp(options->data, "ints") == 0;
  for (long i = 0; i < options->n; i++) {
    a[i] = ints ? (float)((7 * i + 3) % 5 - 1) : 1.0f;
    b[i] = ints ? (float)((11 * i + 1) % 7 - 2) : 1.0f;
  }
  if (strcmp(options->data, "probe") == 0) {
    a[0] = b[0] = 4096.0f;
  }
}

static inline int64_t lab1_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// One line per time.
static inline void lab1_save(const char *path, const int64_t *ns, long count) {
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(1);
  }
  for (long i = 0; i < count; i++) {
    fprintf(file, "%lld\n", (long long)ns[i]);
  }
  fclose(file);
}

// One line per repetition, when --times was given.
static inline void lab1_write_times(const Lab1Options *options, const int64_t *ns) {
  if (options->times != NULL) {
    lab1_save(options->times, ns, options->reps);
  }
}
#endif
