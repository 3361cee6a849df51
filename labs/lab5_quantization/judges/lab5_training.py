"""E7, P1 and P2 in training: lab5_trainer trains with the student's fake quantisation, masks and losses, which it asks of a
worker process. A student release has no lab5_trainer: it holds what students write."""
from collections.abc import Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, missing, values, worker_trouble, wrong

PRUNE_LINES = ("pruned", "fine-tuned", "zeros", "alive")
QUANT_LINES = ("before", "after")
DISTILL_LINES = ("teacher", "distilled", "alone")
LIBRARIES = {"prune": "prune_library", "distill": "distill_library", "train": "fake_quant_library", "convert": "fake_quant_library"}


def plan(test: Test, context: Context) -> list[Case]:
    return [case(shape) for shape in test.shapes]


def case(shape: str) -> Case:
    """shape: a command of lab5_trainer and its settings, without the student's library and the weights."""
    command, *rest = shape.split()
    return Case("lab5_trainer", " ".join([command, f"{{{LIBRARIES[command]}}}", "{lab5_resnet8}", *rest]))


def settings(run: Run) -> str:
    """Method, fraction and epochs; or temperature, alpha and so on."""
    return " ".join(run.case.args.split()[3:])


def results(context: Context, runs: Sequence[Run], lines: Sequence[str], checked: str) -> "list[dict[str, float]] | Outcome":
    found = []
    for run in runs:
        problem = worker_trouble(run, context) or missing(run, lines, checked)
        if problem:
            return problem
        found.append(dict(zip(lines, values(run))))
        if found[-1].get("alive"):
            return wrong(f"{settings(run)}: {found[-1]['alive']:.0f} of {found[-1]['zeros']:.0f} pruned weights are not 0 after training: "
                         "the masks have to be applied after every step", checked)
    return found


def short_of(pairs: Sequence[tuple[str, float, str, float, float]]) -> str:
    """The first of (name, accuracy, other name, accuracy, points) that is not so many points better."""
    for name, more, other, less, points in pairs:
        if not 100 * (more - less) >= points:
            return f"accuracy of {name} {100 * more:.1f} %, of {other} {100 * less:.1f} %; expected {points:g} points between them"
    return ""


def judge_untrained(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "global, layer-wise and random masks without fine-tuning"
    found = results(context, runs, PRUNE_LINES, checked)
    if isinstance(found, Outcome):
        return found
    one, layer, random = (each["pruned"] for each in found)
    margins = test.params["margins"]
    said = short_of([("global magnitude", one, "layer-wise magnitude", layer, margins[0]),
                     ("layer-wise magnitude", layer, "random masks", random, margins[1])])
    return wrong(said, checked) if said else accepted(checked, **{"global": one, "layer": layer, "random": random})


def judge_tuned(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "90 % pruned, then fine-tuned: magnitude against random masks"
    found = results(context, runs, PRUNE_LINES, checked)
    if isinstance(found, Outcome):
        return found
    magnitude, random = (each["fine-tuned"] for each in found)
    said = short_of([("magnitude masks", magnitude, "random masks", random, test.params["margin"]),
                     ("magnitude masks", magnitude, "the bound", test.params["least"], 0)])
    return wrong(said, checked) if said else accepted(checked, magnitude=magnitude, random=random)


def judge_two_of_four(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "2:4, fine-tuned, against the dense network"
    found = results(context, runs, PRUNE_LINES, checked)
    if isinstance(found, Outcome):
        return found
    dense, half = found[0]["pruned"], found[1]["fine-tuned"]
    if found[1]["zeros"] != test.params["zeros"]:
        return wrong(f"{found[1]['zeros']:.0f} weights are pruned, 2:4 prunes {test.params['zeros']}", checked)
    said = short_of([("2:4", half, "the dense network", dense, -test.params["margin"])])
    return wrong(said, checked) if said else accepted(checked, dense=dense, half=half)


def judge_distilled(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "the same network, images and steps, with and without a teacher"
    found = results(context, runs, DISTILL_LINES, checked)
    if isinstance(found, Outcome):
        return found
    for run, each in zip(runs, found):
        said = short_of([("the distilled network", each["distilled"], "the one that saw labels only", each["alone"],
                          test.params["margin"])])
        if said:
            return wrong(f"{settings(run)}: {said}", checked)
    return accepted(checked, **found[0])


def judge_quantised(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "2 bits, fake-quantised, before and after training"
    found = results(context, runs, QUANT_LINES, checked)
    if isinstance(found, Outcome):
        return found
    (each,) = found
    said = short_of([("the trained network", each["after"], "the one before training", each["before"], test.params["margin"]),
                     ("the trained network", each["after"], "the bound", test.params["least"], 0)])
    return wrong(said, checked) if said else accepted(checked, **each)


def judge_converted(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "predictions of 8-bit floats and of integers"
    found = results(context, runs, ("same",), checked)
    if isinstance(found, Outcome):
        return found
    same = found[0]["same"]
    return accepted(checked, same=same) if same >= test.params["least"] else wrong(
        f"8 bits: expected {100 * test.params['least']:.0f} % equal predictions of floats and integers, got {100 * same:.1f}", checked)
