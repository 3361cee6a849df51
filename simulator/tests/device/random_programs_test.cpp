// Question: do random straight-line programs leave the same memory in functional and in cycle mode, and where the
// instruction vectors know the result, the right one?
//
// A program mixes rows of the vectors (operands from memory, results to memory: known) with instructions on registers
// that were written before (unknown, but the same in both modes), the latter partly under guards.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "simulator/device/api.hpp"
#include "simulator/tests/device/devices.hpp"
#include "simulator/tests/exec/vector_program.hpp"

namespace hpml::sim::device {
namespace {

using isa::VectorRow;

struct Known {
  std::string op;
  const isa::Variant* variant;
  VectorRow row;
};

// Rows of lane instructions with exact results, one of each op at least.
const std::vector<Known>& known_rows() {
  static const std::vector<Known> kRows = [] {
    std::vector<Known> out;
    for (const auto& [op, rows] : isa::read_vectors(HPML_SOURCE_DIR "/simulator/tests/isa/vectors")) {
      if (op.starts_with("__nv_") || op.starts_with("atom.") || op.starts_with("red.") || op.starts_with("cp.")) {
        continue;
      }
      const auto [root, words] = isa::words_of_op(op);
      const size_t hidden = root[0] == 'v' ? 1 : 0;
      const auto decoded = isa::decode(root, words, rows.front().inputs + rows.front().outputs - hidden);
      for (size_t i = 0; decoded.ok() && i < rows.size(); i += 5) {
        if (rows[i].check == "exact") {
          out.push_back({op, decoded->variant, rows[i]});
        }
      }
    }
    return out;
  }();
  return kRows;
}

constexpr int kUnknownRegisters = 6;

class Program {
 public:
  Program(uint32_t seed, size_t rows) : random_(seed) {
    for (size_t i = 0; i < rows; ++i) {
      const Known& known = known_rows()[random_() % known_rows().size()];
      rows_.push_back(known);
      text_ += exec::vector_statements(known.op, *known.variant, known.row) + "add.u64 %in, %in, " +
               std::to_string(exec::kVectorInputs) + ";\nadd.u64 %out, %out, " + std::to_string(exec::kVectorOutputs) +
               ";\n";
      add_unknown();
      add_unknown();
    }
    store_unknown();
  }

  std::string kernel() const {
    std::string registers, start;
    const std::pair<char, const char*> kFiles[] = {
        {'p', "pred"}, {'h', "b16"}, {'r', "b32"}, {'d', "b64"}, {'q', "b128"}};
    for (const auto& [letter, type] : kFiles) {
      registers += std::string(".reg .") + type + " %u" + letter + "<" + std::to_string(kUnknownRegisters) + ">;\n";
    }
    for (int i = 0; i < kUnknownRegisters; ++i) {
      const std::string n = std::to_string(i);
      const std::string number =
          std::to_string(0x9e3779b97f4a7c15u * static_cast<uint64_t>(i + 3) % 0x7fffffffffffffff);
      start += "mov.b64 %ud" + n + ", " + number + ";\ncvt.u32.u64 %ur" + n + ", %ud" + n + ";\ncvt.u16.u64 %uh" + n +
               ", %ud" + n + ";\nmov.b128 %uq" + n + ", {%ud" + n + ", %ud0};\nsetp.lt.u32 %up" + n + ", %laneid_, " +
               std::to_string(3 * i + 5) + ";\n";
    }
    return ".visible .entry k(.param .u64 in, .param .u64 out) {\n" + exec::vector_registers() + registers +
           ".reg .b32 %laneid_;\nmov.u32 %laneid_, %laneid;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n" +
           start + text_ + "ret;\n}\n";
  }

  const std::vector<Known>& rows() const { return rows_; }
  size_t output_bytes() const { return (rows_.size() + kUnknownRegisters * 4) * exec::kVectorOutputs; }
  std::vector<std::byte> inputs() const {
    std::vector<std::byte> out(rows_.size() * exec::kVectorInputs);
    for (size_t r = 0; r < rows_.size(); ++r) {
      const VectorRow& row = rows_[r].row;
      for (size_t i = 0; i < row.inputs; ++i) {
        std::memcpy(out.data() + r * exec::kVectorInputs + i * exec::kVectorSlot, &row.in[i], exec::kVectorSlot);
      }
      if (row.carry_in >= 0) {
        std::memcpy(out.data() + r * exec::kVectorInputs + 4 * exec::kVectorSlot, &row.carry_in, sizeof(int));
      }
    }
    return out;
  }

 private:
  std::string pick(isa::Ty type) {
    return exec::vector_register(type, 'u', random_() % static_cast<unsigned>(kUnknownRegisters));
  }
  // An instruction on registers nobody knows the values of.
  void add_unknown() {
    const Known& known = known_rows()[random_() % known_rows().size()];
    const isa::Variant& v = *known.variant;
    if (v.selectors != isa::Selectors::none || v.uses_carry || v.sets_carry || known.op.starts_with("mov.")) {
      return;
    }
    if (random_() % 4 == 0) {
      text_ += (random_() % 2 == 0 ? "@%up" : "@!%up") + std::to_string(random_() % kUnknownRegisters) + " ";
    }
    text_ += known.op + " " + pick(v.dst[0].type);
    for (size_t i = 0; i < static_cast<size_t>(v.src_count); ++i) {
      const bool table = known.op.starts_with("lop3") && i == 3;
      text_ += ", " + (table ? std::to_string(random_() % 256) : pick(v.src[i].type));
    }
    text_ += ";\n";
  }
  // Lanes differ by their predicates: the last word is of lane 0 (no guard hides it), predicates are ballots.
  void store_unknown() {
    for (int i = 0; i < kUnknownRegisters; ++i) {
      const std::string n = std::to_string(i);
      text_ += "st.global.b16 [%out], %uh" + n + ";\nst.global.b32 [%out+16], %ur" + n +
               ";\nst.global.b64 [%out+32], %ud" + n + ";\nst.global.b128 [%out+48], %uq" + n +
               ";\nvote.sync.ballot.b32 %x0, %up" + n +
               ", 0xffffffff;\nst.global.b32 [%out+64], %x0;\nadd.u64 %out, %out, " +
               std::to_string(exec::kVectorOutputs) + ";\n";
    }
  }

  std::mt19937 random_;
  std::vector<Known> rows_;
  std::string text_;
};

std::vector<std::byte> run(const Program& program, Mode mode) {
  const auto device = make(options(mode));
  LaunchRequest request;
  request.kernel = load(*device, program.kernel(), "k");
  request.grid = {1, 1, 1};
  request.block = {32, 1, 1};
  const std::vector<std::byte> in = program.inputs();
  const uint64_t addresses[] = {device->memory().allocate(memory::Kind::device, in.size()),
                                device->memory().allocate(memory::Kind::device, program.output_bytes())};
  std::memcpy(device->memory().find(addresses[0])->view, in.data(), in.size());
  std::byte* results = device->memory().find(addresses[1])->view;
  std::memset(results, 0, program.output_bytes());
  request.params = std::as_bytes(std::span(addresses));
  EXPECT_EQ(device->check_launch(request), LaunchError::none);
  const LaunchResult result = device->launch(request);
  EXPECT_FALSE(result.trap.has_value()) << (result.trap ? result.trap->message : "");
  return {results, results + program.output_bytes()};
}

void check_known(const Program& program, const std::vector<std::byte>& memory) {
  for (size_t r = 0; r < program.rows().size(); ++r) {
    const Known& known = program.rows()[r];
    for (size_t i = 0; i < known.row.outputs; ++i) {
      isa::Bits got = 0;
      std::memcpy(&got, memory.data() + r * exec::kVectorOutputs + i * exec::kVectorSlot, sizeof got);
      EXPECT_TRUE(got == known.row.out[i]) << known.op << " is " << isa::hex(got) << "\n  " << known.row.text;
    }
  }
}

TEST(RandomPrograms, LeaveTheSameMemoryInBothModes) {
  constexpr uint32_t kPrograms = 24;
  constexpr size_t kRows = 120;
  for (uint32_t seed = 1; seed <= kPrograms && !testing::Test::HasFailure(); ++seed) {
    const Program program(seed, kRows);
    const std::vector<std::byte> functional = run(program, Mode::functional);
    EXPECT_EQ(functional, run(program, Mode::cycle)) << "seed " << seed;
    check_known(program, functional);
  }
}

}  // namespace
}  // namespace hpml::sim::device
