// Does NVIDIA's assembler accept the same asynchronous copies, mbarriers, fences and hints as decode()? Legal lines and
// their neighbours, with the verdicts compared. Skipped where ptxas is not installed.
#include <fmt/format.h>

#include "simulator/isa/decode.hpp"
#include "simulator/tests/isa/ptxas_lines.hpp"

namespace hpml::sim::isa {
namespace {

// "cp.async.ca.shared.global [s], [%q0], 4" with its operands counted (a|b as two, brackets as one).
Line line_of(const std::string& text) {
  Line line;
  const size_t space = std::min(text.find(' '), text.size());
  std::istringstream dotted(text.substr(0, space));
  std::getline(dotted, line.root, '.');
  for (std::string word; std::getline(dotted, word, '.');) {
    line.words.push_back(word);
  }
  line.operands = text.substr(std::min(space + 1, text.size()));
  line.count = line.operands.empty() ? 0 : 1;
  int depth = 0;
  for (const char c : line.operands) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    line.count += depth == 0 && (c == ',' || c == '|') ? 1 : 0;
  }
  return line;
}

void compare(const std::vector<std::string>& texts) {
  const std::string ptxas = ptxas_path();
  if (ptxas.empty()) {
    GTEST_SKIP() << "ptxas is not installed";
  }
  std::vector<Line> lines;
  for (const std::string& text : texts) {
    lines.push_back(line_of(text));
  }
  const std::set<size_t> refused = refused_by_ptxas(ptxas, lines, "90a");
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto decoded = decode(lines[i].root, lines[i].words, lines[i].count);
    EXPECT_EQ(decoded.ok(), !refused.contains(i)) << texts[i] << (decoded.ok() ? "" : "\n  " + decoded.error());
  }
}

TEST(AsyncPtxas, CopiesAreTheSame) {
  compare({"cp.async.ca.shared.global [s], [%q0], 4",
           "cp.async.ca.shared::cta.global [s], [%q0], 8",
           "cp.async.ca.shared.global.L2::128B [s], [%q0], 16",
           "cp.async.cg.shared.global [s], [%q0], 16, 16",
           "cp.async.cg.shared.global.L2::256B [s], [%q0], 16, %r0",
           "cp.async.cg.shared.global [s], [%q0], 16, %p0",
           "cp.async.cg.shared.global.L2::cache_hint [s], [%q0], 16, %q1",
           "cp.async.cg.shared.global.L2::cache_hint.L2::128B [s], [%q0], 16, 16, %q1",
           "cp.async.shared.global [s], [%q0], 4",
           "cp.async.cs.shared.global [s], [%q0], 4",
           "cp.async.ca.local.global [%q0], [%q0], 4",
           "cp.async.ca.shared.global [s], [%q0]",
           "cp.async.commit_group",
           "cp.async.commit_group 0",
           "cp.async.wait_group 2",
           "cp.async.wait_group",
           "cp.async.wait_all",
           "cp.async.wait_all 0",
           "cp.async.mbarrier.arrive.b64 [%q0]",
           "cp.async.mbarrier.arrive.shared.b64 [s]",
           "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [s]",
           "cp.async.mbarrier.arrive.noinc.b32 [s]",
           "cp.async.mbarrier.arrive.global.b64 [%q0]",
           "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%q0], %r0, [%r1]",
           "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [%q0], 32, [%r1]",
           "cp.async.bulk.shared::cluster.global [s], [%q0], %r0, [%r1]",
           "cp.async.bulk.global.shared::cta.bulk_group [%q0], [s], %r0",
           "cp.async.bulk.global.shared::cta [%q0], [s], %r0",
           "cp.async.bulk.commit_group",
           "cp.async.bulk.wait_group 1",
           "cp.async.bulk.wait_group.read 0",
           "cp.async.bulk.wait_all",
           "cp.async.bulk.prefetch.L2.global [%q0], %r0"});
}

TEST(AsyncPtxas, ReductionsAndCountedStoresAreTheSame) {
  const std::string to_global = "cp.reduce.async.bulk.global.shared::cta.bulk_group.",
                    to_shared = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.",
                    store = "st.async.shared::cluster.mbarrier::complete_tx::bytes.",
                    reduce = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.";
  std::vector<std::string> lines = {
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s], [s], %r0, [%r1]",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [%q0], %r0, [%r1], "
      "%h0",
      to_global + "add.noftz.f16 [%q0], [s], %r0",
      store + "s32 [s], %r0, [%r2]",
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [s], %q0, [%r2]",
      "red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [s], %r0, [%r1]"};
  for (const char* op : {"and", "or", "xor", "add", "inc", "dec", "min", "max"}) {
    for (const char* type : {"b32", "u32", "s32", "b64", "u64", "s64", "f16", "bf16", "f32", "f64"}) {
      const std::string what = fmt::format("{}.{}", op, type);
      const bool wide = std::string(type).ends_with("64");
      lines.push_back(to_global + what + " [%q0], [s], %r0");
      lines.push_back(to_shared + what + " [s], [s], %r0, [%r1]");
      lines.push_back(reduce + what + (wide ? " [s], %q0, [%r1]" : " [s], %r0, [%r1]"));
    }
  }
  compare(lines);
}

TEST(AsyncPtxas, MbarriersAreTheSame) {
  compare({"mbarrier.init.b64 [%q0], %r0",
           "mbarrier.init.shared::cta.b64 [s], 32",
           "mbarrier.init.shared.b32 [s], 32",
           "mbarrier.init.global.b64 [%q0], 32",
           "mbarrier.init.shared.b64 [s]",
           "mbarrier.inval.shared.b64 [s]",
           "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], %r0",
           "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [s], %r0",
           "mbarrier.expect_tx.shared.b64 [s], 64",
           "mbarrier.expect_tx.release.cta.shared.b64 [s], 64",
           "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], %r0",
           "mbarrier.complete_tx.shared.b64 [s], 64",
           "mbarrier.arrive.b64 %q0, [%q1]",
           "mbarrier.arrive.shared.b64 %q0, [s], 2",
           "mbarrier.arrive.shared.b64 _, [s]",
           "mbarrier.arrive.release.cta.shared::cta.b64 %q0, [s]",
           "mbarrier.arrive.relaxed.cta.shared::cta.b64 %q0, [s]",
           "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [s], 2",
           "mbarrier.arrive.release.gpu.shared::cta.b64 %q0, [s]",
           "mbarrier.arrive.acquire.cta.shared::cta.b64 %q0, [s]",
           "mbarrier.arrive.noComplete.shared.b64 %q0, [s], 2",
           "mbarrier.arrive.noComplete.shared.b64 %q0, [s]",
           "mbarrier.arrive.expect_tx.shared.b64 %q0, [s], %r0",
           "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %q0, [s], 128",
           "mbarrier.arrive.expect_tx.shared.b64 %q0, [s]",
           "mbarrier.arrive_drop.shared.b64 %q0, [s]",
           "mbarrier.arrive_drop.release.cluster.shared::cta.b64 %q0, [s], 3",
           "mbarrier.arrive_drop.noComplete.shared.b64 %q0, [s], 3",
           "mbarrier.arrive_drop.expect_tx.shared.b64 %q0, [s], %r0",
           "mbarrier.test_wait.shared.b64 %p0, [s], %q0",
           "mbarrier.test_wait.parity.shared.b64 %p0, [s], %r0",
           "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p0, [s], %q0",
           "mbarrier.test_wait.release.cta.shared::cta.b64 %p0, [s], %q0",
           "mbarrier.test_wait.shared.b64 %p0, [s]",
           "mbarrier.try_wait.shared.b64 %p0, [s], %q0",
           "mbarrier.try_wait.parity.shared::cta.b64 %p0, [s], %r0, %r1",
           "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p0, [s], %r0",
           "mbarrier.pending_count.b64 %r0, %q0",
           "mbarrier.pending_count.shared.b64 %r0, %q0"});
}

TEST(AsyncPtxas, FencesAndHintsAreTheSame) {
  compare({"fence.proxy.alias",
           "fence.proxy.async",
           "fence.proxy.async.global",
           "fence.proxy.async.shared::cta",
           "fence.proxy.async.shared::cluster",
           "fence.proxy.async.local",
           "fence.proxy.alias.global",
           "fence.proxy",
           "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
           "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
           "fence.proxy.async::generic.acquire.sync_restrict::shared::cta.cluster",
           "fence.proxy.tensormap::generic.release.gpu",
           "fence.proxy.tensormap::generic.acquire.sys [%q0], 128",
           "fence.proxy.tensormap::generic.acquire.sys",
           "fence.proxy.tensormap::generic.release [%q0], 128",
           "fence.mbarrier_init.release.cluster",
           "fence.mbarrier_init.acquire.cluster",
           "fence.acquire.sync_restrict::shared::cluster.cluster",
           "fence.release.sync_restrict::shared::cta.cluster",
           "fence.sc.cluster",
           "fence.acquire.gpu",
           "fence.release.sys",
           "fence.acq_rel",
           "membar.proxy.alias",
           "membar.proxy.async",
           "discard.L2 [%q0], 128",
           "discard.global.L2 [%q0], 128",
           "discard.global.L1 [%q0], 128",
           "discard.shared.L2 [%q0], 128",
           "griddepcontrol.launch_dependents",
           "griddepcontrol.wait",
           "griddepcontrol",
           "setmaxnreg.inc.sync.aligned.u32 96",
           "setmaxnreg.dec.sync.aligned.u32 40",
           "setmaxnreg.sync.aligned.u32 40",
           "setmaxnreg.inc.u32 40",
           "barrier.cluster.arrive",
           "barrier.cluster.arrive.aligned",
           "barrier.cluster.arrive.release.aligned",
           "barrier.cluster.arrive.relaxed",
           "barrier.cluster.arrive.acquire",
           "barrier.cluster.wait",
           "barrier.cluster.wait.acquire.aligned",
           "barrier.cluster.wait.release",
           "barrier.cluster"});
}

TEST(AsyncPtxas, CachePoliciesAreTheSame) {
  compare({"createpolicy.fractional.L2::evict_last.b64 %q0",
           "createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %q0, 0f3F000000",
           "createpolicy.fractional.L2::evict_unchanged.L2::evict_first.b64 %q0, 0f3F000000",
           "createpolicy.fractional.L2::evict_last.L2::evict_last.b64 %q0", "createpolicy.fractional.b64 %q0",
           "createpolicy.fractional.L2::evict_last.b32 %q0",
           "createpolicy.range.L2::evict_last.b64 %q0, [%q1], 64, 128",
           "createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64 %q0, [%q1], 64, 128",
           "createpolicy.range.shared.L2::evict_first.b64 %q0, [%q1], 64, 128",
           "createpolicy.range.L2::evict_first.b64 %q0, [%q1], 64", "createpolicy.cvt.L2.b64 %q0, 0x10000",
           "createpolicy.cvt.L2.b32 %q0, 0x10000"});
}

TEST(AsyncPtxas, TensorCopiesAreTheSame) {
  const std::string complete = "mbarrier::complete_tx::bytes";
  compare({"cp.async.bulk.tensor.1d.shared::cta.global." + complete + " [s], [%q0, {%r0}], [%q1]",
           "cp.async.bulk.tensor.2d.shared::cluster.global.tile." + complete + " [s], [%q0, {%r0, %r1}], [%q1]",
           "cp.async.bulk.tensor.2d.shared::cluster.global." + complete +
               ".multicast::cluster [s], [%q0, {%r0, %r1}], [%q1], %h0",
           "cp.async.bulk.tensor.3d.shared::cluster.global." + complete +
               ".L2::cache_hint [s], [%q0, {%r0, %r1, %r2}], [%q1], %q2",
           "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%q0, {%r0, %r1}], [s]",
           "cp.async.bulk.tensor.5d.global.shared::cta.bulk_group.L2::cache_hint [%q0, {%r0, %r1, %r2, %r3, %r4}], "
           "[s], %q1",
           "cp.async.bulk.tensor.2d.global.bulk_group [%q0, {%r0, %r1}], [s]",
           "cp.async.bulk.tensor.6d.global.shared::cta.bulk_group [%q0, {%r0, %r1}], [s]",
           "cp.async.bulk.tensor.2d.shared::cluster.global [s], [%q0, {%r0, %r1}], [%q1]",
           "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%q0, {%r0}], [s]",
           "cp.reduce.async.bulk.tensor.1d.global.shared::cta.xor.tile.bulk_group [%q0, {%r0}], [s]",
           "cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group [%q0, {%r0}], [s]",
           "cp.async.bulk.prefetch.tensor.4d.L2.global.tile [%q0, {%r0, %r1, %r2, %r3}]", "prefetch.tensormap [%q0]",
           "prefetch.param.tensormap [%q0]", "prefetch.shared.tensormap [%q0]"});
}

TEST(AsyncPtxas, MulticastAccessesAreTheSame) {
  compare({"multimem.ld_reduce.global.add.u32 %r0, [%q0]", "multimem.ld_reduce.relaxed.gpu.global.add.f64 %d0, [%q0]",
           "multimem.ld_reduce.weak.and.b64 %q0, [%q1]", "multimem.ld_reduce.acquire.sys.global.max.s64 %q0, [%q1]",
           "multimem.ld_reduce.global.add.acc::f32.v4.f16x2 {%r0, %r1, %r2, %r3}, [%q0]",
           "multimem.ld_reduce.global.min.v2.bf16x2 {%r0, %r1}, [%q0]",
           "multimem.ld_reduce.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%q0]",
           "multimem.ld_reduce.global.xor.u32 %r0, [%q0]", "multimem.ld_reduce.global.u32 %r0, [%q0]",
           "multimem.st.global.b32 [%q0], %r0", "multimem.st.release.sys.global.v4.f32 [%q0], {%f0, %f1, %f2, %f3}",
           "multimem.st.acquire.sys.global.b32 [%q0], %r0", "multimem.red.relaxed.gpu.global.add.u32 [%q0], %r0",
           "multimem.red.global.or.b64 [%q0], %q1", "multimem.red.global.add.v4.f32 [%q0], {%f0, %f1, %f2, %f3}",
           "multimem.red.acquire.gpu.global.add.u32 [%q0], %r0"});
}

TEST(AsyncPtxas, WhatIsMissingIsNamed) {
  for (const char* text : {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32",
                           "tensormap.replace.tile.rank.shared::cta.b1024.b32 [s], 1",
                           "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [s]"}) {
    const Line line = line_of(text);
    const auto decoded = decode(line.root, line.words, line.count);
    ASSERT_FALSE(decoded.ok()) << text;
    EXPECT_NE(decoded.error().find(line.root), std::string::npos) << decoded.error();
  }
}

}  // namespace
}  // namespace hpml::sim::isa
