// Sparse data: neighbours by index, rows of different length.
#include "cases.cuh"

namespace {

struct Graph {
  int nodes;
  const int *first, *neighbour;
};

// Each node has 1 to 16 neighbours, few of them with many.
Graph make_graph(int nodes) {
  std::vector<int> first(nodes + 1, 0);
  for (int i = 0; i < nodes; ++i) {
    const unsigned r = noise(i);
    first[i + 1] = first[i] + (r % 8 == 0 ? 16 : 1 + static_cast<int>(r / 8 % 6));
  }
  const int edges = first[nodes];
  return {nodes, filled<int>(nodes + 1, [&](unsigned i) { return first[i]; }),
          filled<int>(edges, [&](unsigned i) { return noise(i + 99) % static_cast<unsigned>(nodes); })};
}

}  // namespace

__global__ void visit(Graph g, const int* frontier, int count, int* next, int* next_count, int* depth, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) {
    return;
  }
  const int node = frontier[i];
  for (int e = g.first[node]; e < g.first[node + 1]; ++e) {
    const int other = g.neighbour[e];
    if (atomicCAS(&depth[other], 0, level) == 0) {
      next[atomicAdd(next_count, 1)] = other;
    }
  }
}

void breadth_first() {
  const Graph g = make_graph(300'000);
  int* depth = device_array<int>(g.nodes);
  int* frontier[2] = {device_array<int>(g.nodes), device_array<int>(g.nodes)};
  int* next_count = device_array<int>(1);
  int count = 1;
  for (int level = 1; count > 0; ++level) {
    CHECK(cudaMemset(next_count, 0, sizeof(int)));
    visit<<<(count + 127) / 128, 128>>>(g, frontier[level % 2], count, frontier[1 - level % 2], next_count, depth,
                                        level);
    CHECK(cudaMemcpy(&count, next_count, sizeof(int), cudaMemcpyDeviceToHost));
  }
  print_sum(depth, g.nodes);
}

__global__ void multiply(Graph g, const float* value, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < g.nodes) {
    float sum = 0;
    for (int e = g.first[row]; e < g.first[row + 1]; ++e) {
      sum += value[e] * x[g.neighbour[e]];
    }
    y[row] = sum;
  }
}

void sparse_product() {
  const Graph g = make_graph(500'000);
  const float* value = filled<float>(g.nodes * 17, [](unsigned i) { return i % 11; });
  const float* x = filled<float>(g.nodes, [](unsigned i) { return i % 7; });
  float* y = device_array<float>(g.nodes);
  multiply<<<(g.nodes + 127) / 128, 128>>>(g, value, x, y);
  print_sum(y, g.nodes);
}

__global__ void push(Graph g, const float* rank, float* next) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < g.nodes) {
    const int begin = g.first[node], end = g.first[node + 1];
    const float share = rank[node] / (end - begin);
    for (int e = begin; e < end; ++e) {
      atomicAdd(&next[g.neighbour[e]], share);
    }
  }
}

void page_rank() {
  const Graph g = make_graph(300'000);
  float* rank = filled<float>(g.nodes, [](unsigned) { return 1; });
  for (int step = 0; step < 2; ++step) {
    float* next = device_array<float>(g.nodes);
    push<<<(g.nodes + 255) / 256, 256>>>(g, rank, next);
    rank = next;
  }
  print_sum(rank, g.nodes);
}

int main(int argc, char** argv) {
  const Case cases[] = {
      {"breadth_first", breadth_first}, {"sparse_product", sparse_product}, {"page_rank", page_rank}};
  return run_cases(cases, argc, argv);
}
