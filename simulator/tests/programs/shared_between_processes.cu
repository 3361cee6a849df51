// Memory, an event and a pool of one process that another one uses: handles go through a pipe and a socket.
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.cuh"

constexpr int kCount = 3000;

__global__ void add(int* data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] += value; }

struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  cudaMemPoolPtrExportData in_pool;
};

void send_descriptor(int socket, int descriptor, const Message& message) {
  char room[CMSG_SPACE(sizeof descriptor)] = {};
  iovec data = {const_cast<Message*>(&message), sizeof message};
  msghdr header = {};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = room;
  header.msg_controllen = sizeof room;
  cmsghdr* control = CMSG_FIRSTHDR(&header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(control), &descriptor, sizeof descriptor);
  if (sendmsg(socket, &header, 0) != sizeof message) {
    exit(1);
  }
}

int receive_descriptor(int socket, Message& message) {
  int descriptor = -1;
  char room[CMSG_SPACE(sizeof descriptor)] = {};
  iovec data = {&message, sizeof message};
  msghdr header = {};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = room;
  header.msg_controllen = sizeof room;
  if (recvmsg(socket, &header, 0) != sizeof message) {
    exit(1);
  }
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&header)), sizeof descriptor);
  return descriptor;
}

// Adds to what the parent shares, and says what it sees.
void child(int socket) {
  Message message;
  const int descriptor = receive_descriptor(socket, message);
  int *shared = nullptr, *again = nullptr, *in_pool = nullptr;
  CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&shared), message.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&again), message.memory, cudaIpcMemLazyEnablePeerAccess));
  cudaEvent_t event = nullptr;
  CHECK(cudaIpcOpenEventHandle(&event, message.event));
  CHECK(cudaStreamWaitEvent(nullptr, event, 0));
  cudaMemPool_t pool = nullptr;
  CHECK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(static_cast<size_t>(descriptor)),
                                             cudaMemHandleTypePosixFileDescriptor, 0));
  CHECK(cudaMemPoolImportPointer(reinterpret_cast<void**>(&in_pool), pool, &message.in_pool));
  printf("child sees %d and %d, opened again: %d\n", to_host(shared, kCount)[kCount - 1], to_host(in_pool, 10)[9],
         shared == again);
  add<<<kCount / 100, 100>>>(shared, 1000);
  add<<<1, 10>>>(in_pool, 2000);
  check_launch();
  printf("%s\n", cudaGetErrorName(cudaFree(shared)));
  CHECK(cudaIpcCloseMemHandle(shared));
  CHECK(cudaIpcCloseMemHandle(again));
  printf("%s\n", cudaGetErrorName(cudaIpcCloseMemHandle(shared)));
  CHECK(cudaFree(in_pool));
}

void parent(int socket) {
  int *before = device_array<int>(7), *shared = device_array<int>(kCount), *in_pool = nullptr, *own = nullptr;
  CHECK(cudaMemset(before, 0, 7 * sizeof(int)));
  CHECK(cudaMemset(shared, 0, kCount * sizeof(int)));
  add<<<kCount / 100, 100>>>(shared, 5);
  cudaMemPoolProps what = {};
  what.allocType = cudaMemAllocationTypePinned;
  what.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  what.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  CHECK(cudaMemPoolCreate(&pool, &what));
  CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&in_pool), 10 * sizeof(int), pool, nullptr));
  CHECK(cudaMemset(in_pool, 0, 10 * sizeof(int)));
  add<<<1, 10>>>(in_pool, 6);
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  CHECK(cudaEventRecord(event));
  Message message;
  int descriptor = -1;
  CHECK(cudaIpcGetMemHandle(&message.memory, shared));
  CHECK(cudaIpcGetEventHandle(&message.event, event));
  CHECK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CHECK(cudaMemPoolExportPointer(&message.in_pool, in_pool));
  const cudaError_t error =
      cudaIpcOpenMemHandle(reinterpret_cast<void**>(&own), message.memory, cudaIpcMemLazyEnablePeerAccess);
  send_descriptor(socket, descriptor, message);
  int status = -1;
  wait(&status);
  const std::vector<int> got = to_host(shared, kCount);
  printf("parent sees %d %d and %d; the child ended with %d\n", got[0], got[kCount - 1], to_host(in_pool, 10)[9], status);
  printf("memory beside it: %d; opened by its owner: %s\n", to_host(before, 7)[6], cudaGetErrorName(error));
  CHECK(cudaFree(shared));
  int* fresh = device_array<int>(kCount);
  printf("its place has new memory: %d\n", fresh == shared);
  printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&message.memory, &status)));
}

int main() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    return 1;
  }
  if (fork() == 0) {  // before either process uses CUDA
    child(sockets[1]);
    return 0;
  }
  parent(sockets[0]);
}
