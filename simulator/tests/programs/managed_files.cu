// Managed memory that the GPU has used last goes through files, pipes and streams as other memory does. A system call does not
// fault as an access of the program does.
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "check.cuh"

constexpr int kCount = 20000;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void add_one(int* x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) {
    ++x[i];
  }
}

static int* data;

static int* after_gpu() {
  add_one<<<(kCount + 255) / 256, 256>>>(data);
  check_launch();
  return data;
}

static void report(const char* what, bool moved) { printf("%s: %s, %d\n", what, moved ? "all" : "NOT ALL", data[kCount - 1]); }

int main() {
  CHECK(cudaMallocManaged(&data, kBytes));
  for (int i = 0; i < kCount; ++i) {
    data[i] = i;
  }
  const auto bytes = static_cast<ssize_t>(kBytes);
  FILE* file = tmpfile();
  const int fd = fileno(file);
  report("fwrite", fwrite(after_gpu(), sizeof(int), kCount, file) == kCount && fflush(file) == 0);
  rewind(file);
  report("fread", fread(after_gpu(), sizeof(int), kCount, file) == kCount);
  report("pwrite", pwrite(fd, after_gpu(), kBytes, 0) == bytes);
  after_gpu();
  report("pread", pread(fd, after_gpu(), kBytes, 0) == bytes);
  int* const now = after_gpu();
  const iovec parts[] = {{now, kBytes / 2}, {now + kCount / 2, kBytes / 2}};
  lseek(fd, 0, SEEK_SET);
  report("writev", writev(fd, parts, 2) == bytes);
  fclose(file);
  int ends[2];
  report("pipe", pipe(ends) == 0 && write(ends[1], after_gpu(), 4096) == 4096 && read(ends[0], after_gpu(), 4096) == 4096);
  const char* const name = "managed_files.tmp";
  std::ofstream(name, std::ios::binary).write(reinterpret_cast<const char*>(after_gpu()), bytes);
  after_gpu();
  report("stream", static_cast<bool>(std::ifstream(name, std::ios::binary).read(reinterpret_cast<char*>(after_gpu()), bytes)));
  remove(name);
  CHECK(cudaFree(data));
}
