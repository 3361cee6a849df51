#pragma once
// The capture and graph calls whose signatures differ between majors; abi/ exports them.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

struct CaptureInfo {  // where to write; null: not asked for
  int* status = nullptr;
  unsigned long long* id = nullptr;
  void** graph = nullptr;
  void* const** dependencies = nullptr;
  size_t* count = nullptr;
};

int stream_begin_capture(void* stream, int mode);
int stream_end_capture(void* stream, void** graph);
int stream_capture_info(void* stream, const CaptureInfo& out);
int stream_update_dependencies(void* stream, void* const* dependencies, size_t count, unsigned flags);

// The nodes of `graph` behind an array of handles. False: one is none of its nodes, or the array is missing.
bool nodes_of(const Graph& graph, void* const* handles, size_t count, std::vector<Node*>& nodes);

}  // namespace hpml::sim::cudart
