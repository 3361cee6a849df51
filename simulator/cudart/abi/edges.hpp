#pragma once
// Graph calls with edge data: CUDA 13 has them under the plain name, CUDA 12 under _v2 (and capture info under _v3).
#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {

inline int capture_info(void* stream, int* status, unsigned long long* id, void** graph, void* const** dependencies,
                        const void** edge_data, size_t* count) {
  if (edge_data != nullptr) {
    *edge_data = nullptr;  // every dependency is a full one
  }
  return stream_capture_info(stream, {status, id, graph, dependencies, count});
}

struct ExecUpdateResultInfo {  // cudaGraphExecUpdateResultInfo, CUDA 12 and 13
  int result;
  void* node;
  void* from;
};

inline int exec_update(void* exec, void* graph, ExecUpdateResultInfo* out) {
  UpdateResult result;
  const int error = graph_exec_update(exec, graph, result);
  if (out != nullptr) {
    *out = {result.result, result.node, nullptr};
  }
  return error;
}

}  // namespace hpml::sim::cudart
