// Votes and matches over full and partial masks.
#include "check.cuh"

__global__ void vote(unsigned int* out) {
  const int lane = threadIdx.x;
  unsigned int* mine = out + lane * 10;
  const unsigned int all = 0xffffffffu;
  mine[0] = __ballot_sync(all, lane % 3 == 0);
  mine[1] = __any_sync(all, lane == 31);
  mine[2] = __all_sync(all, lane >= 0);
  mine[3] = __all_sync(all, lane != 5);
  if (lane < 12) {
    mine[4] = __ballot_sync(0xfffu, lane > 3);
    mine[5] = __all_sync(0xfffu, lane < 12);
  } else {
    mine[4] = __ballot_sync(0xfffff000u, lane % 2);
    mine[5] = __any_sync(0xfffff000u, lane < 12);
  }
  __syncwarp();
  mine[6] = __match_any_sync(all, lane / 5);
  int same = -1;
  mine[7] = __match_all_sync(all, 42, &same);
  mine[8] = same;
  mine[9] = __syncthreads_count(lane % 4 == 0);
  mine[9] += 100 * __syncthreads_and(lane < 40) + 1000 * __syncthreads_or(lane > 40);
}

int main() {
  unsigned int* out = device_array<unsigned int>(320);
  vote<<<1, 32>>>(out);
  check_launch();
  const std::vector<unsigned int> got = to_host(out, 320);
  const int lanes[3] = {0, 11, 31};
  for (int lane : lanes) {
    for (int i = 0; i < 10; ++i) {
      printf("%x ", got[lane * 10 + i]);
    }
    printf("\n");
  }
}
