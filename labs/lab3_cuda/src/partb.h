#pragma once
// Given, do not modify: what the three programs of part B share. The grader replaces this file by its own copy.
#include <stddef.h>

// What the user typed: vecaddcpu K [--n COUNT], vecaddgpu0x GRID BLOCK K [--n COUNT].
struct Options {
  long k;        // millions of elements
  int grid;      // number of blocks; 0 means: as many as n needs, your program computes it
  int block;     // threads per block
  size_t n;      // elements: k * 1000000, or COUNT
};

// Both stop the program with exit code 2 and one line of explanation when the arguments make no sense.
Options read_cpu_options(int argc, char** argv);
Options read_gpu_options(int argc, char** argv);

// Milliseconds since some fixed moment; subtract two of them.
double now_ms();

// x[i] = i mod 1024, y[i] = 2 * (i mod 1000); the grader also uses other numbers. Always get your inputs here.
void fill_inputs(float* x, float* y, size_t n);

// The output lines, in the format that the grader and the chart command read.
void print_size(const Options& options);                      // K: 1 million
void print_shape(const Options& options, unsigned grid);      // K: 1 million, Grid size: 3907, Block size: 256
void print_ms(const char* label, double milliseconds);        // Execution Time             : 0.062900 millisec
// Checksum: S0 S1 with S0 = sum of z[i], S1 = sum of z[i] * (1 + i mod 7). Takes z in host-readable memory.
void print_checksum(const float* z, size_t n);
