"""The parts of the bench's page: each runs what it needs and returns tables, charts, and how to read them."""
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lab2_charts as charts
import lab2_gpu as gpu
import lab2_published as published
import lab2_runs as runs
import lab2_tables as tables
from hpml_autograder.lab import Runner, machine_report

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Place:
    """Where a section runs its programs and puts its charts."""
    runner: Runner
    roof: runs.Roof
    out: Path
    progress: Callable[[str], None]

    def output(self, line: str) -> str:
        return runs.run(self.runner, line).stdout

    def facts(self) -> list[str]:
        return [f"{machine_report()['processor']}, one core: {self.roof.peak / 1e9:.0f} GFLOP/s (FP32), "
                f"{self.roof.bandwidth / 1e9:.1f} GB/s from memory, {self.roof.clock / 1e9:.2f} GHz, measured in this run"]


@dataclass(frozen=True)
class Section:
    title: str
    words: str
    tables: Sequence[Rows] = ()
    charts: Sequence[Path] = field(default_factory=tuple)


def svgs(paths: Sequence[Path]) -> list[Path]:
    return [path for path in paths if path.suffix == ".svg"]


def counts(place: Place) -> Section:
    place.progress("P2: counting thirteen networks")
    found = tables.counts_of(place.output(f"costs network {' '.join(tables.NETWORKS)}"))
    layers = tables.layers_of(place.output("costs table resnet18"))
    return Section("P2: exact counts, one image, forward; 1 MAC = 2 FLOP",
                   "Executed MAC leave out the taps that fall into the padding. Tools that print FLOPs often mean MAC: compare the "
                   "definition before you compare the number.", [tables.count_rows(found), tables.layer_rows(layers)])


def others(place: Place) -> Section:
    found = tables.counts_of(place.output(f"costs network {' '.join(tables.NETWORKS)}"))
    exact = all(found[network]["macs"] for network in found)
    if not exact:
        raise runs.NotYet("`costs` counts nothing yet")
    return Section("P2, P3: published counts beside exact ones, and peak times of a K80",
                   "All of these sources count MAC and call them FLOPs, or multiply-adds. An entry agrees if the exact count, rounded to the "
                   "digits that are printed, is the same. Times of the second table are ms at the peak, FP32 / FP64: a single image cannot "
                   "use both GPUs of the board.", [published.rows(found), published.k80_rows(found)])


def devices(place: Place) -> Section:
    place.progress("P3: PALEO's times for six GPUs")
    layers, known = tables.layers_of(place.output("costs table resnet18")), tables.devices_of(place.output("resnet devices"))
    return Section("P3: PALEO, ResNet-18, batch 128, forward, PPP 1",
                   "Sums of the convolutions' times, at nominal peaks; K80 is one GPU of the board.",
                   [tables.prediction_rows(tables.predict(place.output, layers, known), known)])


def workers(place: Place) -> Section:
    place.progress("C3: epochs of a slow storage with 0 to 16 workers")
    step_s = tables.step_of(place.output(f"resnet paleo {tables.NETWORK} {tables.GPU} {tables.LOADED}"))
    curve = tables.worker_curve(lambda line: runs.epochs(place.runner, line)[0]["total_s"])
    return Section(f"C3, C4: an epoch of {tables.SAMPLES} samples that take 5 ms each to load, batch {tables.LOADED}, on a simulated K80",
                   f"The curve should fall like 1 / workers until a batch loads faster than a step takes ({1e3 * step_s:.1f} ms by your PALEO), and "
                   "then stay flat: training is the limit. A curve that is flat from the start means that workers wait for each other. "
                   f"The smallest number of workers within 5 % of the shortest epoch: {tables.best(curve)}.", [tables.curve_rows(curve, step_s)],
                   svgs(charts.chart(place.out, "lab2_workers", charts.workers(curve, lambda count: tables.model(count, step_s)), (8, 4))))


def optimizers(place: Place) -> Section:
    found = {}
    for kind, rate in runs.RATES.items():
        place.progress(f"C6: training with {kind}, rate {rate}")
        found[f"{kind}, lr {rate}"] = runs.training(place.runner, f"--optimizer {kind} --lr {rate}")
    return Section("C6: five optimizers, ResNet-8 of width 8, 2000 synthetic images, batch 64",
                   "Each with a rate that suits it. Time per epoch is about the same: the update is a small part of a step.",
                   [training_rows(found)],
                   svgs(charts.chart(place.out, "lab2_optimizers", charts.curves(found, "C6: five optimizers"), columns=2)))


def training_rows(found: Mapping[str, runs.Training]) -> Rows:
    rows: list[Sequence[str]] = [("run", "epoch", "load s", "train s", "total s", "loss", "top-1", "validation top-1")]
    for name, one in found.items():
        rows += [(name, str(number), *(f"{epoch[key]:.3f}" for key in ("load_s", "train_s", "total_s", "loss", "top1", "val_top1")))
                 for number, epoch in enumerate(one.epochs, start=1)]
    return rows


def batch_norm(place: Place) -> Section:
    found = {}
    for name, more in (("with batch norm", ""), ("without", "--no-batch-norm")):
        place.progress(f"C7: training {name}")
        found[name] = runs.training(place.runner, f"--optimizer sgd --lr 0.1 {more}")
    return Section("C7: SGD at rate 0.1 with and without batch normalisation",
                   "Without it the loss stays near ln 10 = 2.30, the loss of guessing, or is not a number; an epoch takes less time.",
                   [training_rows(found)],
                   svgs(charts.chart(place.out, "lab2_batch_norm", charts.curves(found, "C7: batch normalisation"), columns=2)))


def full_size(place: Place) -> Section:
    place.progress(f"P1: {runs.STEPS} steps of ResNet-18, batch {runs.BATCH}, with a trace")
    layers = runs.layers_of_trace(runs.trace_of(place.runner), place.roof, place.runner)
    place.progress("P3: fitting PPP to the convolutions")
    ppp, r2, worst = runs.fit(place.runner, layers, place.roof)
    drawn = [*charts.chart(place.out, "lab2_layers", charts.layer_times(layers), (9, 7)),
             *charts.chart(place.out, "lab2_roofline", charts.roofline(layers, place.roof), (8, 5)),
             *charts.chart(place.out, "lab2_paleo", charts.predicted(layers, ppp, place.roof), (6, 6))]
    return Section("P1, P3: a training step of ResNet-18, batch 32, layer by layer",
                   f"Sorted by time. PALEO's PPP fitted to the convolutions' forward pass: {ppp:.3f}, R² {r2:.3f}, worst layer {worst}. "
                   "The ratio is measured over predicted with PPP 1; a layer far above the others is one that your kernel is bad at. "
                   "A convolution of a 4 x 4 image can exceed its nominal share, because its taps in the padding count but are not computed. "
                   "Layers without products can lie above the roof, which is memory's: what the layer before has just written is still in the cache.",
                   [layer_rows(layers, place.roof)], svgs(drawn))


SHOWN = 40  # layers and passes of the table; the others are summed


def layer_rows(layers: Sequence[runs.Layer], roof: runs.Roof) -> Rows:
    total = sum(layer.seconds for layer in layers)
    ordered = sorted(layers, key=lambda one: -one.seconds)
    rest = sum(layer.seconds for layer in ordered[SHOWN:])
    return [("layer", "pass", "ms", "% of step", "GFLOP/s", "% of peak", "PALEO ms", "ratio"),
            *((layer.name, "backward" if layer.backward else "forward", f"{1e3 * layer.seconds:.3f}", f"{100 * layer.seconds / total:.1f}",
               f"{layer.gflops:.1f}", f"{100 * layer.gflops * 1e9 / roof.peak:.1f}", f"{1e3 * layer.paleo:.3f}",
               f"{layer.seconds / layer.paleo if layer.paleo else 0:.2f}") for layer in ordered[:SHOWN]),
            (f"the other {len(ordered[SHOWN:])}", "", f"{1e3 * rest:.3f}", f"{100 * rest / total:.1f}", "", "", "", "")]


def time_to_accuracy(place: Place) -> Section:
    found = []
    for seed in runs.SEEDS:
        place.progress(f"T1: training with seed {seed}")
        found.append(runs.training(place.runner, f"--optimizer sgd --lr 0.05 --seed {seed}", runs.MANY_EPOCHS))
    count, reached, mean, deviation, has_cov, cov, low, high, *samples = runs.time_to_accuracy(place.runner, found)
    rows = [("seeds", "reached", "mean samples", "deviation", "CoV", "95 % from", "to"),
            (f"{count:g}", f"{reached:g}", f"{mean:.0f}", f"{deviation:.0f}", f"{cov:.3f}" if has_cov else "refused", f"{low:.0f}", f"{high:.0f}")]
    drawn = charts.chart(place.out, "lab2_tta", charts.strip(samples, mean, low, high, int(count - reached), runs.THRESHOLD), (9, 3))
    return Section(f"T1: samples until a validation accuracy of {runs.THRESHOLD}, five seeds",
                   f"One evaluation every {runs.EVERY} samples, four in an epoch: the result can only be a multiple of it, which alone spreads it.",
                   [rows], svgs(drawn) if samples else [])


def simulated(place: Place) -> Section:
    rows: list[Sequence[str]] = [("GPU, batch", "PALEO ms", "bound ms", "simulated ms", "simulated / bound")]
    bars = {}
    reference = gpu.read()
    for name, batches in reference["kernels"].items():
        peak, bandwidth, clock = reference["devices"][name]
        for batch, kernels in batches.items():
            words = " ".join(f"gpu:{layer:g}:{backward:g}:{us:g}" for layer, backward, us, *_ in kernels)
            total = place.output(f"compare table {gpu.NETWORK} {batch} {peak:g} {bandwidth:g} {clock:g} 1 {words}").splitlines()[-1]
            ms = [1e3 * float(word) for word in total.split()[2:5]]
            bars[f"{name}, {batch}"] = ms
            rows.append((f"{name}, {batch}", *(f"{value:.3f}" for value in ms), f"{ms[2] / ms[1]:.1f}"))
    return Section("C5: ResNet-18 on simulated GPUs, forward and backward",
                   "PALEO adds compute and memory time, the bound takes the longer one of each layer. The kernels of gpu/ are plain: with one "
                   "image a layer is small for a GPU, so more of it stands idle the larger the GPU is.", [rows],
                   svgs(charts.chart(place.out, "lab2_gpus", charts.three_columns(bars), (9, 4.5))))


def utilisation(place: Place) -> Section:
    name, reference = "t4", gpu.read()
    series, steps, rows = {}, {}, [("batch", "step ms", "GPU %", "memory %", "occupancy %")]
    for batch, kernels in reference["kernels"][name].items():
        found = runs.utilisation(place.runner, kernels, reference["devices"][name][1])
        label = f"{name}, batch {batch}"
        series[label], steps[label] = found, max(start + us for _, _, us, start, *_ in kernels)
        means = [sum(row[index] for row in found) / len(found) for index in range(3)]
        rows.append((label, f"{steps[label] / 1e3:.2f}", *(f"{100 * mean:.1f}" for mean in means)))
    return Section("U1: utilisation of the simulated T4 over one step",
                   "The GPU is called busy while any kernel runs. Look at the occupancy beside it: 100 % busy with few resident warps is "
                   "possible, and so is 100 % busy with one block.", [rows],
                   svgs(charts.chart(place.out, "lab2_utilisation", charts.windows(series, steps), columns=len(series))))


ALL = (counts, others, devices, workers, optimizers, batch_norm, full_size, time_to_accuracy, simulated, utilisation)
