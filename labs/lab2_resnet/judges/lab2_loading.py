"""C1, C2, C3: files, batches, the training loop's times, and the command line."""
import math
import random
import re
from collections.abc import Sequence

import numpy
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, worker_trouble
from lab2_data import RECORD_BYTES, SIDE, Reader, crowded, floats, near, problem_of, records, wrong_at
from lab2_watched import Watched, sleeps_problem, untold, watched

MEAN, DEVIATION = numpy.array([.4914, .4822, .4465]), numpy.array([.2023, .1994, .2010])
PAD = 4
HOSTILE = {"label": ("data_batch_1.bin", 2 * RECORD_BYTES), "short": ("data_batch_1.bin", 2 * RECORD_BYTES),
           "empty": ("data_batch_1.bin", 0), "byte": ("data_batch_1.bin", 0), "none": ("data_batch_", 0),
           "no_test": ("test_batch.bin", 0)}


# ---- C1: files
def plan_files(test: Test, context: Context) -> list[Case]:
    seed = context.seed(test, 0) % 10 ** 9
    return [Case("dataset", f"{scenario} {seed}", dump=True) for scenario in test.shapes]


def judge_files(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "records as in the files"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        scenario, seed = run.case.args.split()
        parts = [(4, 4)] if scenario == "test" else [(0, 3), (1, 2), (2, 1)]
        expected = numpy.concatenate([records(int(seed), which, count) for which, count in parts])
        own = run.dump.read_bytes() if run.dump is not None else b""
        if own != expected.tobytes():
            same = next((i for i, (a, b) in enumerate(zip(own, expected.tobytes())) if a != b), min(len(own), expected.size))
            return wrong_at(run, f"expected {expected.size} bytes, got {len(own)}; byte {same} is the first wrong one "
                            f"({run.stdout.strip()[:60]})", checked)
    return accepted(checked)


def judge_hostile(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "damaged and missing files: one line with file and byte"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        name, offset = HOSTILE[run.case.args.split()[0]]
        said = run.stdout.strip()
        if not said.startswith("refused: ") or "\n" in said or name not in said or f"byte {offset}" not in said:
            return wrong_at(run, f"expected one line that names {name} and byte {offset}, where the damaged record begins, got "
                                 f"{said[:90]!r}", checked)
    return accepted(checked)


# ---- C1: images
def plan_batches(test: Test, context: Context) -> list[Case]:
    seed = context.seed(test, 0) % 10 ** 9
    return [Case("loader", f"batches {seed} {shape}", dump=True) for shape in test.shapes]


class Batches:
    """What a run handed over: (labels, samples, images) of every batch."""

    def __init__(self, run: Run) -> None:
        words = [int(word) for word in run.case.args.split()[1:]]
        self.seed, self.images, self.batch, _, _, self.shuffle, self.drop_last, self.augment, self.epochs = words
        reader = Reader(run)
        whole, rest = divmod(self.images, self.batch)
        self.sizes = [self.batch] * whole + ([rest] if rest and not self.drop_last else [])
        self.all = [[(reader.take(numpy.int32, n), reader.take(numpy.int32, n), reader.take(numpy.float32, n, SIDE, SIDE, 3))
                     for n in self.sizes] for _ in range(self.epochs)]


def pixels(rows: numpy.ndarray) -> numpy.ndarray:
    """Records as images of bytes, row, column, plane."""
    return rows[:, 1:].reshape(-1, 3, SIDE, SIDE).transpose(0, 2, 3, 1)


def normalised(image: numpy.ndarray) -> numpy.ndarray:
    return (image / 255.0 - MEAN) / DEVIATION


def judge_batches(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "labels, samples and images of every batch"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        found = Batches(run)
        rows = records(found.seed, 0, found.images)
        for epoch in found.all:
            order = numpy.concatenate([samples for _, samples, _ in epoch])
            said = order_problem(order, found)
            for number, (labels, samples, images) in enumerate(epoch if not said else []):
                said = said or batch_problem(rows, labels, samples, images, bool(found.augment), number)
            if said:
                return wrong_at(run, said, checked)
        said = shuffle_problem(found)
        if said:
            return wrong_at(run, said, checked)
    return accepted(checked)


def order_problem(order: numpy.ndarray, found: Batches) -> str:
    if not ((order >= 0) & (order < found.images)).all() or len(set(order.tolist())) != len(order):
        return f"samples of an epoch: expected each of 0 to {found.images - 1} at most once, got {order.tolist()[:8]}..."
    if not found.shuffle and order.tolist() != list(range(len(order))):
        return f"without shuffling the samples come in order, got {order.tolist()[:8]}..."
    return ""


def shuffle_problem(found: Batches) -> str:
    orders = [tuple(numpy.concatenate([samples for _, samples, _ in epoch]).tolist()) for epoch in found.all]
    if found.shuffle and (len(set(orders)) != len(orders) or tuple(sorted(orders[0])) == orders[0]):
        return "with shuffling every epoch has another order"
    return ""


def batch_problem(rows, labels, samples, images, augment: bool, number: int) -> str:
    if not (labels == rows[samples, 0]).all():
        return f"batch {number}: labels do not belong to the samples"
    originals = pixels(rows[samples])
    for i, (own, original) in enumerate(zip(images.astype(numpy.float64), originals)):
        if augment:
            if not is_crop(own, original):
                return f"batch {number}, image {i}: no crop of the image with {PAD} black pixels around it, mirrored or not"
        elif not (abs(own - normalised(original)) <= 1e-5).all():
            return (f"batch {number}, image {i}, pixel (0, 0): expected {normalised(original)[0, 0].round(6).tolist()}, got "
                    f"{own[0, 0].round(6).tolist()}")
    return ""


def is_crop(own: numpy.ndarray, original: numpy.ndarray) -> bool:
    padded = normalised(numpy.pad(original, ((PAD, PAD), (PAD, PAD), (0, 0))))
    for mirrored in (own, own[:, ::-1]):
        corner = mirrored[0, :4]
        for y in range(2 * PAD + 1):
            for x in range(2 * PAD + 1):
                if (abs(padded[y, x:x + 4] - corner) <= 1e-5).all() and (
                        abs(padded[y:y + SIDE, x:x + SIDE] - mirrored) <= 1e-5).all():
                    return True
    return False


# ---- C3: workers
SAME_SUM = 1e-3  # of the range of the images' sums: float32 sums of 3072 pixels


def plan_workers(test: Test, context: Context) -> list[Case]:
    seed = context.seed(test, 0) % 10 ** 9
    return [Case("loader", f"batches {seed} 100 16 2 4 1 0 0 1", dump=True),
            *(Case("loader", f"digest {seed} 100 16 {workers} {prefetch} 1 0 1 2")
              for workers, prefetch in ((0, 1), (1, 1), (2, 4), (4, 3), (8, 16), (16, 4)))]


def judge_workers(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "the same batches for every number of workers"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
    whole, *runs = runs
    said = made_of_nothing(Batches(whole))
    if said:
        return wrong_at(whole, said, checked)
    for run in runs:
        if not run.stdout.startswith("7 100:"):
            return wrong_at(run, f"expected 7 batches with 100 samples, got {run.stdout.strip()[:60]!r}", checked)
        if run.stdout != runs[0].stdout:
            return wrong_at(run, "its batches differ from those without workers", checked)
    return accepted(checked)


def made_of_nothing(found: Batches) -> str:
    """Whether the images came from the records, however they were normalised and whichever byte stands in which plane: a loader
    without images has the same ones with every number of workers."""
    [epoch] = found.all
    order = numpy.concatenate([samples for _, samples, _ in epoch])
    said = order_problem(order, found)
    if said or len(order) != found.images:
        return said or f"{len(order)} of {found.images} samples are in the batches of an epoch"
    planes = numpy.concatenate([images for _, _, images in epoch]).sum(axis=(1, 2), dtype=numpy.float64)
    rows = records(found.seed, 0, found.images)[order]
    sums = rows[:, 1:].sum(axis=1, dtype=numpy.float64)
    known = numpy.column_stack([planes, numpy.ones(len(order))])
    fits = bool(numpy.isfinite(planes).all()) and abs(
        known @ numpy.linalg.lstsq(known, sums, rcond=None)[0] - sums).max() <= SAME_SUM * numpy.ptp(sums)
    return "" if fits else "its images are not those of the records"


def drawn_errors(draw: random.Random) -> list[str]:
    """A label of 10 in other data, and data without one: a loader that always throws has found nothing."""
    seed, images, batch = draw.randrange(10 ** 9), draw.randint(70, 150), draw.randint(5, 20)
    return [f"error {seed} {images} {batch} {draw.randint(2, 6)}", f"digest {seed} {images} {batch} 2 4 1 0 0 1"]


def plan_errors(test: Test, context: Context) -> list[Case]:
    lines = context.also_drawn(test, [f"error 7 64 8 {workers}" for workers in (0, 1, 4)], drawn_errors)
    return [*(Case("loader", line) for line in lines), watched("{loader} leave 2 10000"), watched("{loader} leave 8 2000")]


LEAVE_IMAGES, LEAVE_BATCH = 512, 128  # of `loader leave`: the first batch is taken, the others are not
LEAVES = "leaves\n"
MOST_LEAVING = 0.2  # seconds; a tenth is promised: twice that on a busy machine, and with the end of the process


def judge_errors(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "a worker's exception in next(); the destructor in the middle of an epoch"
    for run in runs:
        problem = problem_of(run, context) or (worker_trouble(run, context) if run.case.args.startswith("watch") else None)
        if problem:
            return problem
        if run.case.args.startswith("error") and not run.stdout.startswith("error: "):
            return wrong_at(run, f"a label of 10: expected an exception from next(), got {run.stdout.strip()[:60]!r}", checked)
        if run.case.args.startswith("digest"):
            images, batch = map(int, run.case.args.split()[2:4])
            if not run.stdout.startswith(f"{-(-images // batch)} {images}:"):
                return wrong_at(run, f"no label is wrong: expected {-(-images // batch)} batches with {images} samples, got "
                                f"{run.stdout.strip()[:60]!r}", checked)
        if run.case.args.startswith("watch"):
            own = Watched.of(run)
            if own.output != LEAVES:
                return wrong_at(run, f"expected the harness's one line, got {own.output[:60]!r}", checked)
            said = _stays(run.case, own)
            if said:
                return crowded(said, checked) or wrong_at(run, said, checked)
    return accepted(checked)


def _stays(case: Case, own: Watched) -> str:
    """By the grader's clock, from the program's word that it leaves, which it must say once and may say too early only, to its
    end. A program that loads the whole epoch before it says so takes too long as a whole; that says nothing where many workers
    load it, of which one may load the first batch alone."""
    if own.after_s > MOST_LEAVING:
        return f"the destructor took {1000 * own.after_s:.0f} ms, expected at most 100"
    workers, latency_us = map(int, case.args.split()[-2:])
    first, whole = LEAVE_BATCH * latency_us * 1e-6, LEAVE_IMAGES * latency_us * 1e-6 / workers
    return "" if whole <= first or own.wall_s < (first + whole) / 2 else (
        f"the program ran for {own.wall_s:.2f} s: the first batch takes one worker {first:.2f} s, the epoch takes {whole:.2f} s, and it "
        "leaves after the first batch")


LATENCY_US, SAMPLES, BATCH = 5000, 320, 8
MOST_START = 0.15  # time of the run without sleeps, in sleeps of the whole epoch


def plan_overlap(test: Test, context: Context) -> list[Case]:
    seed = context.seed(test, 0) % 10 ** 9
    return [watched(f"{{loader}} epoch {workers} {latency} {SAMPLES} {BATCH} {seed}", alone=True)
            for workers, latency in ((4, 0), (1, LATENCY_US), (4, LATENCY_US))]


HALVES = 6


def epoch_sums(seed: int) -> list[float]:
    """Of all samples in order: how many; labels times places; and for each way to halve the images the bytes of each plane
    over one half less those over the other. loader_check.cpp computes the same of what the student's loader delivers."""
    rows, place = records(seed, 0, SAMPLES), numpy.arange(1, SAMPLES + 1)
    planes = pixels(rows).sum(axis=(1, 2), dtype=numpy.int64)
    halves = [numpy.where((place >> half) % 2 == 0, 1, -1) for half in range(HALVES)]
    return [SAMPLES, int((place * rows[:, 0].astype(numpy.int64)).sum()), *(float(sum) for half in halves for sum in half @ planes)]


def has_loaded(found: Sequence[float], expected: Sequence[float]) -> bool:
    """Whether the sums are those of the images, for any normalisation and any order of an image's bytes; C1.batches tests the
    pixels themselves. Differences of halves do not depend on a plane's mean. One scale per plane must turn the planes' sums into
    the sums of the bytes, for more halves than there are planes."""
    if len(found) != len(expected) or list(found[:2]) != list(expected[:2]) or not numpy.isfinite(found).all():
        return False
    planes, bytes_ = numpy.reshape(found[2:], (HALVES, -1)), numpy.reshape(expected[2:], (HALVES, -1)).sum(axis=1)
    scales = numpy.linalg.lstsq(planes, bytes_, rcond=None)[0]
    return bool(abs(planes @ scales - bytes_).max() <= 1e-3 * abs(bytes_).max())


def judge_overlap(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """By the grader's clock and the kernel's count of sleeping threads. The yardstick is the time that the sleeps take one after
    the other, whatever the student's program takes for that; of what it takes without any sleep no more is subtracted than
    such a program needs."""
    checked = "time of an epoch with 4 workers over that of its sleeps, by the grader's clock"
    for run in runs:
        problem = worker_trouble(run, context)
        if problem:
            return problem
    start, one, four = map(Watched.of, runs)
    for run, own in zip(runs, (start, one, four)):
        expected = epoch_sums(int(run.case.args.split()[-1]))
        if not has_loaded((floats(own.output) or [[]])[0], expected):
            return wrong_at(run, f"its batches do not hold the {SAMPLES} images and labels in their order", checked)
    floor = SAMPLES * LATENCY_US * 1e-6
    if one.wall_s < 0.95 * floor:
        return wrong_at(runs[1], f"one worker cannot load that in {one.wall_s:.2f} s: the sleeps alone take {floor:.2f} s", checked)
    said = sleeps_problem(four, floor)
    if said:
        return untold(checked, four) or crowded(said, checked) or wrong_at(runs[2], said, checked)
    subtracted = min(start.wall_s, MOST_START * floor)
    if 1.1 * floor >= 3 * (four.wall_s - subtracted):
        return accepted(checked)
    said = (f"the sleeps take {floor:.2f} s one after the other, 4 workers take {four.wall_s:.2f} s, {start.wall_s:.2f} s of them "
            "without a sleep: expected a third")
    return crowded(said, checked) or Outcome(Verdict.WA, said, checked)


# ---- C2: times
def plan_times(test: Test, context: Context) -> list[Case]:
    return [Case("lab2_worker", f"times {{timers}} {shape}", alone=True) for shape in test.shapes]


def judge_times(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """Every epoch of a run must be right; of its times one epoch's are enough, because a busy machine disturbs some."""
    checked = "load, train and total against the sleeps that were injected"
    for run in runs:
        problem = worker_trouble(run, context)
        if problem:
            return problem
        epochs = re.findall(r".*?^slept [^\n]*$", run.stdout, flags=re.MULTILINE | re.DOTALL)
        said = [] if epochs else ["its lines cannot be read"]
        for epoch in epochs:
            try:
                wrong, of_times = epoch_problems(epoch, int(run.case.args.split()[2]))
            except (KeyError, ValueError, IndexError):
                return wrong_at(run, "its lines cannot be read", checked)
            if wrong:
                return wrong_at(run, wrong, checked)
            said.append(of_times)
        if all(said):
            return wrong_at(run, said[0], checked)
    return accepted(checked)


def epoch_problems(text: str, steps: int) -> tuple[str, str]:
    """What is wrong with the results of an epoch, and with its times."""
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.split()}
    load, train, total, loss, top1 = map(float, rows["epoch"])
    slept_load, slept_train, updates = float(rows["slept"][0]), float(rows["slept"][1]), int(rows["slept"][3])
    log = [line[5:] for line in text.splitlines() if line.startswith("step ")]
    return results_problem(log, steps, loss, top1, updates), times_problem(load, train, total, slept_load, slept_train)


def times_problem(load: float, train: float, total: float, slept_load: float, slept_train: float) -> str:
    for name, got, expected in (("load", load, slept_load), ("train", train, slept_train)):
        if not expected - 0.002 <= got <= 1.2 * expected + 0.01:
            queued = name == "train" and got < expected / 10
            why = ": the clock is read before synchronize() has waited for the work that is queued" if queued else ""
            return f"{name}: the sleeps took {expected:.4f} s, got {got:.4f} s{why}"
    if not load + train <= total * (1 + 1e-9):
        return f"load {load:.4f} s and train {train:.4f} s are more than total {total:.4f} s"
    if not (math.isfinite(total) and total - load - train <= 0.02 * total + 0.01):
        return f"{total - load - train:.4f} s of {total:.4f} s are neither loading nor training"
    return ""


def results_problem(log: Sequence[str], steps: int, loss: float, top1: float, updates: int) -> str:
    """The fake model says loss 0.5 n and n right samples in step n; batches have 10 samples, the last one 4."""
    sizes = [10] * (steps - 1) + [4]
    expected_loss = sum(0.5 * (i + 1) * size for i, size in enumerate(sizes)) / sum(sizes)
    expected_top1 = sum(range(1, steps + 1)) / sum(sizes)
    if updates != steps:
        return f"{updates} updates, expected one per step, {steps}"
    if not near([loss, top1], [expected_loss, expected_top1]):
        return f"loss and top-1 of the epoch: expected {expected_loss:.6f} {expected_top1:.6f}, got {loss:.6f} {top1:.6f}"
    expected = [[3, i, size, 0.5 * (i + 1), (i + 1) / size] for i, size in enumerate(sizes)]
    got = floats("\n".join(log))
    return "" if len(got) == len(expected) and all(map(near, got, expected)) else (
        f"log: expected one entry (epoch, step, samples, loss, top1) per batch, the first {expected[0]}, got {got[:1]}")


def drawn_counts(draw: random.Random) -> list[str]:
    """Right samples of batches, SIZE:RIGHT."""
    sizes = [draw.randint(2, 90) for _ in range(draw.randint(3, 7))]
    return [" ".join(f"{size}:{draw.randint(0, size)}" for size in sizes)]


def plan_evaluate(test: Test, context: Context) -> list[Case]:
    return [Case("lab2_worker", f"evaluate {{timers}} {shape}") for shape in context.also_drawn(test, test.shapes, drawn_counts)]


def judge_evaluate(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = "share of right samples, batches of several sizes"
    for run in runs:
        problem = worker_trouble(run, context)
        if problem:
            return problem
        pairs = [tuple(map(int, word.split(":"))) for word in run.case.args.split()[2:]]
        expected = sum(right for _, right in pairs) / sum(size for size, _ in pairs)
        if not near((floats(run.stdout) or [[]])[0], [expected]):
            return wrong_at(run, f"expected {expected:.6f}, got {run.stdout.strip()[:40]}", checked)
    return accepted(checked)


# ---- C1: command line
DEFAULTS = {"model": "resnet18", "optimizer": "sgd", "device": "cpu", "data": "", "log": "", "trace": "", "onnx": "", "eval_every": 1.0, "width": 16, "epochs": 5,
            "batch": 128, "workers": 2, "threads": 1, "io_latency_us": 0, "lr": 0.1, "momentum": 0.9, "weight_decay": 5e-4,
            "seed": 1, "batch_norm": 1, "augment": 0}


WHOLE = ("--width", "--epochs", "--batch", "--workers", "--threads", "--io-latency-us", "--seed")  # numbers


def drawn_options(draw: random.Random) -> list[str]:
    """Valid command lines of several options each, --data among them."""
    lines = []
    for _ in range(4):
        options = [f"--model {draw.choice(('resnet8', 'resnet18'))}", f"--device {draw.choice(('cpu', 'sim:t4', 'sim:v100'))}",
                   f"--optimizer {draw.choice(('sgd', 'nesterov', 'adagrad', 'adadelta', 'adam'))}", f"--log l{draw.randint(1, 99)}.jsonl",
                   f"--trace t{draw.randint(1, 99)}.json", f"--onnx n{draw.randint(1, 99)}.onnx", "--no-batch-norm", "--augment",
                   f"--lr {draw.uniform(0.001, 0.9):.5f}", f"--momentum {draw.uniform(0, 0.99):.4f}",
                   f"--weight-decay {draw.uniform(1e-5, 1e-2):.3e}", f"--eval-every {draw.uniform(0.05, 0.95):.3f}",
                   *(f"{name} {draw.randint(1, 64)}" for name in WHOLE)]
        chosen = [f"--data d{draw.randint(1, 99)}", *draw.sample(options, 7)]
        draw.shuffle(chosen)
        lines.append(" ".join(chosen))
    return lines


def drawn_refused(draw: random.Random) -> list[str]:
    """The same mistakes with other words; the wrong option is the last one. What is right of it is right in drawn_options()."""
    letters = "".join(draw.choice("ghijk") for _ in range(5))
    mistakes = [f"--optimizer {letters}", f"{draw.choice(('--batch', '--workers'))} -{draw.randint(1, 99)}", f"{draw.choice(WHOLE)} {letters}",
                f"{draw.choice(WHOLE)} {draw.randint(1, 64)}{letters}", draw.choice((*WHOLE, "--lr", "--model")),
                f"{draw.choice(('--lr', '--momentum', '--weight-decay'))} nan", f"--{letters} {draw.randint(1, 9)}", f"--device {letters}",
                f"--eval-every {draw.uniform(1.1, 9):.2f}", f"--model {letters}"]
    return [f"--epochs {draw.randint(1, 9)} --lr {draw.uniform(0.01, 0.5):.3f}", *(f"--data d --epochs 3 {mistake}" for mistake in mistakes)]


def plan_options(test: Test, context: Context) -> list[Case]:
    return [Case("options", shape) for shape in context.also_drawn(test, test.shapes, drawn_options)]


def plan_refused(test: Test, context: Context) -> list[Case]:
    """In a score of record also valid lines: a function that refuses all has read nothing."""
    return [Case("options", shape) for shape in context.also_drawn(
        test, test.shapes, lambda draw: [*drawn_refused(draw), *drawn_options(draw)[:1]])]


def is_valid(words: Sequence[str]) -> bool:
    """Of the lines that are asked here: the names of folders are those of drawn_options()."""
    return any(word.startswith("d") and word[1:].isdecimal() for word in words)


def judge_options(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} command lines"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words, expected = run.case.args.split(), dict(DEFAULTS)
        while words:
            name = words.pop(0)[2:].replace("-", "_")
            if name in ("no_batch_norm", "augment"):
                expected["batch_norm" if name == "no_batch_norm" else name] = int(name == "augment")
            else:
                expected[name] = type(DEFAULTS[name])(words.pop(0))
        got = dict((line.split(maxsplit=1) + [""])[:2] for line in run.stdout.splitlines() if line.split())
        for name, value in expected.items():
            own = got.get(name, "nothing")
            if not (near([number(own)], [value]) if not isinstance(value, str) else own == value):
                return wrong_at(run, f"{name}: expected {value or 'nothing'}, got {own}", checked)
    return accepted(checked)


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def judge_refused(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(runs)} command lines, wrong ones among them"
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words, said = run.case.args.split(), run.stdout.strip()
        if is_valid(words):
            if said.startswith("refused: "):
                return wrong_at(run, f"a valid command line, got {said[:60]!r}", checked)
            continue
        options = [word for word in words if word.startswith("--")]
        bad = options[-1] if "--data" in options else "--data"
        if not said.startswith("refused: ") or bad not in said:
            return wrong_at(run, f"expected std::invalid_argument that names {bad}, got {said[:60]!r}", checked)
    return accepted(checked)
