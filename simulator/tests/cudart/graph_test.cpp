// Graphs built by hand: nodes, parameters, copies, execution. Codes: CUDA runtime API, "Graph Management".
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "simulator/tests/cudart/graph_rig.hpp"

namespace hpml::sim::cudart {
namespace {

class Graphs : public GraphTest {};

// cudaLaunchAttributeValue; window and policy are hints that this model keeps.
using AttributeValue = std::array<char, 64>;
constexpr int kAccessPolicyWindow = 1, kSynchronizationPolicy = 3;
extern "C" {
int cudaStreamSetAttribute(void*, int, const AttributeValue*);
int cudaStreamGetAttribute(void*, int, AttributeValue*);
int cudaStreamCopyAttributes(void*, void*);
int cudaGraphKernelNodeSetAttribute(void*, int, const AttributeValue*);
int cudaGraphKernelNodeGetAttribute(void*, int, AttributeValue*);
int cudaGraphKernelNodeCopyAttributes(void*, void*);
}

TEST_F(Graphs, AttributesOfStreamsAreThoseThatWereSet) {
  start();
  void *stream = nullptr, *other = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 0), 0);
  EXPECT_EQ(cudaStreamCreateWithFlags(&other, 0), 0);
  const AttributeValue window{"a window"}, policy{"a policy"};
  AttributeValue got{};
  EXPECT_EQ(cudaStreamSetAttribute(stream, kAccessPolicyWindow, &window), 0);
  EXPECT_EQ(cudaStreamSetAttribute(stream, kSynchronizationPolicy, &policy), 0);
  EXPECT_EQ(cudaStreamGetAttribute(stream, kAccessPolicyWindow, &got), 0);
  EXPECT_EQ(got, window);
  EXPECT_EQ(cudaStreamGetAttribute(other, kAccessPolicyWindow, &got), 0);
  EXPECT_EQ(got, AttributeValue{});
  EXPECT_EQ(cudaStreamCopyAttributes(other, stream), 0);
  EXPECT_EQ(cudaStreamGetAttribute(other, kSynchronizationPolicy, &got), 0);
  EXPECT_EQ(got, policy);
}

TEST_F(Graphs, AttributesOfKernelNodesAreThoseThatWereSet) {
  add_kernel(kWork);
  const KernelNodeParams params = kernel_params(kWork);
  void *g = graph(), *node = nullptr, *other = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 0);
  EXPECT_EQ(cudaGraphAddKernelNode(&other, g, nullptr, 0, &params), 0);
  const AttributeValue window{"a window"};
  AttributeValue got{};
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, kAccessPolicyWindow, &window), 0);
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(node, kAccessPolicyWindow, &got), 0);
  EXPECT_EQ(got, window);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(other, node), 0);
  EXPECT_EQ(cudaGraphKernelNodeGetAttribute(other, kAccessPolicyWindow, &got), 0);
  EXPECT_EQ(got, window);
}

TEST_F(Graphs, AnEmptyGraphRuns) {
  start();
  void* exec = instantiate(graph());
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(cudaGraphExecDestroy(exec), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 1);
}

TEST_F(Graphs, NodesRunAfterTheirDependenciesWhateverTheOrderTheyWereMadeIn) {
  add_kernel(kWork).duration = 100 * kMicrosecond;
  std::vector<std::byte> host(64);
  void* device = allocate(64);
  void* g = graph();
  void *copy = nullptr, *kernel = nullptr;
  const KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddMemcpyNode1D(&copy, g, nullptr, 0, host.data(), device, 64, kDeviceToHost), 0);
  EXPECT_EQ(cudaGraphAddKernelNode(&kernel, g, nullptr, 0, &params), 0);
  EXPECT_EQ(graph_add_dependencies(g, &kernel, &copy, nullptr, 1), 0);
  EXPECT_EQ(graph_add_dependencies(g, &kernel, &copy, nullptr, 1), 1);  // there already
  EXPECT_EQ(cudaGraphLaunch(instantiate(g), nullptr), 0);
  EXPECT_GE(log().copies[0].span.start, log().kernels[0].span.end);
}

TEST_F(Graphs, ACycleCannotBeInstantiated) {
  start();
  void* g = graph();
  void *a = nullptr, *b = nullptr, *exec = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&a, g, nullptr, 0), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&b, g, &a, 1), 0);
  EXPECT_EQ(graph_add_dependencies(g, &b, &a, nullptr, 1), 0);
  int result = 0;
  EXPECT_EQ(graph_instantiate("cudaGraphInstantiate", &exec, g, 0, nullptr, &result), 1);
  EXPECT_EQ(result, 2);
}

TEST_F(Graphs, DependenciesOfAnotherGraphAreRefused) {
  start();
  void *stranger = nullptr, *node = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&stranger, graph(), nullptr, 0), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph(), &stranger, 1), 1);
  void* twice[] = {stranger, stranger};
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph(), twice, 2), 1);
}

TEST_F(Graphs, KernelArgumentsAreCopiedWhenTheNodeIsMade) {
  FakeKernel& kernel = add_kernel(kWork);
  kernel.info.params = {{.offset = 0, .size = 4, .align = 4}};
  kernel.info.param_bytes = 4;
  std::vector<int> seen;
  kernel.body = [&](const device::LaunchRequest& request) {
    std::memcpy(&seen.emplace_back(), request.params.data(), 4);
  };
  int value = 7;
  void* arguments[] = {&value};
  KernelNodeParams params = kernel_params(kWork, arguments);
  void *g = graph(), *node = nullptr;
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 0);
  value = 8;
  void* exec = instantiate(g);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &params), 0);  // in the executable graph only
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(cudaGraphLaunch(instantiate(g), nullptr), 0);
  EXPECT_EQ(seen, (std::vector<int>{7, 8, 7}));
  KernelNodeParams read{};
  EXPECT_EQ(cudaGraphKernelNodeGetParams(node, &read), 0);
  EXPECT_EQ(read.function, kWork);
  EXPECT_EQ(read.block.x, 32u);
  EXPECT_EQ(*static_cast<int*>(read.arguments[0]), 7);
}

TEST_F(Graphs, ALaunchThatCannotWorkIsRefusedWhenTheNodeIsMade) {
  add_kernel(kWork);
  void *g = graph(), *node = nullptr;
  KernelNodeParams params = kernel_params(kWork);
  params.block = {1025, 1, 1};
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 9);
  params = kernel_params("nobody");
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 98);
  MemsetParams fill{allocate(64), 0, 0, 3, 4, 1};
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &fill), 1);  // elements have 1, 2 or 4 bytes
}

TEST_F(Graphs, MemsetNodesFillElements) {
  void *g = graph(), *node = nullptr;
  auto* device = static_cast<uint32_t*>(allocate(64));
  const MemsetParams fill{device, 32, 0x12345678, 4, 3, 2};
  EXPECT_EQ(cudaGraphAddMemsetNode(&node, g, nullptr, 0, &fill), 0);
  EXPECT_EQ(cudaGraphLaunch(instantiate(g), nullptr), 0);
  uint32_t host[16];
  EXPECT_EQ(cudaMemcpy(host, device, 64, kDeviceToHost), 0);
  EXPECT_EQ(host[0], 0x12345678u);
  EXPECT_EQ(host[2], 0x12345678u);
  EXPECT_EQ(host[3], 0u);
  EXPECT_EQ(host[8], 0x12345678u);
}

TEST_F(Graphs, AClonesNodesAreFoundByTheirOriginals) {
  start();
  void *g = graph(), *clone = nullptr, *node = nullptr, *found = nullptr, *other = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&node, g, nullptr, 0), 0);
  EXPECT_EQ(cudaGraphClone(&clone, g), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&other, g, nullptr, 0), 0);
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, node, clone), 0);
  EXPECT_EQ(found, nodes(clone).at(0));
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, other, clone), 1);
  EXPECT_EQ(cudaGraphDestroy(g), 0);
  EXPECT_EQ(nodes(clone).size(), 1u);
  EXPECT_EQ(cudaGraphDestroy(g), 1);
}

TEST_F(Graphs, ListsOfNodesFollowTheCountTheyAreGiven) {
  start();
  void *g = graph(), *a = nullptr, *b = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&a, g, nullptr, 0), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&b, g, nullptr, 0), 0);
  void* out[3] = {g, g, g};
  size_t count = 3;
  EXPECT_EQ(cudaGraphGetNodes(g, out, &count), 0);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(out[2], nullptr);
  count = 1;
  EXPECT_EQ(cudaGraphGetNodes(g, out, &count), 0);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(out[0], a);
}

TEST_F(Graphs, DestroyedNodesTakeTheirEdgesAlong) {
  start();
  void *g = graph(), *a = nullptr, *b = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&a, g, nullptr, 0), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&b, g, &a, 1), 0);
  EXPECT_EQ(cudaGraphDestroyNode(a), 0);
  size_t edges = 9;
  EXPECT_EQ(graph_edges(g, nullptr, nullptr, nullptr, &edges), 0);
  EXPECT_EQ(edges, 0u);
}

TEST_F(Graphs, ChildGraphsAreCopiesThatRunWithTheirParent) {
  add_kernel(kWork);
  void *child = graph(), *parent = graph(), *kernel = nullptr, *node = nullptr, *inner = nullptr;
  const KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddKernelNode(&kernel, child, nullptr, 0, &params), 0);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child), 0);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, parent), 1);
  EXPECT_EQ(cudaGraphDestroy(child), 0);
  EXPECT_EQ(cudaGraphLaunch(instantiate(parent), nullptr), 0);
  EXPECT_EQ(device_->launches, 1);
  EXPECT_EQ(cudaGraphChildGraphNodeGetGraph(nodes(parent).at(0), &inner), 0);
  EXPECT_EQ(nodes(inner).size(), 1u);
}

TEST_F(Graphs, DisabledNodesAreLeftOut) {
  add_kernel(kWork);
  void *g = graph(), *node = nullptr;
  const KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 0);
  void* exec = instantiate(g);
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, node, 0), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(device_->launches, 0);
  EXPECT_EQ(cudaGraphNodeSetEnabled(exec, node, 1), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(device_->launches, 1);
}

TEST_F(Graphs, UpdatesTakeNewParametersOfTheSameShapeOnly) {
  FakeKernel& kernel = add_kernel(kWork);
  std::vector<uint32_t> grids;
  kernel.body = [&](const device::LaunchRequest& request) { grids.push_back(request.grid.x); };
  void *g = graph(), *node = nullptr;
  KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 0);
  void* exec = instantiate(g);
  params.grid.x = 5;
  EXPECT_EQ(cudaGraphKernelNodeSetParams(node, &params), 0);
  UpdateResult result;
  EXPECT_EQ(graph_exec_update(exec, g, result), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, nullptr), 0);
  EXPECT_EQ(grids, std::vector<uint32_t>{5});
  void* more = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&more, g, &node, 1), 0);
  EXPECT_EQ(graph_exec_update(exec, g, result), 910);
  EXPECT_EQ(result.result, 2);  // topology changed
  void *other = graph(), *empty = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&empty, other, nullptr, 0), 0);
  EXPECT_EQ(graph_exec_update(exec, other, result), 910);
  EXPECT_EQ(result.result, 3);  // node type changed
  EXPECT_EQ(result.node, empty);
}

TEST_F(Graphs, LaunchesOfOneExecutableGraphDoNotOverlap) {
  add_kernel(kWork).duration = 1000 * kMicrosecond;
  void *g = graph(), *node = nullptr;
  const KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddKernelNode(&node, g, nullptr, 0, &params), 0);
  void* exec = instantiate(g);
  EXPECT_EQ(cudaGraphLaunch(exec, stream(1)), 0);
  EXPECT_EQ(cudaGraphLaunch(exec, stream(1)), 0);
  EXPECT_GE(log().kernels[1].span.start, log().kernels[0].span.end);
}

TEST_F(Graphs, UserObjectsLiveAsLongAsAGraphHoldsThem) {
  start();
  int destroyed = 0;
  void *object = nullptr, *g = graph();
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  EXPECT_EQ(cudaUserObjectCreate(&object, &destroyed, count, 1, 1), 0);
  EXPECT_EQ(cudaGraphRetainUserObject(g, object, 1, 1), 0);  // the graph takes over the caller's reference
  void* exec = instantiate(g);
  EXPECT_EQ(cudaGraphDestroy(g), 0);
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(cudaGraphExecDestroy(exec), 0);
  EXPECT_EQ(destroyed, 1);
}

// cudaConditionalNodeParams: one body for a loop, one or two for an if, any number for a switch.
TEST_F(Graphs, ConditionalNodesNeedAHandleAndAsManyBodiesAsTheirTypeAllows) {
  start();
  void* g = graph();
  unsigned long long handle = 0;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, g, 0, 0), 0);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, g, 0, 2), 1);
  const auto add = [&](unsigned long long of, int type, unsigned size) {
    NodeParams params{};
    params.type = 13;
    params.conditional = {of, type, size, nullptr};
    void* node = nullptr;
    const int error = graph_add_any_node(&node, g, nullptr, nullptr, 0, &params);
    for (unsigned i = 0; error == 0 && i < size; ++i) {
      size_t nodes = 1;
      EXPECT_EQ(cudaGraphGetNodes(params.conditional.bodies[i], nullptr, &nodes), 0);
      EXPECT_EQ(nodes, 0U);
    }
    return error;
  };
  EXPECT_EQ(add(handle, 0, 1), 0);
  EXPECT_EQ(add(handle, 0, 2), 0);
  EXPECT_EQ(add(handle, 0, 3), 1);
  EXPECT_EQ(add(handle, 1, 1), 0);
  EXPECT_EQ(add(handle, 1, 2), 1);
  EXPECT_EQ(add(handle, 2, 5), 0);
  EXPECT_EQ(add(handle, 2, 0), 1);
  EXPECT_EQ(add(handle, 3, 1), 1);
  EXPECT_EQ(add(handle + 1000, 0, 1), 1);
}

TEST_F(Graphs, DotFilesNameNodesAndEdges) {
  add_kernel(kWork);
  void *g = graph(), *a = nullptr, *b = nullptr;
  const KernelNodeParams params = kernel_params(kWork);
  EXPECT_EQ(cudaGraphAddKernelNode(&a, g, nullptr, 0, &params), 0);
  EXPECT_EQ(cudaGraphAddEmptyNode(&b, g, &a, 1), 0);
  const std::string path = testing::TempDir() + "/graph_test.dot";
  EXPECT_EQ(cudaGraphDebugDotPrint(g, path.c_str(), 0), 0);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_NE(text.str().find("digraph"), std::string::npos);
  EXPECT_NE(text.str().find("kernel\\nwork"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("\"n0\" -> \"n1\""), std::string::npos) << text.str();
}

}  // namespace
}  // namespace hpml::sim::cudart
