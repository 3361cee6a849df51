#pragma once
// CUDA graphs: pieces of work and what each has to wait for. A graph is a template; an executable graph is a copy of
// one, whose nodes remember the nodes they were copied from.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "simulator/cudart/runtime/errors.hpp"
#include "simulator/cudart/runtime/work.hpp"

namespace hpml::sim::cudart {

class Context;

// Memory that an allocation node gives a fixed address: held from the node's creation until the last graph, clone or
// executable graph with that node is gone.
class GraphMemory {
 public:
  GraphMemory(Context& context, uint64_t address, uint64_t bytes)
      : context_(context), address_(address), bytes_(bytes) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  bool live = false;  // allocated by a launch and not yet freed

 private:
  Context& context_;
  uint64_t address_, bytes_;
};

// An object of the program whose lifetime graphs share (cudaUserObject_t).
struct UserObject {
  void* pointer = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 0;
};

struct Node {  // cudaGraphNode_t is the address of one
  uint64_t id = 0;
  uint64_t origin = 0;  // id of the node it was copied from
  Graph* graph = nullptr;
  Context* context = nullptr;  // where it runs
  Work work;
  bool enabled = true;
  std::vector<Node*> dependencies, dependents;
  std::vector<void*> arguments;  // what cudaGraphKernelNodeGetParams points to
};

class Graph {  // cudaGraph_t is the address of one
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  uint64_t id() const { return id_; }
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  Node* find(const void* handle) const;         // also in child graphs; null: no node of this graph
  Node* find_copy_of(uint64_t node_id) const;   // also in child graphs
  Graph* find_child(const void* handle) const;  // a graph inside one of its nodes, at any depth
  Node& add(Context& context, Work work, const std::vector<Node*>& dependencies);
  void remove(Node& node);
  // False: the edge exists already (add), or does not (remove), or an end is no node of this graph.
  bool connect(Node& from, Node& to);
  bool disconnect(Node& from, Node& to);
  size_t edge_count() const;
  // Every node after all of its dependencies, otherwise in the order of creation. Empty for a cycle.
  std::vector<Node*> in_order() const;
  std::shared_ptr<Graph> clone() const;

  std::vector<UserObject*> objects;  // one entry per reference it holds

 private:
  uint64_t id_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

// The graphs inside a node: of a child graph node, or the bodies of a conditional one.
std::vector<Graph*> graphs_of(const Work& work);

// The value behind a cudaGraphConditionalHandle. Executable graphs and clones share their original's.
struct Condition {
  uint32_t initial = 0, value = 0;
  bool assign_initial = false;  // at the beginning of every launch
};

struct GraphExec {  // cudaGraphExec_t is the address of one
  std::shared_ptr<Graph> graph;
  uint64_t source = 0;  // id of the graph it was made from
  uint64_t flags = 0;
  int64_t busy_until = 0;  // launches of one executable graph do not overlap
};

// The graphs of the process, by the handles the program holds.
class GraphTable {
 public:
  Graph* create();
  Graph* adopt(std::shared_ptr<Graph> graph);
  void destroy(const Graph* graph) { graphs_.erase(graph); }
  bool owns(const Graph* graph) const { return graphs_.contains(graph); }
  Graph* graph(const void* handle) const;  // also child graphs, which their parents own
  Node* node(const void* handle) const;    // of any graph, executable ones excepted
  GraphExec* add_exec(GraphExec exec);
  GraphExec* exec(const void* handle) const;
  void destroy_exec(const GraphExec* exec) { execs_.erase(exec); }
  UserObject* add_object(UserObject object);
  UserObject* object(const void* handle) const;
  // Drops `count` references; at none left the object is destroyed.
  void release(UserObject& object, unsigned count);
  uint64_t add_condition(Condition condition);
  Condition* condition(uint64_t handle);
  // A launch of the graph begins.
  void begin_launch(const Graph& graph);
  void clear();

 private:
  std::map<const void*, std::shared_ptr<Graph>> graphs_;
  std::map<const void*, std::unique_ptr<GraphExec>> execs_;
  std::map<const void*, std::unique_ptr<UserObject>> objects_;
  std::map<uint64_t, Condition> conditions_;
};

}  // namespace hpml::sim::cudart
