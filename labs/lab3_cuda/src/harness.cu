// Given, do not modify.
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "cuda_check.h"

namespace {

const size_t kGuardBytes = 4096;
const unsigned char kPoison = 0xFF;  // a float or a double of such bytes is NaN

// Position of the first byte that is no longer poison; `bytes` if all are.
size_t first_written(const char* device, size_t bytes) {
  std::vector<unsigned char> copy(bytes);
  CUDA_CHECK(cudaMemcpy(copy.data(), device, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < bytes; ++i) {
    if (copy[i] != kPoison) {
      return i;
    }
  }
  return bytes;
}

}  // namespace

long read_number(const char* program, const char* what, const char* text, long low, long high) {
  char* end = NULL;
  const long value = text != NULL ? strtol(text, &end, 10) : 0;
  if (text == NULL || end == text || *end != '\0' || value < low || value > high) {
    fprintf(stderr, "%s: %s must be a whole number from %ld to %ld, not '%s'\n", program, what, low, high,
            text != NULL ? text : "");
    exit(2);
  }
  return value;
}

bool chosen_numbers(unsigned long* numbers, int count) {
  const char* text = getenv("HPML_DATA");
  if (text == NULL) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    char* end = NULL;
    numbers[i] = strtoul(text, &end, 10);
    if (end == text || (i + 1 < count && *end != ',')) {
      fprintf(stderr, "HPML_DATA must hold %d numbers with commas between them\n", count);
      exit(2);
    }
    text = end + 1;
  }
  return true;
}

void dump_result(const void* data, size_t bytes) {
  const char* path = getenv("HPML_DUMP");
  if (path == NULL) {
    return;
  }
  FILE* file = fopen(path, "wb");
  const bool written = file != NULL && fwrite(data, 1, bytes, file) == bytes;
  if (file == NULL || fclose(file) != 0 || !written) {
    fprintf(stderr, "cannot write the results to %s\n", path);
    exit(3);
  }
}

void* guarded_alloc(size_t bytes) {
  char* whole = NULL;
  CUDA_CHECK(cudaMalloc(&whole, bytes + 2 * kGuardBytes));
  CUDA_CHECK(cudaMemset(whole, kPoison, bytes + 2 * kGuardBytes));
  return whole + kGuardBytes;
}

void guarded_poison(void* pointer, size_t bytes) { CUDA_CHECK(cudaMemset(pointer, kPoison, bytes)); }

long guarded_written(const void* pointer, size_t bytes) {
  const char* data = static_cast<const char*>(pointer);
  const size_t behind = first_written(data + bytes, kGuardBytes);
  if (behind < kGuardBytes) {
    return static_cast<long>((bytes + behind) / sizeof(float));
  }
  const size_t before = first_written(data - kGuardBytes, kGuardBytes);
  return -static_cast<long>((kGuardBytes - before) / sizeof(float));
}

void guarded_free(void* pointer) { CUDA_CHECK(cudaFree(static_cast<char*>(pointer) - kGuardBytes)); }
