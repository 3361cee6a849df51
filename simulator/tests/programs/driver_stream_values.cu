// Memory operations of streams: a stream waits for a value, which another stream, a kernel or the host writes later, and
// what stands behind the wait is not carried out before.
#include "check.cuh"
#include "driver.cuh"

__global__ void add(int* p, int v) { *p += v; }
__global__ void multiply(int* p, int v) { *p *= v; }

int value_of(const int* device) {
  int value = 0;
  CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

cudaStream_t new_stream() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

int main() {
  use_primary_context();
  // Kernels are loaded when they are first launched, which may wait for streams that wait themselves (CUDA C++
  // Programming Guide, "Lazy Loading": concurrent execution).
  cudaFuncAttributes loaded;
  CHECK(cudaFuncGetAttributes(&loaded, add));
  CHECK(cudaFuncGetAttributes(&loaded, multiply));
  int* words = device_array<int>(16);
  const CUdeviceptr flag = reinterpret_cast<CUdeviceptr>(words + 8);
  cudaStream_t waits = new_stream(), writes = new_stream(), follows = new_stream();
  cudaEvent_t behind;
  CHECK(cudaEventCreate(&behind));

  DRIVER(cuStreamWaitValue32(waits, flag, 5, CU_STREAM_WAIT_VALUE_GEQ));
  add<<<1, 1, 0, waits>>>(words, 3);
  CHECK(cudaEventRecord(behind, waits));
  CHECK(cudaStreamWaitEvent(follows, behind, 0));
  multiply<<<1, 1, 0, follows>>>(words, 10);
  add<<<1, 1, 0, writes>>>(words, 1);
  CHECK(cudaStreamSynchronize(writes));
  printf("held: %d %d %d\n", cudaStreamQuery(waits), cudaEventQuery(behind), cudaStreamQuery(follows));
  DRIVER(cuStreamWriteValue32(writes, flag, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cudaStreamSynchronize(writes));
  printf("4 is less than 5: %d\n", cudaStreamQuery(waits));
  DRIVER(cuStreamWriteValue32(writes, flag, 6, CU_STREAM_WRITE_VALUE_DEFAULT));
  CHECK(cudaStreamSynchronize(follows));
  printf("(1 + 3) * 10 = %d\n", value_of(words));

  DRIVER(cuStreamWaitValue32(waits, flag, 9, CU_STREAM_WAIT_VALUE_EQ));
  multiply<<<1, 1, 0, waits>>>(words, 2);
  add<<<1, 1, 0, writes>>>(words + 8, 3);
  CHECK(cudaStreamSynchronize(waits));
  printf("after a kernel's store: %d\n", value_of(words));

  unsigned int* host = nullptr;
  CHECK(cudaHostAlloc(&host, 64, cudaHostAllocMapped));
  host[0] = 0;
  CUdeviceptr mapped = 0;
  DRIVER(cuMemHostGetDevicePointer(&mapped, host, 0));
  DRIVER(cuStreamWaitValue32(waits, mapped, 2, CU_STREAM_WAIT_VALUE_AND));
  add<<<1, 1, 0, waits>>>(words, 1);
  host[0] = 3;
  CHECK(cudaStreamSynchronize(waits));
  printf("after the host's: %d\n", value_of(words));

  DRIVER(cuStreamWriteValue64(waits, flag, 0x500000007ull, 0));
  CHECK(cudaStreamSynchronize(waits));
  printf("64 bits: %d %d\n", value_of(words + 8), value_of(words + 9));
  DRIVER(cuStreamWaitValue64(waits, flag, 0x500000007ull, CU_STREAM_WAIT_VALUE_EQ));
  CUstreamBatchMemOpParams both[2] = {};
  both[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  both[0].waitValue.address = flag;
  both[0].waitValue.value = 7;
  both[0].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  both[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  both[1].writeValue.address = flag + 4;
  both[1].writeValue.value = 11;
  DRIVER(cuStreamBatchMemOp(waits, 2, both, 0));
  CHECK(cudaStreamSynchronize(waits));
  printf("in a batch: %d\n", value_of(words + 9));
  printf("not aligned: %s\n", named(cuStreamWriteValue32(waits, flag + 2, 1, 0)));
  return 0;
}
