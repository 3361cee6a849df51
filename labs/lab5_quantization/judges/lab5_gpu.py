"""E8: int8 matrix products on the simulated GPU. Results against NumPy's, counters against the formulas of the handout."""
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hpml_autograder.lab import (Case, Context, Metrics, Outcome, Run, Test, Verdict, WARP, accepted, interpolate, trouble, uncounted, untimed,
                                 worst_line, wrong)
from lab5_compress import bits, seeded
from lab5_data import UNTOUCHED

TILE = 64
SCALE = "scale of seed"  # of a case with other matrices
BEFORE = np.full(8, 0x80, np.uint8)  # bytes of device memory: device.h
SHIFT = 42  # of scale_of() in qgemm_main.cu
CHOICE_SHIFT = 15  # kShift of simulator/ptx/perturb.cpp and simulator/exec/chosen_products.cpp
REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "qgemm.json"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_{}.sum"
LOADS = ("global_op_ld", "local_op_ld", "global_op_atom", "global_op_red")
STORES = ("global_op_st", "local_op_st", "global_op_atom", "global_op_red")
# GPUs without the instruction, by program, and the compute capability that the refusal has to name.
REFUSED = {"qgemm_dp4a": (("k80",), "6.1"), "qgemm_mma_t4": (("k80", "v100"), "7.5"), "qgemm_mma_a100": (("t4", "v100"), "8.0")}
GPUS = {"qgemm_dp4a": ("t4", "a100"), "qgemm_mma_t4": ("t4",), "qgemm_mma_a100": ("a100",)}
MACS_PER_MMA = {"qgemm_mma_t4": 8 * 8 * 16, "qgemm_mma_a100": 16 * 8 * 32}
WORD = 4  # bytes: products that dp4a makes, and that are chosen together
# Other instructions of the pipes that multiply, per product (addresses, bytes that are put together, the way to int8), of a
# file about dp4a and of one about matrix instructions. Products of single bytes take 1, with dp4a in place of a matrix
# instruction 0.25. Honest: 0.6 where clang compiles a tile of bytes that are gathered for each dp4a, 0.1 where fragments are
# gathered byte by byte; 0.05 with 16-byte loads.
BESIDE_DP4A, BESIDE_MMA = 0.8, 0.2
MULTIPLY = ("fma", "fp64", "xu")


def programs(test: Test) -> tuple[str, ...]:
    program = test.params["program"]
    return (program, "qgemm_mma_a100") if program == "qgemm_mma_t4" else (program,)


def case(program: str, shape: str, gpu: str, seed: int, check: str = "") -> Case:
    return Case(program, shape, (("HPML_SEED", str(seed)),), dump=True, gpu=gpu, check=check)


def plan(test: Test, context: Context) -> list[Case]:
    """Every shape on every GPU that has the instruction."""
    return [case(program, shape, gpu, seeded(test, context, iteration), test.params.get("check", ""))
            for program in programs(test) for gpu in GPUS[program] for iteration, shape in enumerate(test.shapes)]


def plan_refused(test: Test, context: Context) -> list[Case]:
    return [case(program, shape, gpu, 1) for program in programs(test) for gpu in REFUSED[program][0] for shape in test.shapes]


def shape_of(run_case: Case) -> tuple[int, int, int, bool]:
    """m, n, k, and whether the result is int8."""
    words = run_case.args.split()
    m, n, k = map(int, words[0].split(","))
    return m, n, k, len(words) > 1


def seed_of(run_case: Case) -> int:
    return int(dict(run_case.env)["HPML_SEED"])


def matrices(run_case: Case) -> tuple[np.ndarray, np.ndarray]:
    """A (m x k) and the transpose of B (n x k)."""
    m, n, k, _ = shape_of(run_case)
    seed = seed_of(run_case)
    return tuple((bits(seed, which, rows * k) & np.uint64(255)).astype(np.uint8).view(np.int8).reshape(rows, k)
                 for which, rows in ((0, m), (1, n)))


def inputs(run_case: Case) -> list[bytes]:
    """What an honest program uploads to its GPU."""
    return [matrix.tobytes() for matrix in matrices(run_case)]


def other(run_case: Case, seed: int) -> Case:
    """Other matrices. The multiplier and the zero point are arguments of the kernel, which stay."""
    return replace(run_case, env=(("HPML_SEED", str(seed)), (SCALE, str(seed_of(run_case)))))


def expected(run_case: Case) -> np.ndarray:
    return requantised(run_case, products(*matrices(run_case)))


def products(a: np.ndarray, bt: np.ndarray) -> np.ndarray:
    return (a.astype(np.float64) @ bt.astype(np.float64).T).astype(np.int64)  # exact: below 2^53


def requantised(run_case: Case, sums: np.ndarray) -> np.ndarray:
    """What leaves the kernel."""
    if not shape_of(run_case)[3]:
        return sums.astype(np.int32)
    word = int(bits(int(dict(run_case.env).get(SCALE, seed_of(run_case))), 2, 1)[0])
    multiplier, zero = 0x40000000 | (word & 0x3FFFFFFF), (word >> 40) % 21 - 10
    return np.clip((sums * multiplier + (1 << (SHIFT - 1)) >> SHIFT) + zero, -128, 127).astype(np.int8)


def by_technique(run_case: Case, seed: int) -> tuple[tuple[str, str], np.ndarray]:
    """What the replay changes of the instruction that has to make the products, and the result that follows."""
    instruction = "mma" if run_case.program in MACS_PER_MMA else "dp4a"
    return ("--perturb", f"{instruction}:{seed}"), requantised(run_case, with_chosen_twice(*matrices(run_case), seed))


def with_chosen_twice(a: np.ndarray, bt: np.ndarray, key: int) -> np.ndarray:
    """The product where groups of four products that the key chooses count twice (simulator/ptx/perturb.hpp)."""
    k, l = np.uint32(key & 0xFFFFFFFF | 1), np.uint32(key >> 32 | 1)
    left, right = a.view(np.uint8).astype(np.uint32), bt.view(np.uint8).astype(np.uint32)
    shape = (a.shape[0], bt.shape[0])
    # In place: new arrays of this size for each group would be new memory of the system each time.
    hashed, part, other = (np.empty(shape, np.uint32) for _ in range(3))
    group, more = np.empty(shape, np.float32), np.zeros(shape)
    with np.errstate(over="ignore"):
        for at in range(0, a.shape[1], WORD):
            places = slice(at, at + WORD)
            hashed.fill(0)
            for x, y in zip(left[:, places].T[:, :, None], right[:, places].T):
                np.multiply(np.add(x, y, out=part), k, out=part)
                np.multiply(np.multiply(x, y, out=other), l, out=other)
                np.add(hashed, np.bitwise_xor(part, other, out=part), out=hashed)
            np.bitwise_xor(hashed, np.right_shift(hashed, np.uint32(CHOICE_SHIFT), out=part), out=hashed)
            np.right_shift(np.multiply(hashed, k, out=hashed), np.uint32(31), out=hashed)
            np.matmul(a[:, places].astype(np.float32), bt[:, places].astype(np.float32).T, out=group)  # exact: below 2^24
            np.add(more, np.multiply(group, hashed, out=group, casting="unsafe"), out=more)
    return products(a, bt) + more.astype(np.int64)


def wrong_result(run: Run, context: Context) -> Outcome | None:
    checked = "every element"
    problem = trouble(run, context.spec.limits.wall_s)
    if problem:
        return problem
    right = expected(run.case).reshape(-1)
    got = np.fromfile(run.dump, dtype=right.dtype) if run.dump else np.zeros(0, right.dtype)
    where = f"`{run.case}` on {run.case.gpu}"
    if got.size != right.size:
        return wrong(f"{where}: the result has {got.size} elements, expected {right.size}", checked)
    bad = got != right
    if bad.any():
        first, n = int(np.argmax(bad)), shape_of(run.case)[1]
        return wrong(f"{where}: {int(bad.sum())} of {right.size} elements are wrong; first row {first // n}, column {first % n}: "
                     f"expected {right[first]}, got {got[first]}{UNTOUCHED if got[first] == BEFORE.view(right.dtype)[0] else ''}", checked)
    unheld = run.unheld(got.tobytes())
    return wrong(f"{where}: {unheld}", checked) if unheld else None


def judge_correct(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    for run in runs:
        problem = wrong_result(run, context)
        if problem:
            return problem
    return accepted(f"every element, {len(runs)} runs")


def judge_refused(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "a sentence, and no launch, on GPUs without the instruction"
    for run in runs:
        needed = REFUSED[run.case.program][1]
        where = f"`{run.case}` on {run.case.gpu}"
        if run.state == "exit" and run.code == 2 and "refused: " in run.stderr:
            said = run.stderr.split("refused: ", 1)[1].splitlines()[0]
            if needed not in said:
                return wrong(f"{where}: the sentence does not name compute capability {needed}: {said[:200]}", checked)
            if run.metrics is not None and run.metrics.kernels:
                return wrong(f"{where}: it is refused after a kernel was launched", checked)
            continue
        if run.state == "exit" and run.code == 0:
            return wrong(f"{where}: this GPU has no such instruction. Return a sentence that says so and names compute capability "
                         f"{needed}; do not launch", checked)
        return trouble(run, context.spec.limits.wall_s) or wrong(f"{where}: expected the exit code 2 and a line `refused: ...`", checked)
    return accepted(checked)


def total(metrics: Metrics, parts: Sequence[str]) -> float:
    return sum(metrics.total(SECTORS.format(part)) for part in parts)


def measured(run: Run, context: Context) -> Outcome | None:
    """None for a run with right results, counters and launches."""
    problem = wrong_result(run, context)
    if problem:
        return problem
    if run.metrics is None:
        return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have")
    return None if run.metrics.kernels else wrong(f"`{run.case}`: no kernel was launched")


def judge_instructions(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """A kernel that multiplies in another way executes fewer of them, or none."""
    checked = "instructions that multiply"
    for run in runs:
        problem = measured(run, context)
        if problem:
            return problem
        m, n, k, _ = shape_of(run.case)
        where, tensor = f"`{run.case}` on {run.case.gpu}", run.metrics.total("sm__inst_executed_pipe_tensor.sum")
        if run.case.program in MACS_PER_MMA:
            formula, count, name = m * n * k / MACS_PER_MMA[run.case.program], tensor, "matrix instructions of warps"
            operations = run.metrics.total("gpusim__tensor_ops_src_int8.sum")
            if not near(operations, 2 * m * n * k):
                return wrong(f"{where}: {operations:.0f} int8 operations on tensor cores, expected 2 M N K = {2 * m * n * k}", checked)
        else:
            formula, count = m * n * k / WORD, run.metrics.total("gpusim__thread_inst_executed_op_dp4a_pred_on.sum")
            name = "dp4a instructions of threads"
            if tensor:
                return wrong(f"{where}: {tensor:.0f} tensor instructions; this file is about dp4a", checked)
        if run.by_technique is False:
            return wrong(f"{where}: not all products come from the {name.split()[0]} instructions: when the grader changes what these add, "
                         "the result does not follow", checked)
        if not near(count, formula):
            return wrong(f"{where}: {count:.0f} {name}, expected {formula:.0f} (within 5 %)", checked)
        tensor_program = run.case.program in MACS_PER_MMA
        beside, most = beside_the_technique(run.metrics, 0 if tensor_program else count), BESIDE_MMA if tensor_program else BESIDE_DP4A
        if beside > most * m * n * k:
            return wrong(f"{where}: beside {count:.0f} {name}, {beside:.0f} other instructions of threads multiply, at most "
                         f"{most * m * n * k:.0f} may: the products of the matrices have to come from the {name.split()[0]} instructions",
                         checked)
    return accepted(checked)


def beside_the_technique(metrics: Metrics, counted: float) -> float:
    """Instructions of threads that can multiply, without those that are counted as the technique."""
    return WARP * sum(metrics.total(f"sm__inst_executed_pipe_{pipe}.sum") for pipe in MULTIPLY) - counted


def near(count: float, formula: float) -> bool:
    return abs(count / formula - 1) <= 0.05


def judge_sectors(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "sectors of global memory, over all launches and all ways to it"
    for run in runs:
        problem = measured(run, context)
        if problem:
            return problem
        m, n, k, fused = shape_of(run.case)
        where = f"`{run.case}` on {run.case.gpu}"
        loads, stores = total(run.metrics, LOADS), total(run.metrics, STORES)
        hidden = uncounted(run.metrics)
        if hidden:
            return wrong(f"{where}: {hidden}", checked)
        second_level = run.metrics.total("lts__t_sectors_op_read.sum")
        formula, least = (m // TILE) * (n // TILE) * k * 2 * TILE / 32, (m + n) * k / 32
        if loads < least:
            return Outcome(Verdict.PV, f"{where}: {loads:.0f} sectors are loaded, and A and B alone have {least:.0f}: the kernel reads "
                           "them in a way that is not counted", checked)
        if max(loads, second_level) > 1.1 * formula:
            return wrong(f"{where}: {max(loads, second_level):.0f} sectors are loaded, tiles of {TILE} x {TILE} need {formula:.0f} "
                         f"({worst_line(run.metrics.kernels, 'global', ('ld',), most=True) or 'of local memory, too'})", checked)
        needed = m * n / (32 if fused else 8)
        if stores > 1.1 * needed:
            return wrong(f"{where}: {stores:.0f} sectors are stored, {needed:.0f} hold the result: neighbouring threads have to store "
                         f"neighbouring elements ({worst_line(run.metrics.kernels, 'global', ('st',)) or 'sectors are touched twice'})",
                         checked)
    return accepted(checked)


def reference_cycles(run_case: Case, compiler: str) -> float | None:
    table: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))["cycles"]
    return table.get(compiler, {}).get(f"{run_case.program} {run_case.args} {run_case.gpu}")


def conflicts_per_request(metrics: Metrics) -> float:
    """Passes through the banks, of those that are needed."""
    passes = metrics.total("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")
    conflicts = metrics.total("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")
    return passes / max(1.0, passes - conflicts)


def judge_cycles(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "bank conflicts, and cycles against the reference"
    knots = sorted(tuple(knot) for knot in test.params["knots"])
    fraction, detail = 1.0, ""
    for run in runs:
        problem = measured(run, context)
        if problem:
            return problem
        where, conflicts = f"`{run.case}` on {run.case.gpu}", conflicts_per_request(run.metrics)
        if conflicts > 1.1:
            return wrong(f"{where}: {conflicts:.2f} passes through the banks of shared memory where 1 is enough "
                         f"({worst_line(run.metrics.kernels, 'shared') or 'threads of a warp meet in a bank'})", checked)
        reference = reference_cycles(run.case, context.cuda)
        if taken := untimed(run.metrics.kernels):
            return wrong(f"{where}: {taken}", checked)
        if reference is None:
            return Outcome(Verdict.INC, f"{where}: there are no reference cycles for {context.cuda}", checked)
        cycles = sum(kernel.cycles for kernel in run.metrics.kernels)
        reached = interpolate(knots, cycles / reference)
        if reached < fraction:
            fraction = reached
            detail = f"{where}: {cycles} cycles, the reference takes {reference:.0f}: {cycles / reference:.2f} times as many"
    if fraction == 1:
        return accepted(checked)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, detail, checked, fraction=fraction)
