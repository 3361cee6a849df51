"""Part A of answers.toml: the tables beside what the programs print, what follows from them, and the rules of thumb."""
from collections.abc import Sequence
from dataclasses import replace

from hpml_autograder.lab import PUBLIC_KEY, Case, Context, Outcome, Run, Test, Verdict, accepted, known_gpus, trouble, wrong
from lab3_answers import FOLLOWS, OTHER_COMPILER_TOLERANCE, TOLERANCE, Answers, measured_ms, out_of_line, read, states
from lab3_kernels import FOOTPRINT, counted_case, work_of
from lab3_measure import LOADS

OTHER_RELEASE_TOLERANCE = 0.10  # clang 14 and clang 19 schedule the given loops up to 8 % apart
SIZES = 3
MATRIX_SIZES = (256, 512, 1024)
BOUNDS = ("latency", "bandwidth", "arithmetic", "copies")
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
RULES = {  # rule of thumb -> the counters that show whether a kernel follows it
    "coalescing": (LOADS, LOADS.replace("_ld", "_st"), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"),
    "shared_memory_reuse": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "dram__bytes_read.sum",
                            "lts__t_sectors_op_read.sum"),
    "bank_conflicts": (CONFLICTS + "ld.sum", CONFLICTS + "st.sum",
                       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    "occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active", "sm__maximum_warps_per_active_cycle_pct",
                  "launch__registers_per_thread"),
    "divergence": ("smsp__thread_inst_executed_per_inst_executed.ratio", "gpusim__branches_divergent.sum"),
    "enough_work": ("launch__waves_per_multiprocessor", "launch__grid_size", "sm__cycles_active.avg"),
    "warm_up_and_synchronise": ("gpu__time_duration.sum",),
    "unrolling": ("smsp__inst_executed.sum", "sm__inst_executed.avg.per_cycle_active",
                  "smsp__issue_active.avg.per_cycle_active"),
}


def plan_table(test: Test, context: Context) -> list[Case]:
    """On the GPU the table was measured on."""
    gpu, program = read(context.src).gpu, test.params["program"]
    given = not context.spec.find_program(program).sources
    if gpu not in known_gpus():
        return []
    sizes = sizes_of(test, context, given)
    return [Case(program, shape, gpu=gpu) if given else counted_case(context, program, shape, gpu) for shape in sizes]


def sizes_of(test: Test, context: Context, given: bool) -> list[str]:
    """Those that are run: the first ones, and one of the others that is drawn from the course key. A given program is run with
    every size for a course, once for all students; a student's own test should not wait for that."""
    if context.full or given and context.key != PUBLIC_KEY:
        return list(test.shapes)
    first, drawn = test.shapes[:test.params["quick"]], test.params.get("one_of", ())
    return [*first, *([drawn[context.course_seed(test) % len(drawn)]] if drawn else [])]


def _row(answers: Answers, table: str, series: str) -> list[float] | None:
    part = answers.table.get(table)
    values = part.get(series) if isinstance(part, dict) else None
    if not isinstance(values, list) or len(values) != SIZES:
        return None
    good = all(isinstance(v, (int, float)) and not isinstance(v, bool) and 0 < v < 1e9 for v in values)
    return [float(v) for v in values] if good else None


def _row_problem(answers: Answers, table: str, series: str) -> str:
    if answers.problem:
        return answers.problem
    return "" if _row(answers, table, series) else f"answers.toml: [{table}] \"{series}\" must hold {SIZES} numbers"


def judge_table(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    answers, table, series = read(context.src), test.params["table"], test.params["series"]
    checked = f"[{table}] \"{series}\" against {len(runs)} runs"
    problem = _row_problem(answers, table, series)
    if problem or answers.gpu not in known_gpus():
        return wrong(problem or f"answers.toml: gpu = \"{answers.gpu}\" is not one of {', '.join(known_gpus())}", checked)
    if context.target != "sim":
        return Outcome(Verdict.INC, "the table holds simulated times; grade it on the simulator", checked)
    same = answers.table.get("compiler") == context.cuda
    tolerance = OTHER_RELEASE_TOLERANCE if same else OTHER_COMPILER_TOLERANCE
    row = _row(answers, table, series) or []
    played = {}
    for run in runs:
        index = list(test.shapes).index(run.case.args)
        trouble_here = trouble(run, context.spec.limits.wall_s)
        if trouble_here:
            return trouble_here
        measured = measured_ms(run)
        if measured is None or not states(row[index], measured, tolerance):
            return wrong(f"answers.toml: [{table}] \"{series}\" says {row[index]:g} ms for `{run.case}` on {run.case.gpu}, it "
                         f"takes {measured} ms (allowed: {tolerance:.0%}, and 20 us for the launch)", checked)
        played[index] = measured
    at = out_of_line(row, [work_of(replace(run.case, args=shape))[0] for run in runs[:1] for shape in test.shapes], played)
    return accepted(checked) if at is None else wrong(
        f"answers.toml: [{table}] \"{series}\" says {row[at]:g} ms for `{test.params['program']} {test.shapes[at]}`; that "
        f"does not follow from the times of the smaller sizes (allowed: {FOLLOWS:.0%})", checked)


def judge_rates(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """GFLOP/s recomputed from the times beside it."""
    answers, table = read(context.src), test.params["table"]
    names = test.params["series"], test.params["rates"]
    times = _row(answers, table, names[0])
    wanted = [2 * n ** 3 / (ms * 1e6) for n, ms in zip(MATRIX_SIZES, times or [])]
    return _derived(answers, table, names, wanted, "2 n^3 / time")


def judge_speedups(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    answers, table = read(context.src), test.params["table"]
    slow, fast = (_row(answers, table, test.params[name]) for name in ("slow", "fast"))
    wanted = [before / after for before, after in zip(slow or [], fast or [])]
    return _derived(answers, table, (test.params["slow"], test.params["fast"], test.params["series"]), wanted,
                    "time of 00 / time of 01")


def _derived(answers: Answers, table: str, names: Sequence[str], wanted: Sequence[float], formula: str) -> Outcome:
    checked = f"[{table}] \"{names[-1]}\" = {formula}"
    for name in names:
        problem = _row_problem(answers, table, name)
        if problem:
            return wrong(problem, checked)
    given = _row(answers, table, names[-1]) or []
    for got, expected in zip(given, wanted):
        if abs(got - expected) > TOLERANCE * expected:
            return wrong(f"answers.toml: [{table}] \"{names[-1]}\" says {got:g}, {formula} of your own table is "
                         f"{expected:.4g}", checked)
    return accepted(checked)


def plan_analysis(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], shape) for shape in test.shapes]


def judge_analysis(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Three values, each a third of the points: what the counters of the given kernel say, and what follows."""
    answers = read(context.src)
    checked = "sectors, distance and limit of vecadd00"
    part = answers.table.get("analysis", {})
    if answers.problem or not isinstance(part, dict):
        return wrong(answers.problem or "answers.toml: [analysis] is missing", checked)
    problem = trouble(runs[0], context.spec.limits.wall_s)
    if problem:
        return problem
    if runs[0].metrics is None:
        return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
    wanted = {"sectors_per_request": runs[0].metrics.kernels[-1].metric(LOADS), "floats_apart": int(test.shapes[0]),
              "limit": test.params["bound"]}
    wrong_ones = [key for key, value in wanted.items() if part.get(key) != value]
    if not wrong_ones:
        return accepted(checked)
    return Outcome(Verdict.PA, "answers.toml: [analysis] not right: "
                   + ", ".join(f"{key} = {part.get(key)!r}" for key in wrong_ones), checked,
                   fraction=1 - len(wrong_ones) / len(wanted))


def judge_rules(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    answers, needed = read(context.src), test.params["needed"]
    checked = f"{needed} rules with the counter that shows each"
    part = answers.table.get("rules", {})
    if answers.problem or not isinstance(part, dict):
        return wrong(answers.problem or "answers.toml: [rules] is missing", checked)
    chosen = {rule: counter for rule, counter in part.items() if counter}
    right = [rule for rule, counter in chosen.items() if counter in RULES.get(rule, ())]
    if len(right) >= needed:
        return accepted(checked)
    bad = [f"{rule} = {counter!r}" for rule, counter in chosen.items() if rule not in right]
    return Outcome(Verdict.PA, f"answers.toml: [rules] {len(right)} of {needed} rules have a counter that shows them"
                   + (f"; not these: {', '.join(bad)}" if bad else ""), checked, fraction=len(right) / needed)


def matrix_size(program: str, blocks: str) -> int:
    return FOOTPRINT[program] * int(blocks)
