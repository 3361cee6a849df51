#pragma once
// Given, do not modify: what the harness programs of parts A and C share. The grader uses its own copy.
#include <stddef.h>

// The whole number in `text`, between low and high; else one line on stderr and exit code 2.
long read_number(const char* program, const char* what, const char* text, long low, long high);

// Numbers the grader chooses (HPML_DATA="3,5,7,2"), so that no program can know its result beforehand. Takes `count`
// numbers into `numbers` and returns true; false, with the numbers unchanged, when nothing was chosen.
bool chosen_numbers(unsigned long* numbers, int count);

// A number for each index that follows no rule, so that a kernel has to load what it needs; 0 where `chosen` is less than 256.
// The last steps of MurmurHash3 (Appleby).
inline unsigned long scattered(unsigned long index, unsigned long chosen) {
  const unsigned seed = static_cast<unsigned>(chosen >> 8);
  unsigned hash = seed == 0 ? 0 : static_cast<unsigned>(index) * 2654435761U + seed;
  hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
  return hash ^ hash >> 16;
}

// A float from -8 to 8 with all its 24 bits, from such a number and one that follows a rule.
inline float full_float(unsigned long rule, unsigned long drawn) {
  const unsigned bits = static_cast<unsigned>(drawn + (rule << 8)) >> 8;
  return static_cast<float>(static_cast<int>(bits) - (1 << 23)) / static_cast<float>(1 << 20);
}

// Hands the result to the grader, which names the file in HPML_DUMP.
void dump_result(const void* data, size_t bytes);

// Device memory of `bytes` bytes, poisoned, between two guard zones: what a kernel does not write stays NaN, and what
// it writes beside the array is noticed.
void* guarded_alloc(size_t bytes);
void guarded_poison(void* pointer, size_t bytes);
// The first float outside of the array that was written, counted from the array's first; 0: none was.
long guarded_written(const void* pointer, size_t bytes);
void guarded_free(void* pointer);
