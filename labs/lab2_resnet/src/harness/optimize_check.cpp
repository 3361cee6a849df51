// optimize fold SEED CI CO K | fuse OP:INPUT,INPUT... | plan BYTES:FIRST:LAST...
#include <cinttypes>
#include <string_view>

#include "harness/check.hpp"

namespace {

void fold(char** words) {
  const auto seed = static_cast<uint64_t>(std::atoll(words[0]));
  const lab2::ConvShape s{.ci = std::atoi(words[1]), .co = std::atoi(words[2]), .k = std::atoi(words[3])};
  std::vector<float> w = check::values(seed, 0, int64_t{s.k} * s.k * s.ci * s.co),
                     bias(static_cast<size_t>(s.co), 7.0F);
  std::vector<float> gamma = check::values(seed, 1, s.co), beta = check::values(seed, 2, s.co),
                     mean = check::values(seed, 3, s.co), var = check::values(seed, 4, s.co);
  for (float& value : var) {
    value = value * value * 1e-3F;
  }
  const lab2::BatchNorm norm{s.co, 1e-5F, 0.1F, gamma.data(), beta.data(), mean.data(), var.data(), {}, {}};
  lab2::fold_batch_norm(s, norm, w.data(), bias.data());
  check::Results results;
  results.write(w);
  results.write(bias);
}

void fuse(int argc, char** argv) {
  std::vector<lab2::GraphNode> nodes;
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    const size_t colon = word.find(':');
    lab2::GraphNode node{word.substr(0, colon), {}};
    for (const char* text = argv[i] + colon + 1; *text != '\0';) {
      char* end = nullptr;
      node.inputs.push_back(static_cast<int>(std::strtol(text, &end, 10)));
      text = *end == ',' ? end + 1 : end;
    }
    nodes.push_back(node);
  }
  for (const std::vector<int>& group : lab2::fuse(nodes)) {
    for (const int node : group) {
      std::printf("%d ", node);
    }
    std::printf("\n");
  }
}

void plan(int argc, char** argv) {
  std::vector<lab2::Lifetime> buffers;
  for (int i = 2; i < argc; ++i) {
    long long bytes = 0;
    lab2::Lifetime buffer;
    if (std::sscanf(argv[i], "%lld:%d:%d", &bytes, &buffer.first, &buffer.last) != 3) {
      check::fail("a buffer is BYTES:FIRST:LAST");
    }
    buffer.bytes = bytes;
    buffers.push_back(buffer);
  }
  for (const int64_t offset : lab2::plan_memory(buffers)) {
    std::printf("%" PRId64 "\n", offset);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "fold" && argc == 6) {
    fold(argv + 2);
  } else if (what == "fuse") {
    fuse(argc, argv);
  } else if (what == "plan") {
    plan(argc, argv);
  } else {
    check::fail("usage: optimize fold SEED CI CO K | fuse OP:INPUT,INPUT... | plan BYTES:FIRST:LAST...");
  }
  return 0;
}
