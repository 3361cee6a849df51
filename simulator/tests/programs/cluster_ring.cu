// Heat on a torus of blocks: every step each block reads the edges of its four neighbours in a cluster of 2 x 3 blocks.
// The cluster is part of the kernel's type, by name and by template argument.
#include "cluster_launch.cuh"

namespace cg = cooperative_groups;

constexpr int kSide = 8;  // of a block's tile

struct Tile {
  float now[kSide][kSide], next[kSide][kSide];
};

__device__ void relax(Tile& tile, int steps) {
  cg::cluster_group cluster = cg::this_cluster();
  const dim3 here = cluster.block_index(), blocks = cluster.dim_blocks();
  const int x = threadIdx.x, y = threadIdx.y;
  const auto rank = [&](int dx, int dy) {
    return static_cast<int>((here.y + dy + blocks.y) % blocks.y * blocks.x + (here.x + dx + blocks.x) % blocks.x);
  };
  const Tile* west = cluster.map_shared_rank(&tile, rank(-1, 0));
  const Tile* east = cluster.map_shared_rank(&tile, rank(1, 0));
  const Tile* north = cluster.map_shared_rank(&tile, rank(0, -1));
  const Tile* south = cluster.map_shared_rank(&tile, rank(0, 1));
  for (int step = 0; step < steps; ++step) {
    cluster.sync();
    const float left = x > 0 ? tile.now[y][x - 1] : west->now[y][kSide - 1];
    const float right = x < kSide - 1 ? tile.now[y][x + 1] : east->now[y][0];
    const float above = y > 0 ? tile.now[y - 1][x] : north->now[kSide - 1][x];
    const float below = y < kSide - 1 ? tile.now[y + 1][x] : south->now[0][x];
    tile.next[y][x] = 0.5f * tile.now[y][x] + 0.125f * (left + right + above + below);
    cluster.barrier_arrive();
    const float mine = tile.next[y][x];  // nobody else looks at it
    cluster.barrier_wait();
    tile.now[y][x] = mine;
  }
  cluster.sync();
}

__device__ void solve(float* field, int width, int steps) {
  __shared__ Tile tile;
  float& at = field[(blockIdx.y * kSide + threadIdx.y) * width + blockIdx.x * kSide + threadIdx.x];
  tile.now[threadIdx.y][threadIdx.x] = at;
  relax(tile, steps);
  at = tile.now[threadIdx.y][threadIdx.x];
}

__global__ void __cluster_dims__(2, 3, 1) by_name(float* field, int width, int steps) { solve(field, width, steps); }

template <int kX, int kY>
__global__ void __cluster_dims__(kX, kY) by_argument(float* field, int width, int steps) {
  solve(field, width, steps);
}

// Each cluster's part of the field is a torus of its own.
void reference(std::vector<float>& field, int width, int height, int part_width, int part_height, int steps) {
  for (int step = 0; step < steps; ++step) {
    std::vector<float> next(field.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int x0 = x / part_width * part_width, y0 = y / part_height * part_height;
        const auto at = [&](int dx, int dy) {
          return field[(y0 + (y - y0 + dy + part_height) % part_height) * width + x0 +
                       (x - x0 + dx + part_width) % part_width];
        };
        next[y * width + x] = 0.5f * at(0, 0) + 0.125f * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1));
      }
    }
    field = next;
  }
}

template <class Kernel>
void run(const char* name, Kernel kernel, int cluster_x, int cluster_y) {
  constexpr int kBlocksX = 4, kBlocksY = 6, kSteps = 20;
  constexpr int kWidth = kBlocksX * kSide, kHeight = kBlocksY * kSide;
  std::vector<float> field(kWidth * kHeight);
  for (size_t i = 0; i < field.size(); ++i) {
    field[i] = static_cast<float>(i * 37 % 101);
  }
  float* device = to_device(field);
  kernel<<<dim3(kBlocksX, kBlocksY), dim3(kSide, kSide)>>>(device, kWidth, kSteps);
  check_launch();
  reference(field, kWidth, kHeight, cluster_x * kSide, cluster_y * kSide, kSteps);
  const std::vector<float> got = to_host(device, field.size());
  float worst = 0;
  for (size_t i = 0; i < field.size(); ++i) {
    worst = got[i] > field[i] ? (got[i] - field[i] > worst ? got[i] - field[i] : worst)
                              : (field[i] - got[i] > worst ? field[i] - got[i] : worst);
  }
  printf("%s: %s\n", name, worst < 1e-3f ? "right" : "wrong");
}

int main() {
  run("2 x 3 by name", by_name, 2, 3);
  run("4 x 2 by argument", by_argument<4, 2>, 4, 2);
  run("1 x 1 by argument", by_argument<1, 1>, 1, 1);
  return 0;
}
