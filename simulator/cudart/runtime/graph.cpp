#include "simulator/cudart/runtime/graph.hpp"

#include <algorithm>
#include <atomic>

#include "simulator/cudart/runtime/context.hpp"
#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {
namespace {

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};  // handles and ids are per process, as in CUDA
  return ++last;
}

Work copy_of(const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work); child != nullptr) {
    return ChildWork{child->graph->clone()};
  }
  if (const auto* conditional = std::get_if<ConditionalWork>(&work); conditional != nullptr) {
    ConditionalWork copy = *conditional;
    copy.shown = std::make_shared<std::vector<Graph*>>();
    for (std::shared_ptr<Graph>& body : copy.bodies) {
      body = body->clone();
      copy.shown->push_back(body.get());
    }
    return copy;
  }
  return work;
}

}  // namespace

std::vector<Graph*> graphs_of(const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work); child != nullptr) {
    return {child->graph.get()};
  }
  const auto* conditional = std::get_if<ConditionalWork>(&work);
  return conditional != nullptr ? *conditional->shown : std::vector<Graph*>{};
}

GraphMemory::~GraphMemory() {
  context_.forget_graph_memory(address_);
  (void)context_.memory().free(address_, memory::Kind::device);
}

Graph::Graph() : id_(next_id()) {}

Graph::~Graph() {
  for (UserObject* object : objects) {
    Runtime::get().graphs.release(*object, 1);
  }
}

Node* Graph::find(const void* handle) const {
  for (const auto& node : nodes_) {
    if (node.get() == handle) {
      return node.get();
    }
    for (const Graph* child : graphs_of(node->work)) {
      if (Node* found = child->find(handle); found != nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

Node* Graph::find_copy_of(uint64_t node_id) const {
  for (const auto& node : nodes_) {
    if (node->origin == node_id) {
      return node.get();
    }
    for (const Graph* child : graphs_of(node->work)) {
      if (Node* found = child->find_copy_of(node_id); found != nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

Graph* Graph::find_child(const void* handle) const {
  for (const auto& node : nodes_) {
    for (Graph* child : graphs_of(node->work)) {
      if (Graph* found = child == handle ? child : child->find_child(handle); found != nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

Node& Graph::add(Context& context, Work work, const std::vector<Node*>& dependencies) {
  auto node = std::make_unique<Node>();
  node->id = next_id();
  node->graph = this;
  node->context = &context;
  node->work = std::move(work);
  nodes_.push_back(std::move(node));
  Node& added = *nodes_.back();
  for (Node* dependency : dependencies) {
    connect(*dependency, added);
  }
  return added;
}

void Graph::remove(Node& node) {
  for (Node* dependency : node.dependencies) {
    std::erase(dependency->dependents, &node);
  }
  for (Node* dependent : node.dependents) {
    std::erase(dependent->dependencies, &node);
  }
  std::erase_if(nodes_, [&](const auto& owned) { return owned.get() == &node; });
}

bool Graph::connect(Node& from, Node& to) {
  if (from.graph != this || to.graph != this || std::ranges::count(to.dependencies, &from) > 0) {
    return false;
  }
  to.dependencies.push_back(&from);
  from.dependents.push_back(&to);
  return true;
}

bool Graph::disconnect(Node& from, Node& to) {
  if (from.graph != this || to.graph != this || std::erase(to.dependencies, &from) == 0) {
    return false;
  }
  std::erase(from.dependents, &to);
  return true;
}

size_t Graph::edge_count() const {
  size_t count = 0;
  for (const auto& node : nodes_) {
    count += node->dependencies.size();
  }
  return count;
}

std::vector<Node*> Graph::in_order() const {
  std::map<const Node*, size_t> waiting_for;
  std::map<const Node*, size_t> place;
  std::map<size_t, Node*> ready;  // by place in the order of creation
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Node* node = nodes_[i].get();
    place[node] = i;
    waiting_for[node] = node->dependencies.size();
    if (node->dependencies.empty()) {
      ready[i] = node;
    }
  }
  std::vector<Node*> order;
  while (!ready.empty()) {
    Node* node = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(node);
    for (Node* dependent : node->dependents) {
      if (--waiting_for[dependent] == 0) {
        ready[place[dependent]] = dependent;
      }
    }
  }
  return order.size() == nodes_.size() ? order : std::vector<Node*>{};
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> copies;
  for (const auto& node : nodes_) {
    Node& added = copy->add(*node->context, copy_of(node->work), {});
    added.origin = node->id;
    added.enabled = node->enabled;
    copies[node.get()] = &added;
  }
  for (const auto& node : nodes_) {
    for (const Node* dependency : node->dependencies) {
      copy->connect(*copies[dependency], *copies[node.get()]);
    }
  }
  copy->objects = objects;
  for (UserObject* object : objects) {
    ++object->references;
  }
  return copy;
}

Graph* GraphTable::create() { return adopt(std::make_shared<Graph>()); }

Graph* GraphTable::adopt(std::shared_ptr<Graph> graph) {
  Graph* const handle = graph.get();
  graphs_[handle] = std::move(graph);
  return handle;
}

Graph* GraphTable::graph(const void* handle) const {
  const auto it = graphs_.find(handle);
  if (it != graphs_.end()) {
    return it->second.get();
  }
  for (const auto& [address, graph] : graphs_) {
    if (Graph* child = graph->find_child(handle); child != nullptr) {
      return child;
    }
  }
  return nullptr;
}

Node* GraphTable::node(const void* handle) const {
  for (const auto& [address, graph] : graphs_) {
    if (Node* found = graph->find(handle); found != nullptr) {
      return found;
    }
  }
  return nullptr;
}

GraphExec* GraphTable::add_exec(GraphExec exec) {
  auto owned = std::make_unique<GraphExec>(std::move(exec));
  GraphExec* const handle = owned.get();
  execs_[handle] = std::move(owned);
  return handle;
}

GraphExec* GraphTable::exec(const void* handle) const {
  const auto it = execs_.find(handle);
  return it == execs_.end() ? nullptr : it->second.get();
}

UserObject* GraphTable::add_object(UserObject object) {
  auto owned = std::make_unique<UserObject>(object);
  UserObject* const handle = owned.get();
  objects_[handle] = std::move(owned);
  return handle;
}

UserObject* GraphTable::object(const void* handle) const {
  const auto it = objects_.find(handle);
  return it == objects_.end() ? nullptr : it->second.get();
}

void GraphTable::release(UserObject& object, unsigned count) {
  object.references -= std::min(object.references, count);
  if (object.references == 0) {
    const UserObject gone = object;
    objects_.erase(&object);
    gone.destroy(gone.pointer);
  }
}

uint64_t GraphTable::add_condition(Condition condition) {
  const uint64_t handle = next_id();
  conditions_[handle] = condition;
  return handle;
}

Condition* GraphTable::condition(uint64_t handle) {
  const auto it = conditions_.find(handle);
  return it == conditions_.end() ? nullptr : &it->second;
}

void GraphTable::begin_launch(const Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (const auto* conditional = std::get_if<ConditionalWork>(&node->work); conditional != nullptr) {
      Condition& condition = conditions_.at(conditional->handle);
      condition.value = condition.assign_initial ? condition.initial : condition.value;
    }
    for (const Graph* inner : graphs_of(node->work)) {
      begin_launch(*inner);
    }
  }
}

void GraphTable::clear() {
  execs_.clear();
  graphs_.clear();
}

}  // namespace hpml::sim::cudart
