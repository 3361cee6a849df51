"""The bonuses B1 and B2, which are judged behind the relay alone, and B4, the leaderboard of a network that nobody is told."""
from collections.abc import Sequence

import lab4_data as data
import lab4_traffic as traffic
from hpml_autograder.lab import Case, Context, Network, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import keys_of, measured_case, measured_cells, seed_of
from lab4_observation import sent
from lab4_sums import wrong_sample
from lab4_waiting import observe

AS_GIVEN = Outcome(Verdict.SK, "no rank sends anything: the file is as it was given")
RANKS, ELEMENTS = 64, (1, 1000, 1 << 15)
HOSTS = (4, 8, 16, 32)  # below one switch


def judge_sums(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """As for every algorithm, but who has not begun is not told what is wrong."""
    return AS_GIVEN if all(_silent(run, context) for run in runs) else traffic.judge_safe(test, context, runs)


def _silent(run: Run, context: Context) -> bool:
    observed, problem = observe(run, context)
    return problem is None and observed is not None and not any(
        sent(record) for index in range(len(measured_cells(run.case))) for record in observed.all_json(index).values())


def hidden_network(seed: int) -> Network:
    """Switches of some hosts with one uplink each. All hand-ins of a course meet the same one."""
    hosts = HOSTS[seed % len(HOSTS)]
    latency_s = 1e-6 * (2 + seed // 4 % 30)
    return Network(latency_s, 1e8 * (1 + seed // 128 % 20), "FAT_TREE", f"2;{hosts},{RANKS // hosts};1,1;1,1")


def plan_leaderboard(test: Test, context: Context) -> list[Case]:
    seed = seed_of(test, context)
    return [measured_case(test.params["program"], RANKS, [f"fast:{n}" for n in ELEMENTS], hidden_network(context.course_seed(test) % data.SEEDS), seed)]


def judge_leaderboard(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    [run] = runs
    checked = f"sums, and virtual time of {len(ELEMENTS)} all-reduces on {RANKS} ranks of a network that you are not told"
    if _silent(run, context):
        return AS_GIVEN
    observed, problem = observe(run, context)
    if problem or observed is None:
        return problem or wrong("no results", checked)
    seconds = 0.0
    for index, (_, n, seed) in enumerate(measured_cells(run.case)):
        records = observed.all_json(index)
        for rank, record in records.items():
            if sentence := wrong_sample(record, rank, RANKS, n, seed, keys_of(run.case)):
                return wrong(f"P = {RANKS}, n = {n}: {sentence}", checked)
        if below := traffic.too_little({rank: sent(record) for rank, record in records.items()}, RANKS, n):
            return Outcome(Verdict.PV, below, checked)
        seconds += max(one["end"] for one in records.values()) - min(one["begin"] for one in records.values())
    return accepted(f"{checked}: {seconds * 1e3:.3f} ms", **{test.params["leaderboard"]: round(seconds * 1e6, 3)})
