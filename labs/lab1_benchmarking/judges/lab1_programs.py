"""The programs themselves: their lines, arguments and means. Times run under a scripted clock: no luck in them."""
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import lab1_output as output
from hpml_autograder.lab import (
    Case, Context, Outcome, Run, Test, Verdict, accepted, blas_environment, trouble, worker_trouble, wrong)
from lab1_clock import not_read
from lab1_data import PUBLIC_INTS, Data
from lab1_kernels import judge_value

DP = ("dp1", "dp2", "dp3", "dp4", "dp5")
PROGRAM_ALGORITHM = {"dp1": "sequential", "dp2": "unrolled", "dp3": "blas", "dp4": "python_loop", "dp5": "blas"}
KINDS = ("ones", "probe", "ints")
SMALL = "1024 2"                   # N and repetitions: small, to see what a program computes
BIG = f"{2**28} 2"                 # 8 N no longer fits an int
MOST_TIMES = 1 << 20               # bytes of a file of times
MEMORY_FOR_BIG = 3 * 2**30
USAGE = ("", "10", "10 x", "x 10", "-5 10", "0 10", "10 1", "10 0", "10 -3", "1e3 10", "10 3.5",
         "99999999999999999999 10", "10 99999999999999999999", "1099511627777 10", "10 3 --data",
         "10 3 --data twos", "10 3 --no-such 1")


def scripted(context: Context, test: Test, program: str, arguments: str) -> Case:
    seed = context.seed(test, 0) & 0x7FFFFFFF
    return Case("lab1_worker", f"scripted {{lab1_clock}} {seed} {{{program}}} {arguments} --times dump.bin",
                blas_environment(), dump=True)


def name_of(run: Run) -> str:
    """The program of the student's that it runs; empty when it calls kernels only."""
    return next((name for name in run.case.others if name != "lab1_clock" and not name.endswith("_kernel")), "")


def shown(run: Run) -> str:
    """The command a student would type."""
    words = run.case.args.split()
    if run.case.program != "lab1_worker" or not name_of(run):
        return str(run.case)
    start = words.index(f"{{{name_of(run)}}}")
    return " ".join([name_of(run), *words[start + 1:]]).replace(" --times dump.bin", "")


def failure(run: Run, context: Context) -> Outcome | None:
    """worker_trouble() in the words of the command a student would type."""
    problem = worker_trouble(run, context)
    return replace(problem, detail=problem.detail.replace(str(run.case), shown(run))) if problem else None


def plan_lines(test: Test, context: Context) -> list[Case]:
    cases = [scripted(context, test, program, shape) for program in DP for shape in test.shapes]
    if test.params.get("big") and memory_available() >= MEMORY_FOR_BIG:
        cases.append(replace(scripted(context, test, "dp1", BIG), alone=True))
    return cases


def memory_available() -> int:
    """Bytes that this machine can give now, as Linux estimates them."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def each_program(sentence, checked: str):
    """Every program that compiles and ends well is looked at; how it ends is for other tests to judge, but for the test's
    own program (params.program), and for what is no student's fault."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        problems = [trouble(run, context.spec.limits.wall_s) for run in runs]
        for run, problem in zip(runs, problems):
            if problem and (problem.verdict is Verdict.XX or run.case.program == test.params.get("program")):
                return replace(problem, checked=checked)
        seen = [run for run, problem in zip(runs, problems) if problem is None]
        if not seen:
            return Outcome(Verdict.SK, "none of the five programs compiles and ends with exit code 0", checked)
        for run in seen:
            detail = sentence(run)
            if detail:
                return wrong(f"`{shown(run)}`: {detail}", checked)
        small = test.params.get("big") and not any(BIG in shown(run) for run in runs)
        return accepted(f"{checked}, {len(seen)} runs" + ("; not N = 2^28: too little free memory" if small else ""))
    return judge


def format_problem(run: Run) -> str:
    printed = output.parse(run.stdout)
    if isinstance(printed, str):
        return printed
    asked = int(shown(run).split()[1])
    return "" if printed.n == asked else f"expected N: {asked}, got {printed.n}"


def rate_problem(run: Run) -> str:
    printed = output.parse(run.stdout)
    return printed if isinstance(printed, str) else output.rate_problem(printed)


def plan_results(test: Test, context: Context) -> list[Case]:
    words = context.also_drawn(test, [f"{shape} --data {data}" for shape in test.shapes for data in KINDS], drawn_results)
    return [Case(program, word, blas_environment()) for program in DP for word in words]


def drawn_results(draw: random.Random) -> list[str]:
    return [f"{4 * draw.randint(100, 900)} {draw.randint(2, 4)} --data ints"]


def result_problem(run: Run) -> str:
    """R is that of the vectors that were asked for: what was computed was not left out, nor another thing."""
    printed = output.parse(run.stdout)
    words = run.case.args.split()
    if isinstance(printed, str):
        return printed
    kind = words[words.index("--data") + 1]
    vectors = Data(PUBLIC_INTS if kind == "ints" else kind)
    outcome = judge_value(PROGRAM_ALGORITHM[run.case.program], vectors, int(words[0]), printed.r, "R")
    return "" if outcome.verdict in (Verdict.AC, Verdict.PA) else outcome.detail


def plan_small(test: Test, context: Context) -> list[Case]:
    """The same runs as C1.results: the judge of a table uses them to see that the programs C1 to C5 give the right R."""
    return [Case(program, f"{SMALL} --data {data}", blas_environment()) for program in DP for data in KINDS]


def with_programs(judge_table):
    """A judge of a table that earns nothing unless most of the five programs are there and compute the right R."""
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        outcome = judge_table(test, context, runs)
        broken: dict[str, str] = {}
        for run in runs:
            problem = trouble(run, context.spec.limits.wall_s)
            detail = problem.detail if problem else result_problem(run)
            if detail:
                broken.setdefault(run.case.program, detail)
        right = len(DP) - len(broken)
        if outcome.verdict not in (Verdict.AC, Verdict.PA) or 2 * right > len(DP):
            return outcome
        program, why = next(iter(broken.items()))
        return wrong(f"answers.toml: a table needs its programs: {right} of {len(DP)} give the right R; {program}: {why}",
                     outcome.checked)
    return judge


def drawn_usage(draw: random.Random) -> list[str]:
    """Wrong command lines with other words; the last line is right."""
    n, reps, letters = draw.randint(2, 900), draw.randint(2, 9), "".join(draw.choice("ghjkm") for _ in range(4))
    return [f"{n}", f"{n} {letters}", f"{letters} {reps}", f"-{n} {reps}", f"{n} 1", f"{n} -{reps}", f"{n}.5 {reps}", f"{n}{letters} {reps}",
            f"{n} {reps} --data {letters}", f"{n} {reps} --{letters} 1", f"{n} {reps}"]


def plan_arguments(test: Test, context: Context) -> list[Case]:
    return [Case(test.params["program"], words) for words in context.also_drawn(test, USAGE, drawn_usage)]


def judge_usage(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Drawn lines end with a right one: a program that refuses all has read nothing."""
    if not context.for_record:
        return judge_arguments(test, context, runs)
    problem = trouble(runs[-1], context.spec.limits.wall_s)
    return problem or judge_arguments(test, context, runs[:-1])


def judge_arguments(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} wrong command lines"
    for run in runs:
        if (run.state, run.code) != ("exit", 2):
            return wrong(f"`{run.case}`: expected exit code 2, got {run.state} {run.code}", checked)
        if run.stdout:
            return wrong(f"`{run.case}`: expected nothing on stdout, got {run.stdout.splitlines()[0][:80]!r}", checked)
        if not run.stderr.strip():
            return wrong(f"`{run.case}`: expected a usage line on stderr, got nothing", checked)
    return accepted(checked)


def plan_second_half(test: Test, context: Context) -> list[Case]:
    return [scripted(context, test, test.params["program"], shape) for shape in test.shapes]


def judge_second_half(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "T against the times of its repetitions"
    for run in runs:
        problem = failure(run, context)
        if problem:
            return problem
        detail = half_problem(run)
        if detail:
            return wrong(f"`{shown(run)}`: {detail}", checked)
    return accepted(checked)


def half_problem(run: Run) -> str:
    printed = output.parse(run.stdout)
    if isinstance(printed, str):
        return printed
    reps = int(shown(run).split()[2])
    times = read_times(run)
    if isinstance(times, str):
        return times
    if len(times) != reps:
        return f"--times holds {len(times)} lines, expected one per repetition: {reps}"
    if any(time <= 0 for time in times):
        return f"--times holds {min(times)} ns for a repetition: both readings of the clock are needed"
    half = times[reps // 2:]
    expected = sum(half) / len(half) / 1e9
    if abs(printed.t - expected) > 1e-6 * expected + output.T_STEP:
        return (f"expected T = {expected:.9f} s, the arithmetic mean of repetitions {reps // 2} to {reps - 1}; got "
                f"{printed.t:.9f}{_mean_hint(printed.t, times)}")
    return ""


def read_times(run: Run) -> list[int] | str:
    if run.dump is None:
        return "it has not written the file that --times names"
    if run.dump.stat().st_size > MOST_TIMES:
        return f"the file that --times names has more than {MOST_TIMES >> 20} MB: one line for each repetition is asked for"
    lines = run.dump.read_text(encoding="ascii", errors="replace").splitlines()
    if not all(line.strip().isdecimal() and len(line) < 20 for line in lines):
        return "--times must hold whole nanoseconds, one repetition per line"
    times = [int(line) for line in lines]
    strange = not_read(times, int(run.case.args.split()[2])) if 0 not in times else None
    if strange is not None:
        return (f"--times holds {times[strange]} ns for repetition {strange}, but the clock has made no such step between "
                "two readings: read it just before and just after each call")
    return times


def _mean_hint(t: float, times: list[int]) -> str:
    half = times[len(times) // 2:]
    known = {"the mean of all repetitions": sum(times) / len(times),
             "the sum of the second half, divided by REPS / 2 in whole numbers": sum(half) / max(1, len(times) // 2),
             "the harmonic mean": len(half) / sum(1 / time for time in half),
             "the median": sorted(half)[len(half) // 2], "the smallest time": min(half)}
    return next((f", which is {words}" for words, ns in known.items() if abs(t - ns / 1e9) <= 1e-6 * t), "")
