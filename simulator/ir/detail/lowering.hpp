#pragma once
// Lowering one function: names to registers, constants and offsets; words to variants; statements to a flat list.
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/ir/detail/draft.hpp"
#include "simulator/ir/names.hpp"
#include "simulator/isa/decode.hpp"
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::ir {

// What a name inside a function means. Registers carry a slot; memory carries a place.
struct Local {
  enum class Kind : uint8_t {
    reg,
    vector_reg,
    local_memory,
    shared_memory,
    kernel_param,
    variable,
    formal,
    label,
    prototype,
    targets
  } kind = Kind::reg;
  isa::Slot slot = isa::kNoSlot;  // reg
  int elements = 1;               // vector_reg: their registers are NAME.x, .y, .z, .w
  uint32_t offset = 0;            // local_memory, formal: in the local frame; shared_memory; kernel_param
  int variable = -1;              // variable: declared in the function, in Linked::variables
  int label = -1;                 // label
  const ptx::CallPrototype* prototype = nullptr;
  const ptx::BranchTargets* targets = nullptr;
};

constexpr uint32_t kReservedSharedBytes = 1024;  // per block, from compute capability 8.0 (CUDA programming guide)

// State shared by the functions of one kernel's module.
class ModuleLowering {
 public:
  ModuleLowering(const Linked& linked, const std::vector<Param>& params, uint32_t dynamic_base, Names* names = nullptr)
      : linked(&linked), kernel_params(&params), names(names), dynamic_base_(dynamic_base) {}

  int function_index(int linked_function);  // in the module being built; queues it on first use
  void need_address_taken();                // an indirect call was seen
  uint32_t shared_offset(const ptx::Variable& v);
  uint32_t reserved_shared_offset();  // of the part that the system keeps for itself; there is one once this was asked

  const Linked* linked;
  const std::vector<Param>* kernel_params;
  Names* names;  // null: nobody asks
  ConstPool pool;
  std::vector<int> order;        // linked function of each module function
  uint32_t static_shared = 0;    // bytes, the reserved part included
  uint32_t reserved_shared = 0;  // bytes
  bool uses_dynamic_shared = false;
  uint32_t dynamic_align = 16;  // bytes; the hardware's base is at least this aligned
  std::vector<ParamSlot> param_slots;

 private:
  std::map<int, int> index_of_;
  std::map<const ptx::Variable*, uint32_t> shared_;
  uint32_t reserved_offset_ = 0;
  uint32_t dynamic_base_;
};

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, int linked_function);
  // Error: the first diagnostic. On success all passes have run.
  Result<Function> run();

 private:
  using Void = Result<void>;
  // lower_function.cpp: statements, scopes, labels
  Void declare_frame();
  Void lower_block(const ptx::Block& block);
  Void declare(const ptx::Variable& v);
  Void declare_registers(const ptx::Variable& v);
  std::optional<ptx::Instruction> with_elements(const ptx::Instruction& inst) const;
  void declare_labels(const ptx::Block& block);
  Void resolve_labels();
  Void lower_instruction(const ptx::Instruction& inst);
  Void add_offsets(ptx::Instruction& inst);
  std::vector<std::string> words_of(const ptx::Instruction& inst) const;
  Void finish_code();
  ptx::SourceLoc line_to_show(const ptx::SourceLoc& innermost) const;
  Inst& emit(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void set_guard(const ptx::Instruction& inst, Inst& out);
  void mark_unsupported(const ptx::Instruction& inst, std::string why);

  // lower_operands.cpp
  const Local* lookup(const std::string& name) const;
  isa::Slot new_reg(isa::Ty type, bool fixed = false);
  Result<isa::Slot> reg(const ptx::Operand& operand);  // a register operand, special registers included
  isa::Slot special(Special what, uint8_t index, uint8_t bytes);
  Result<isa::Slot> special_register(const ptx::RegisterOperand& r, SourcePos pos);
  Result<isa::Slot> source(const ptx::Operand& operand, isa::Ty type, uint8_t container);  // register or constant
  Result<isa::Slot> destination(const ptx::Operand& operand);                              // register or sink
  Result<uint64_t> constant_bits(const ptx::Immediate& imm, isa::Ty type, SourcePos pos) const;
  std::optional<uint64_t> symbol_address(
      const ptx::SymbolOperand& s);  // global, shared, function, kernel param; not local
  uint8_t container_of(isa::Slot slot) const;
  Result<bool> check_container(const ptx::Instruction& inst, isa::Slot slot, const isa::OperandSpec& spec,
                               size_t position) const;

  // lower_lane.cpp
  // `selectors`: the last source of an instruction that has them, from lower_video.
  Void lower_lane(const ptx::Instruction& inst, const isa::Decoded& decoded, isa::Slot selectors = isa::kNoSlot);
  Void lower_video(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_mov(const ptx::Instruction& inst);
  static bool moves_vector(const ptx::Instruction& inst);
  Void lower_vector_mov(const ptx::Instruction& inst);
  Void lower_pack(const ptx::Instruction& inst, const ptx::VectorOperand& vector, bool pack);
  Void lower_warp(const ptx::Instruction& inst, const isa::Decoded& decoded);

  // lower_matrix.cpp
  Result<void> matrix_scale(const ptx::Operand& factors, const ptx::Operand& place, std::vector<isa::Slot>& out);
  Result<void> matrix_product(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                              MatrixOperands& lists);
  Result<void> warpgroup_product(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                                 MatrixOperands& lists);
  Result<void> matrix_access(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                             MatrixOperands& lists);
  Void lower_matrix(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Result<std::vector<isa::Slot>> matrix_registers(const ptx::Instruction& inst, const ptx::Operand& operand,
                                                  isa::Element type, size_t count, bool write);

  // lower_image.cpp
  Void lower_image(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_image_question(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void image_handle(const ptx::Operand& operand, Inst& out);
  Void image_values(const ptx::Instruction& inst, const ptx::Operand& moved, const isa::Decoded& decoded, bool reads,
                    MatrixOperands& lists, Inst& out);
  Void texture_extras(const ptx::Instruction& inst, size_t first, isa::ImageShape shape, MatrixOperands& lists,
                      Inst& out);
  Result<std::vector<isa::Slot>> image_registers(const ptx::Operand& operand, isa::Ty type, bool write);

  // lower_async.cpp
  Void lower_copy_async(const ptx::Instruction& inst, Inst& out);
  Void lower_copy_bulk(const ptx::Instruction& inst, Inst& out);
  Void lower_tensor_copy(const ptx::Instruction& inst, const ptx::ListOperand& place, Inst& out);
  Void lower_barrier_address(const ptx::Operand& operand, Inst& out);
  static bool counts_bytes(const Inst& out);
  Void count_bytes(const ptx::Instruction& inst, const Inst& done);
  Void lower_try_cancel(const ptx::Instruction& inst, Inst& out);
  Void lower_copy_group(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_stack(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_mbarrier(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void set_destination_address(const ptx::Operand& operand, Inst& out);

  // lower_memory.cpp
  Void lower_memory(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_in_halves(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void set_address(const ptx::AddressOperand& address, SourcePos pos, Inst& out);
  Void set_values(const ptx::Instruction& inst, const ptx::Operand& operand, Inst& out, bool store);
  Result<bool> lower_param_load(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_atomic(const ptx::Instruction& inst, Inst& out);
  Result<isa::SourceSlots> data_slots(const ptx::Instruction& inst, size_t first, size_t count, isa::Ty type);

  // lower_control.cpp
  Void lower_control(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Void lower_barrier(const ptx::Instruction& inst, const isa::Decoded& decoded);

  // lower_call.cpp
  struct Formals {  // of the function called; null: it is not declared
    const std::vector<ptx::Variable>* returns = nullptr;
    const std::vector<ptx::Variable>* params = nullptr;
  };
  Void lower_call(const ptx::Instruction& inst, const isa::Decoded& decoded);
  Formals formals_of(const ptx::Operand& callee, const ptx::Operand* prototype) const;
  Void bind_callee(const ptx::Instruction& inst, const ptx::Operand& callee, CallSite& site, Inst& out,
                   const ptx::Operand* prototype);
  Void bind_pieces(const ptx::Instruction& inst, const ptx::Operand* list, const Formals& formals, bool results,
                   std::vector<CallSite::Piece>& out, std::vector<ptx::Instruction>& moves);
  std::string new_frame_place(uint32_t bytes);
  Void add_moves(const ptx::Instruction& inst, const ptx::Operand& value, const ptx::Variable& formal,
                 const std::string& place, bool store, std::vector<ptx::Instruction>& moves);
  Void declare_formals(const std::vector<ptx::Variable>& list, const std::vector<Function::Formal>& places,
                       bool results);
  Void load_register_parameters();
  Void store_register_results(const ptx::Instruction& ret);

  // names.cpp
  void note_register(const std::string& name, isa::Slot slot, int ptx_line);
  void note_place(const std::string& name, ptx::Space space, uint32_t offset, uint64_t size);
  void finish_names(const std::vector<isa::Slot>& slots);

  Diag error(SourcePos pos, std::string message) const;

  ModuleLowering& module_;
  int part_;
  const ptx::Function& ast_;
  Draft draft_;
  std::vector<std::map<std::string, Local>> scopes_;
  std::vector<Pc> label_pcs_;
  std::vector<bool> label_nounroll_;
  struct Fixup {
    Pc pc;
    int label;
  };
  std::vector<Fixup> fixups_;
  std::vector<std::vector<int>> target_labels_;  // of brx
  std::map<std::pair<Special, uint32_t>, isa::Slot> specials_;
  FunctionNames names_;  // of ModuleLowering::names
};

// Formal parameters and results of a device function, in the order of the local frame: the one layout that callers,
// callees and prototypes share.
std::vector<Function::Formal> formal_layout(const std::vector<ptx::Variable>& returns,
                                            const std::vector<ptx::Variable>& params, bool want_returns);
uint32_t formal_bytes(const std::vector<ptx::Variable>& returns, const std::vector<ptx::Variable>& params);

}  // namespace hpml::sim::ir
