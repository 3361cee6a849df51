// Question: does every instruction give the vectors' results when it is written as PTX, through parser, lowering and
// executor, one thread per row?
#include "simulator/tests/exec/ptx_rig.hpp"
#include "simulator/tests/exec/vector_program.hpp"

namespace hpml::sim::exec {
namespace {

using isa::Bits;
using isa::VectorRow;

const isa::VectorFile& vectors() {
  static const isa::VectorFile kFile = isa::read_vectors(HPML_SOURCE_DIR "/simulator/tests/isa/vectors");
  return kFile;
}

struct Case {
  std::string op, kernel;
  const isa::Variant* variant = nullptr;
  std::vector<VectorRow> rows;
};

const isa::Variant* variant_of(const std::string& op, const VectorRow& row) {
  const auto [root, words] = isa::words_of_op(op);
  for (const size_t hidden : {0u, 1u}) {  // the word of a video instruction's parts is no operand
    const auto decoded = isa::decode(root, words, row.inputs + row.outputs - hidden);
    if (decoded.ok() && (decoded->variant->selectors != isa::Selectors::none) == (hidden == 1)) {
      return decoded->variant;
    }
  }
  return nullptr;
}

// Approximations have their bounds in the isa room's test; here the rows with exact results. Parts of operands and
// lop3's table are text: one row to a kernel, two kernels to an op.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& [op, rows] : vectors()) {
    if (op.starts_with("__nv_") || isa::changes_memory(op)) {
      continue;
    }
    Case c{op, "", variant_of(op, rows.front()), {}};
    if (c.variant == nullptr) {
      ADD_FAILURE() << op << " is not decoded";
      continue;
    }
    const bool parts = c.variant->selectors != isa::Selectors::none || op.starts_with("lop3");
    for (const VectorRow& row : rows) {
      if (row.check == "exact") {
        c.rows.push_back(row);
      }
      if (c.rows.size() == (parts ? 1 : 256)) {
        c.kernel = "k" + std::to_string(out.size());
        out.push_back(c);
        c.rows.clear();
        if (parts && out.size() > 1 && out[out.size() - 2].op == op) {
          break;
        }
      }
    }
    if (!c.rows.empty()) {
      c.kernel = "k" + std::to_string(out.size());
      out.push_back(c);
    }
  }
  return out;
}

std::vector<std::byte> inputs_of(const Case& c) {
  std::vector<std::byte> in(c.rows.size() * kVectorInputs);
  for (size_t r = 0; r < c.rows.size(); ++r) {
    for (size_t i = 0; i < c.rows[r].inputs; ++i) {
      std::memcpy(in.data() + r * kVectorInputs + i * kVectorSlot, &c.rows[r].in[i], kVectorSlot);
    }
    if (c.rows[r].carry_in >= 0) {
      std::memcpy(in.data() + r * kVectorInputs + 4 * kVectorSlot, &c.rows[r].carry_in, sizeof(int));
    }
  }
  return in;
}

void check_case(PtxRig& rig, const Case& c) {
  const uint64_t in = rig.upload(inputs_of(c));
  const uint64_t out = rig.upload(std::vector<std::byte>(c.rows.size() * kVectorOutputs));
  Grid& grid = rig.run(c.kernel, {1}, {static_cast<uint32_t>(c.rows.size())}, {in, out});
  ASSERT_FALSE(grid.trap().has_value()) << c.op << ": " << grid.trap()->message;
  const auto bytes = rig.download<std::byte>(out, c.rows.size() * kVectorOutputs);
  for (size_t r = 0; r < c.rows.size(); ++r) {
    const VectorRow& row = c.rows[r];
    for (size_t i = 0; i < row.outputs; ++i) {
      Bits got = 0;
      std::memcpy(&got, bytes.data() + r * kVectorOutputs + i * kVectorSlot, kVectorSlot);
      EXPECT_TRUE(got == row.out[i]) << c.op << ": result " << i << " is " << isa::hex(got) << "\n  " << row.text;
    }
    if (row.carry_out >= 0) {
      int carry = -1;
      std::memcpy(&carry, bytes.data() + r * kVectorOutputs + 4 * kVectorSlot, sizeof carry);
      EXPECT_EQ(carry, row.carry_out) << c.op << "\n  " << row.text;
    }
  }
}

TEST(VectorsAsPtx, GiveTheReferenceResults) {
  const std::vector<Case> all = cases();
  ASSERT_GT(all.size(), 3000u);
  constexpr size_t kPerModule = 500;  // the rig's memory is not given back before the rig
  for (size_t first = 0; first < all.size(); first += kPerModule) {
    const size_t last = std::min(all.size(), first + kPerModule);
    std::string text;
    for (size_t i = first; i < last; ++i) {
      text += vector_kernel(all[i].kernel, vector_statements(all[i].op, *all[i].variant, all[i].rows.front()));
    }
    PtxRig rig(text);
    for (size_t i = first; i < last && !testing::Test::HasFatalFailure(); ++i) {
      check_case(rig, all[i]);
    }
  }
}

}  // namespace
}  // namespace hpml::sim::exec
