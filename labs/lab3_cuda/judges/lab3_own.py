"""C4, the bonus: a convolution of the student's own choice. Is it right, is it faster than C2, and does a counter show why?"""
from collections.abc import Sequence
from dataclasses import dataclass, replace

import lab3_answers as answers
import lab3_conv as conv
import lab3_reference as reference
import numpy
from hpml_autograder.lab import (Case, Context, Kernel, Metrics, Outcome, Run, Test, Verdict, accepted, interpolate,
                                 traffic, trouble, untimed, wrong)
from lab3_measure import LOAD_SECTORS, REQUESTS, SHARED_LOADS

PROGRAM = "convolution4"
STORE_SECTORS = LOAD_SECTORS.replace("_ld", "_st")
INSTRUCTIONS = "smsp__inst_executed.sum"
MOVED = {LOAD_SECTORS: lambda moved: moved.sectors("ld"), STORE_SECTORS: lambda moved: moved.sectors("st"),
         REQUESTS[0]: lambda moved: moved.requests("ld"), REQUESTS[1]: lambda moved: moved.requests("st")}
FEWER, MORE = 0.8, 1.25  # a counter that moved by less shows nothing
TECHNIQUES = {  # technique -> the counters that show it, and which way they go
    "register_blocking": {SHARED_LOADS: FEWER, INSTRUCTIONS: FEWER, LOAD_SECTORS: FEWER},
    "vectorised_loads": {SHARED_LOADS: FEWER, REQUESTS[0]: FEWER, INSTRUCTIONS: FEWER},
    "constant_memory": {SHARED_LOADS: FEWER, REQUESTS[0]: FEWER, LOAD_SECTORS: FEWER},
    "double_buffering": {"gpusim__barriers.sum": FEWER,
                         "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": FEWER,
                         "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": FEWER},
    "im2col": {REQUESTS[1]: MORE, STORE_SECTORS: MORE},  # the columns are written before they are multiplied
    "unrolling": {INSTRUCTIONS: FEWER, "gpusim__branches.sum": FEWER},
}
ON_GPU = ("DtoD", "memset")  # kinds of copies and fills
DOUBLE_WORDS, LEAST_BLOCK = 2, 2  # registers of a double; results per thread
WATCHED = {"double_buffering": "phases"}  # by technique: what the simulator counts besides (gpusim --check)
STAGED = "gpusim__shared_staged_words{}.sum"
BESIDE = 0.6      # of the words behind a block's first tile, stored in shared memory while others are taken
MORE_WORDS = 1.5  # through shared memory, of those that are loaded: the rims of tiles, and zeros


def traceless(technique: str, timed: "Pass", tiled: "Pass", s: conv.Shape) -> str:
    """Empty, or what a technique leaves behind and this one has not: a counter falls for other reasons, too."""
    moved, outputs = traffic(*timed.kernels), s.K * s.H * s.W
    if technique == "register_blocking":
        return moved.unblocked(outputs, LEAST_BLOCK, DOUBLE_WORDS)
    if technique == "vectorised_loads":
        wide, before = (one.sectors("ld") / max(1.0, one.requests("ld")) for one in (moved, traffic(*tiled.kernels)))
        shared = moved.shared_loads() > 0 and timed.metric(SHARED_LOADS) <= FEWER * tiled.metric(SHARED_LOADS)
        return "" if wide >= MORE * before or shared else (
            f"its loads take {wide:.3g} sectors each, those of C2 {before:.3g}: wide ones take more")
    if technique == "im2col":
        columns = s.C * s.FH * s.FW * s.H * s.W * conv.ELEMENT
        return moved.unmoved(columns, columns)
    if technique == "double_buffering":
        return moved.untiled(s.C * s.H * s.W, 1, conv.ELEMENT) or unstaged(timed)
    return ""


def unstaged(timed: "Pass") -> str:
    """Empty, or why no block takes one tile from shared memory while it stores the next."""
    words, first, beside = (timed.metric(STAGED.format(which)) for which in ("", "_first", "_beside"))
    most = MORE_WORDS * 8 * traffic(*timed.kernels).sectors("ld")
    if words > most:
        return f"{words:.0f} words go through shared memory, {most / MORE_WORDS:.0f} are loaded"
    return "" if words > first and beside >= BESIDE * (words - first) else (
        f"{words - first:.0f} words are stored in shared memory behind each block's first tile, {beside:.0f} of them while the tile "
        "before is used")


@dataclass(frozen=True)
class Pass:
    """The launches that make O once, and the copies and fills between them."""
    kernels: tuple[Kernel, ...]
    moved_us: float = 0.0

    @property
    def duration_us(self) -> float:
        return self.moved_us + sum(kernel.duration_us for kernel in self.kernels)

    def metric(self, name: str) -> float:
        """The sum, of what goes to global memory over all paths; of a ratio, the mean over the time."""
        moved = MOVED.get(name)
        if moved:
            return moved(traffic(*self.kernels))
        if name.endswith(".sum"):
            return sum(kernel.metric(name) for kernel in self.kernels)
        return sum(kernel.metric(name) * kernel.duration_us for kernel in self.kernels) / self.duration_us


def timed_pass(metrics: Metrics) -> Pass | str:
    """The second half of the launches, or what is wrong with them."""
    half = len(metrics.kernels) // 2
    warm_up, timed = metrics.kernels[:half], metrics.kernels[half:]
    if not half or [kernel.name for kernel in warm_up] != [kernel.name for kernel in timed]:
        names = ", ".join(kernel.name for kernel in metrics.kernels) or "none"
        return f"expected the same launches twice, to warm up and between the events; got {names}"
    # Both passes make the same copies inside the GPU's memory: data that they lay out anew took that long.
    return Pass(timed, sum(copy.duration_us for copy in (*metrics.copies, *metrics.fills) if copy.kind in ON_GPU) / 2)


def own_work(metrics: Metrics, s: conv.Shape) -> str:
    """Kernels of the student's own, and the pass that is timed makes all products."""
    detail = conv.library_call(metrics)
    if detail:
        return detail
    timed = timed_pass(metrics)
    if isinstance(timed, str):
        return timed
    made = sum(kernel.executed("dfma", "dmul") for kernel in timed.kernels)
    needed = conv.products(s)
    return conv.unmoved(timed.kernels, s) if made >= needed else (
        f"the launches that are timed make {made:.0f} multiplications, {needed} are needed: what warms up and what is "
        "timed does the whole work, each by itself")


def plan(test: Test, context: Context) -> list[Case]:
    return conv.plan(test, context)


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    if runs and all(_as_given(run) for run in runs):
        return Outcome(Verdict.SK, "nothing is launched: the file is as it was given")
    return conv.judge_output(test, context, runs, own_work)


def _as_given(run: Run) -> bool:
    """It ends well, and neither a kernel nor the host has written O."""
    silent = run.state == "exit" and run.code == 0 and (run.metrics is None or not run.metrics.kernels)
    return silent and run.dump is not None and bool(numpy.isnan(numpy.fromfile(run.dump, dtype=numpy.float64)).all())


def plan_beside(test: Test, context: Context) -> list[Case]:
    """For each shape and GPU C2 and C4. What is timed must be right, and on another GPU it is another run."""
    return [case for shape in test.shapes for gpu in test.params["gpus"]
            for case in (conv.counted_case(context, f"--only 2 --shape {shape}", gpu=gpu),
                         conv.counted_case(context, f"--shape {shape}", PROGRAM, gpu))]


def plan_technique(test: Test, context: Context) -> list[Case]:
    """The same, and C4 once more for each GPU where the technique that is named has to be watched."""
    cases = plan_beside(test, context)
    watched = WATCHED.get(_named(context))
    return cases + ([replace(case, check=watched) for case in cases[1::2]] if watched else [])


def _named(context: Context) -> str:
    part = answers.read(context.src).table.get("bonus", {})
    return str(part.get("technique", "")) if isinstance(part, dict) else ""


def _pairs(context: Context, runs: Sequence[Run], checked: str) -> Outcome | list[tuple[Run, Pass, Pass]]:
    """(C4's run, C2, C4) for each GPU."""
    found = []
    for tiled, own in zip(runs[::2], runs[1::2]):
        for run, work in ((tiled, conv.own_work), (own, own_work)):
            problem = trouble(run, context.spec.limits.wall_s)
            detail = "" if problem else conv.wrong_output(run, work)
            if problem or detail:
                return problem or wrong(f"`{run.case}` on {run.case.gpu}: {detail}", checked)
        if tiled.metrics is None or own.metrics is None:
            return Outcome(Verdict.INC, "needs the simulator's counters, which a real GPU does not have", checked)
        timed = timed_pass(own.metrics)
        if isinstance(timed, str) or not tiled.metrics.kernels:
            return wrong(f"`{own.case}`: {timed if isinstance(timed, str) else 'C2 launches no kernel'}", checked)
        if taken := untimed(timed.kernels):
            return wrong(f"`{own.case}` on {own.case.gpu}: {taken}", checked)
        found.append((own, Pass(tiled.metrics.kernels[-1:]), timed))
    return found


def judge_time(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Against the student's C2, or the course's where that is faster: nobody gains by a slow C2."""
    checked = f"time on {' and '.join(test.params['gpus'])} against C2"
    pairs = _pairs(context, runs, checked)
    if isinstance(pairs, Outcome):
        return pairs
    knots = sorted(tuple(knot) for knot in test.params["knots"])
    fraction, detail = 1.0, ""
    for tiled_run, (own, tiled, timed) in zip(runs[::2], pairs):
        course = reference.read(tiled_run.case.gpu, context.cuda).get(str(tiled_run.case), [])
        limit_us = min([tiled.duration_us, *(1000 * ms for ms in course[-1:])])
        whose = "your C2" if limit_us == tiled.duration_us else "the course's C2, which is faster than yours,"
        reached = interpolate(knots, limit_us / timed.duration_us)
        if reached < fraction:
            fraction = reached
            detail = (f"`{own.case}` on {own.case.gpu}: {timed.duration_us:.1f} us, {whose} takes {limit_us:.1f} us: "
                      f"{limit_us / timed.duration_us:.2f} times as fast, {knots[-1][0]} is the goal")
    if fraction >= 1:
        return accepted(checked)
    return Outcome(Verdict.PA if fraction > 0 else Verdict.WA, detail, checked, fraction=fraction)


def _watched(context: Context, runs: Sequence[Run], checked: str) -> "list[Pass] | Outcome":
    found = []
    for run in runs:
        problem = trouble(run, context.spec.limits.wall_s)
        detail = "" if problem else conv.wrong_output(run, own_work)
        if problem or detail:
            return problem or wrong(f"`{run.case}` on {run.case.gpu}: {detail}", checked)
        timed = timed_pass(run.metrics) if run.metrics is not None else "no counters"
        if isinstance(timed, str):
            return wrong(f"`{run.case}`: {timed}", checked)
        found.append(timed)
    return found


def judge_technique(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """The counter that the student names has moved the way the technique moves it, on every GPU."""
    checked = "[bonus] technique and counter of answers.toml"
    given = answers.read(context.src)
    part = given.table.get("bonus", {})
    if given.problem or not isinstance(part, dict):
        return wrong(given.problem or "answers.toml: [bonus] is no table", checked)
    technique, counter = str(part.get("technique", "")), str(part.get("counter", ""))
    if technique not in TECHNIQUES:
        return wrong(f"answers.toml: [bonus] technique = '{technique}' is none of {', '.join(TECHNIQUES)}", checked)
    if counter not in TECHNIQUES[technique]:
        return wrong(f"answers.toml: [bonus] counter = '{counter}' does not show {technique}", checked)
    plain = [run for run in runs if not run.case.check]
    pairs = _pairs(context, plain, checked)
    if isinstance(pairs, Outcome):
        return pairs
    watched = _watched(context, [run for run in runs if run.case.check], checked)
    if isinstance(watched, Outcome):
        return watched
    limit = TECHNIQUES[technique][counter]
    for number, (own, tiled, timed) in enumerate(pairs):
        missing = traceless(technique, watched[number] if watched else timed, tiled, conv.shape_of(own.case))
        if missing:
            return wrong(f"`{own.case}` on {own.case.gpu}: this is no {technique}: {missing}", checked)
        before, after = tiled.metric(counter), timed.metric(counter)
        if (after > limit * before) if limit < 1 else (after < limit * before):
            return wrong(f"`{own.case}` on {own.case.gpu}: {counter} is {after:g}, of C2 {before:g}; with {technique} it "
                         f"is {'at most' if limit < 1 else 'at least'} {limit:g} times as many", checked)
    return accepted(checked)
