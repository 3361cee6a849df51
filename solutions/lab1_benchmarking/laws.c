// E3 and E4: the laws of parallel speed-up, and the three means.
#define LAB1_USAGE                                                                                      \
  "amdahl F P | gustafson F P | karpflatt S P | strong TS TP P | weak T1 TP | need F T TARGET | overhead F K | " \
  "mean a|h|g X... | throughput OPS T..."
#include <math.h>

#include "lab1.h"

static const char *program;

// The number a word stands for; it must lie in [low, high], or above low where that is asked.
static double number(const char *text, double low, double high, int above) {
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(value) || value < low || value > high || (above && value == low)) {
    lab1_usage(program);
  }
  return value;
}

static double fraction(const char *text) { return number(text, 0.0, 1.0, 0); }
static double processors(const char *text) { return number(text, 1.0, INFINITY, 0); }
static double positive(const char *text) { return number(text, 0.0, INFINITY, 1); }

static double amdahl(char **x) {
  const double f = fraction(x[0]), p = processors(x[1]);
  return 1.0 / ((1.0 - f) + f / p);
}

static double gustafson(char **x) {
  const double f = fraction(x[0]), p = processors(x[1]);
  return p - (1.0 - f) * (p - 1.0);
}

static double karpflatt(char **x) {
  const double s = positive(x[0]), p = number(x[1], 1.0, INFINITY, 1);
  return (1.0 / s - 1.0 / p) / (1.0 - 1.0 / p);
}

static double strong(char **x) { return positive(x[0]) / (positive(x[1]) * processors(x[2])); }
static double weak(char **x) { return positive(x[0]) / positive(x[1]); }

// How much faster the part F of the time T must become for the whole to take TARGET; infinite when it cannot.
static double need(char **x) {
  const double f = fraction(x[0]), t = positive(x[1]), left = positive(x[2]) - (1.0 - f) * t;
  return left > 0.0 ? f * t / left : INFINITY;
}

static double overhead(char **x) {
  const double f = fraction(x[0]);
  return sqrt(f / positive(x[1]));
}

static double mean(int count, char **x) {
  const int geometric = strcmp(x[0], "g") == 0, harmonic = strcmp(x[0], "h") == 0;
  if (count < 2 || (!geometric && !harmonic && strcmp(x[0], "a") != 0)) {
    lab1_usage(program);
  }
  double sum = 0.0;
  for (int i = 1; i < count; i++) {
    const double value = geometric || harmonic ? positive(x[i]) : number(x[i], -INFINITY, INFINITY, 0);
    sum += geometric ? log(value) : harmonic ? 1.0 / value : value;  // a product of 1000 ratios would overflow
  }
  const double average = sum / (count - 1);
  return geometric ? exp(average) : harmonic ? 1.0 / average : average;
}

// Equal work in every run: all operations by all time, not the mean of the rates.
static double throughput(int count, char **x) {
  double time = 0.0;
  for (int i = 1; i < count; i++) {
    time += positive(x[i]);
  }
  if (count < 2) {
    lab1_usage(program);
  }
  return positive(x[0]) * (count - 1) / time;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int arguments;
    double (*law)(char **);
  } laws[] = {{"amdahl", 2, amdahl}, {"gustafson", 2, gustafson}, {"karpflatt", 2, karpflatt}, {"strong", 3, strong},
              {"weak", 2, weak},     {"need", 3, need},           {"overhead", 2, overhead}};
  program = argv[0];
  if (argc < 3) {
    lab1_usage(program);
  }
  double result = NAN;
  for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
    if (strcmp(argv[1], laws[i].name) == 0 && argc == 2 + laws[i].arguments) {
      result = laws[i].law(argv + 2);
    }
  }
  if (strcmp(argv[1], "mean") == 0) {
    result = mean(argc - 2, argv + 2);
  } else if (strcmp(argv[1], "throughput") == 0) {
    result = throughput(argc - 2, argv + 2);
  }
  if (isnan(result)) {
    lab1_usage(program);
  }
  if (isinf(result)) {
    printf("impossible\n");
  } else {
    printf("%.6f\n", result);
  }
  return 0;
}
