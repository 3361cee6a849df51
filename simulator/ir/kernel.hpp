#pragma once
// ir::Module: functions decoded once, ready to execute: numbered register slots, variant pointers, branch targets,
// reconvergence points, constants broadcast to 32 lanes. Immutable after lowering.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/isa/op.hpp"

namespace hpml::sim::ir {

using Pc = uint32_t;                       // index into Function::code
inline constexpr Pc kNoPc = 0xffff'ffffu;  // "reconverge when the function returns"

// Virtual register number within a function, for dependence tracking. kNoReg in unused places.
using RegId = uint16_t;
inline constexpr RegId kNoReg = 0xffff;

// Values every thread can read (PTX ISA chapter 10) plus the base of the current local frame.
enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  dynamic_smem_size,
  total_smem_size,
  envreg,
  constant,
  clusterid,
  nclusterid,
  cluster_ctaid,
  cluster_nctaid,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,  // a predicate
  local_base            // byte offset of the current function's frame in local memory
};

inline bool changes_over_time(Special what) {
  return what == Special::clock || what == Special::clock_hi || what == Special::clock64 ||
         what == Special::globaltimer || what == Special::globaltimer_lo || what == Special::globaltimer_hi;
}

struct SpecialUse {
  Special what{};
  uint8_t index = 0;  // of %envregN; axis of %clusterid and its like; value of a constant
  isa::Slot slot = 0;
  uint8_t bytes = 4;  // container: 4 or 8; 0: a predicate
};

// Functions of the device runtime that PTX declares extern (simulator_frontend section 15).
enum class Builtin : uint8_t {
  none,
  vprintf,
  assertfail,
  malloc,
  free,
  // The CUDA device runtime (cuda_device_runtime_api.h)
  get_parameter_buffer,
  launch_device,
  memcpy_async,
  memcpy_2d_async,
  memset_async,
  memset_2d_async,
  get_last_error,
  peek_last_error,
  get_device,
  get_device_count,
  get_attribute,
  get_limit,
  no_preference,  // of a cache or a bank size: none can be set
  runtime_version,
  create_handle,  // of a stream or an event
  order_streams,  // whatever only orders, or gives back a handle
  device_malloc,
  device_free,
  function_attributes,
  resident_blocks,  // how many of a kernel's fit into a multiprocessor
  set_conditional,
  unsupported
};

struct CallSite {
  int callee = -1;                     // function index; -1: indirect (code address in src[0]), libm or builtin
  const isa::Variant* libm = nullptr;  // a whole math function as one instruction
  Builtin builtin = Builtin::none;
  std::string name;  // for diagnostics
  struct Piece {
    uint32_t caller_offset = 0, callee_offset = 0,
             bytes = 0;  // in the two local frames; callee_offset unused if indirect
  };
  std::vector<Piece> args, results;  // indirect calls: callee_offset by the prototype's layout
};

// Register lists of a matrix instruction: too many for Inst. Scalars beside them (address, stride, metadata) are in
// Inst.
struct MatrixOperands {
  std::vector<isa::Slot> d, a, b, c;
  std::vector<isa::Slot> scales;  // block-scaled mma: factors of a, byte, thread; factors of b, byte, thread
  std::vector<RegId> reads, writes;
};

// wgmma, in Inst::offset: the immediate operands. A matrix that lies in memory by its descriptor is one register of
// MatrixOperands.
inline constexpr int64_t kNegateA = 1, kNegateB = 2, kTransposeA = 4, kTransposeB = 8;
// Matrix products, in Inst::src.
inline constexpr size_t kMetadata = 0, kSelector = 1, kAccumulate = 2;

// Whether it matters to other blocks when an instruction runs, or to it what they have done: multiprocessors that run
// side by side execute those one after another.
enum class Turns : uint8_t { free, in_clusters, always };

// What machine code does with an atomic whose address is the same in all lanes of a warp (combine_atomics.cpp).
enum class Combine : uint8_t {
  none,    // every lane's operation is carried out in memory
  elect,   // one lane asks for all: they add the same value
  reduce,  // the values are combined first, then one lane asks
  scan     // the same with a running sum, because every lane gets its own old value
};

struct Inst : isa::LaneInst {
  isa::Slot guard = isa::kNoSlot;  // predicate slot
  bool guard_negated = false;
  isa::Shape shape = isa::Shape::lane;
  isa::Lat lat = isa::Lat::none;  // class by variant; memory classes by the space written in the PTX
  uint8_t machine_ops = 1;        // machine instructions it becomes; 0: folded into another one
  uint8_t helpers = 0;            // further ones, simple integer arithmetic, that it needs around them
  uint8_t helper_chain = 0;       // those of the helpers that the result waits for
  isa::ThreadOp thread_op = isa::ThreadOp::none;
  bool is_join = false;          // some branch reconverges here
  bool refresh_special = false;  // reads %clock and the like: slots are refreshed before it runs
  uint16_t plain = 0;            // from here on: instructions that only compute, lane by lane, without guards or clocks
  Turns turns = Turns::free;
  Combine combine = Combine::none;  // atom, red
  bool result_unused = false;       // atom: machine code has a red in its place
  isa::Mem mem = isa::Mem::none;
  isa::Control control = isa::Control::none;
  isa::Warp warp = isa::Warp::none;
  isa::Ty type = isa::Ty::none;   // of memory accesses, by the type suffix
  uint8_t elem_bytes = 0;         // memory: bytes per element; access is elem_bytes * mods.vec
  isa::Slot addr = isa::kNoSlot;  // memory: register that holds the address; none = `offset` is the address
  uint8_t addr_bytes = 8;         // container of the address register: 4 or 8
  bool unsupported = false;       // reaching it is an illegal-instruction trap; Function::unsupported has the text
  int64_t offset = 0;             // memory: immediate offset. ld: dst[i] = element i; st: src[i]; atom: b, c in src
  Pc target = kNoPc;              // bra
  bool nounroll = false;          // bra: .pragma "nounroll" stands at its target
  uint8_t round = 0;              // of an unrolled loop, from 1, and one more for what counts them; 0: not a copy
  Pc reconverge = kNoPc;          // immediate post-dominator of a branch
  uint32_t extra =
      0;  // call: index of CallSite; brx: in Function::branch_targets; matrix: in Function::matrix_operands
  const MatrixOperands* matrix = nullptr;  // isa::Warp::matrix; coordinates of an image or of a tensor's box
  isa::TensorReduction tensor_reduction = isa::TensorReduction::none;
  const isa::Variant* variant = nullptr;
  // Dependence tracking: registers written and read, guard included. Predicates are numbered like registers.
  std::array<RegId, 4> writes = {kNoReg, kNoReg, kNoReg, kNoReg};
  std::array<RegId, 6> reads = {kNoReg, kNoReg, kNoReg, kNoReg, kNoReg, kNoReg};
  RegId guard_reg = kNoReg;  // the guard, which is waited for longer than an operand
  uint16_t src_file = 0;     // .loc: index in Function::files, 0 = unknown
  int32_t src_line = 0, ptx_line = 0;
};

// Every register the instruction reads (writes), for dependence tracking.
template <class F>
void each_register_read(const Inst& inst, F f) {
  for (const RegId reg : inst.reads) {
    f(reg);
  }
  if (inst.matrix != nullptr) {
    for (const RegId reg : inst.matrix->reads) {
      f(reg);
    }
  }
}
template <class F>
void each_register_written(const Inst& inst, F f) {
  for (const RegId reg : inst.writes) {
    f(reg);
  }
  if (inst.matrix != nullptr) {
    for (const RegId reg : inst.matrix->writes) {
      f(reg);
    }
  }
}

struct Function {
  std::string name;
  std::string module_name;  // for diagnostics
  std::vector<Inst> code;   // ends with ret or exit
  std::vector<std::vector<Pc>> branch_targets;
  std::vector<CallSite> calls;
  std::vector<std::unique_ptr<MatrixOperands>> matrix_operands;
  std::vector<SpecialUse> specials;
  std::vector<std::string> files;                       // files[0] = ""
  std::vector<std::pair<Pc, std::string>> unsupported;  // sorted by pc
  uint32_t frame_bytes = 0;                             // registers of one warp, scratch included
  uint32_t local_bytes = 0;                             // local frame of one thread, parameters included
  bool grows_stack = false;                             // has alloca
  uint32_t reg_count = 0;                               // virtual registers, for scoreboards
  int registers = 0;                                    // that ptxas would give a thread, estimated
  // Parameter layout in the local frame (device functions only).
  struct Formal {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Formal> params, results;
};

struct Param {
  std::string name;
  uint32_t offset = 0, size = 0, align = 0;
};

// A constant-pool slot filled at launch from the parameter block: what ld.param reads.
struct ParamSlot {
  isa::Slot slot = 0;     // offset in the constant pool, kConstBit included
  uint32_t offset = 0;    // in the parameter block
  uint8_t bytes = 4;      // read
  uint8_t container = 4;  // broadcast to 32 lanes of this size
  bool sign_extend = false;
};

struct Kernel {
  int function = -1;  // entry
  std::vector<Param> params;
  uint32_t param_bytes = 0;
  std::vector<ParamSlot> param_slots;
  uint32_t static_shared = 0;        // bytes, of the program
  uint32_t reserved_shared = 0;      // bytes, of the system; no part of what the program may have
  uint32_t dynamic_shared_base = 0;  // offset at which dynamic shared memory begins
  std::array<uint32_t, 3> reqntid = {0, 0, 0}, maxntid = {0, 0, 0};
  int minnctapersm = 0, maxnreg = 0;
  int target_sm = 0;
};

struct Module {
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
  std::vector<std::pair<uint64_t, int>> code_addresses;  // sorted: what an indirect call may jump to
  std::vector<std::byte> constants;  // broadcast immediates of all functions; param slots zero until launch
};

}  // namespace hpml::sim::ir
