"""Part Q and the hot spots of P1: answers.toml."""
from collections.abc import Callable, Sequence
from typing import Any

from hpml_autograder.lab import Context, Outcome, Run, Test, Verdict, accepted, read_table

SCHEMA = "lab6/answers/v1"
KEYS: dict[str, Any] = {"q_trace_fails": "loop_length_and_branch_frozen", "q_init_state": "layer0_both_directions",
                        "q_clip_zero": "gradients_vanish", "q_clip_zero_runs": 96,
                        "q_lowest_loss": "losses_do_not_compare_measure_exact_match"}
# Of the products decoder.out has most, then encoder.gru.l1 (a test counts them). With many threads the products shrink and the
# update, which waits for memory, does not.
HOT_FIRST, HOT_SECOND = "decoder.out", ("encoder.gru.l1", "adam")


def _table(context: Context) -> "dict[str, Any] | Outcome":
    table = read_table(context.src, SCHEMA)
    return Outcome(Verdict.WA, table, "answers.toml") if isinstance(table, str) else table


def question(*keys: str) -> Callable[[Test, Context, Sequence[Run]], Outcome]:
    def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
        table = _table(context)
        if isinstance(table, Outcome):
            return table
        for key in keys:
            answer = table.get(key)
            if type(answer) is not type(KEYS[key]) or answer != KEYS[key]:
                return Outcome(Verdict.WA, f"answers.toml: {key} = {str(answer)[:60]!r} is not right", "answers.toml")
        return accepted("answers.toml")
    return judge


def judge_hot(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """The output projection, and what comes second on the student's machine: the widest GRU or the update."""
    table = _table(context)
    if isinstance(table, Outcome):
        return table
    answer = table.get("q_hot")
    if not isinstance(answer, list) or sorted(answer, key=str) not in [sorted((HOT_FIRST, second)) for second in HOT_SECOND]:
        return Outcome(Verdict.WA, f"answers.toml: q_hot = {str(answer)[:80]}: these are not the two hot spots of a step with H = 256 "
                       "and V = 7826", "answers.toml")
    return accepted("answers.toml")
