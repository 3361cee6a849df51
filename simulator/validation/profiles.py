#!/usr/bin/python3
"""Kernels of many kinds on measured cards and on the simulated ones: cycles, and what a profiler counts.

    profiles.py [--gpu KEY]... [--cuda clang|nvcc] [--jobs N] [--write]

Runs the kernels of programs/sampled.cu and programs/kernels.cu, each alone and with empty caches, and compares them with
what Nsight Compute said of them on the card (hardware/KEY.json; every one that was profiled, unless --gpu names them).
nvcc compiled them there; clang makes other instructions of some. --write renews docs/validation_kernels.md (all cards, with
nvcc). Exit codes: 0 done, 1 a program failed, 2 usage.
"""
from __future__ import annotations

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from hpml_validation import hardware, page, profile
from hpml_validation.programs import Programs, RunError, progress
from hpml_metrics.document import load  # (hpml_validation knows where it is)

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = page.DOCS / "validation_kernels.md"
SECTORS = ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")

HEAD = """# Kernels of many kinds, simulated against profiled cards

Made by `simulator/validation/profiles.py --write`, never by hand: kernels of `simulator/validation/programs/sampled.cu` and
`kernels.cu`, on cards (Nsight Compute, empty caches) and on the simulated ones. Sectors are those of 32 bytes that loads and
stores of global memory touch. A fitted kernel chose a parameter of that card's GPU file; all others are predictions.
"""
CARD = """
## {card}

{summary} Compiled by {compiler}, driver {driver}.

| kernel | cycles, card | cycles, simulated | error | sectors, card | simulated | fitted |
|---|---:|---:|---:|---:|---:|---|
"""
# By card: which kernel chose which parameter.
FITTED = {"h200": {"kernels gather_l2": "l2.slice_request_cycles", "kernels transpose_direct": "l2.slice_partial_cycles",
                   "kernels weigh": "latency.ld_const", "sampled scatter": "l2.tpc_port_bytes_per_cycle"}}


@dataclass(frozen=True)
class Compared:
    kernel: str
    card: dict[str, float]
    simulated: dict[str, float]

    @property
    def error(self) -> float:
        return self.simulated[profile.CYCLES] / self.card[profile.CYCLES] - 1

    def sectors(self, of: dict[str, float]) -> float:
        return sum(of.get(name, 0.0) for name in SECTORS)


def simulate(gpusim: Path, gpu: str, program: Path, kind: str) -> dict[str, float]:
    """The counters of its launch."""
    with tempfile.NamedTemporaryFile(suffix=".json") as metrics:
        hardware.output([str(gpusim), "run", "--gpu", gpu, "--metrics", metrics.name, "--", str(program), kind], limit_s=900)
        return load(Path(metrics.name)).kernels[-1].metrics


def summary(gpu: str, rows: list[Compared]) -> str:
    errors = [100 * abs(row.error) for row in rows]
    predicted = [100 * abs(row.error) for row in rows if row.kernel not in FITTED.get(gpu, {})]
    return (f"{len(rows)} kernels: mean absolute error {mean(errors):.1f} %, median {median(errors):.1f} %, "
            f"worst {max(errors):.0f} %; of the {len(predicted)} that are not fitted: mean {mean(predicted):.1f} %, median {median(predicted):.1f} %.")


def text(gpu: str, rows: list[Compared]) -> str:
    lines = [f"{row.kernel:<28}{row.card[profile.CYCLES]:>11.0f}{row.simulated[profile.CYCLES]:>11.0f}{100 * row.error:>+8.1f} %"
             f"{row.sectors(row.card):>12.0f}{row.sectors(row.simulated):>12.0f}" for row in rows]
    return "\n".join([f"{gpu:<28}{'card':>11}{'simulated':>11}{'error':>10}{'sectors':>12}{'simulated':>12}", *lines,
                      summary(gpu, rows)])


def markdown(gpu: str, rows: list[Compared], data: dict) -> str:
    fitted = FITTED.get(gpu, {})
    lines = [f"| {row.kernel} | {row.card[profile.CYCLES]:.0f} | {row.simulated[profile.CYCLES]:.0f} | {100 * row.error:+.1f} % | "
             f"{row.sectors(row.card):.0f} | {row.sectors(row.simulated):.0f} | {fitted.get(row.kernel, ' ')} |" for row in rows]
    head = CARD.format(card=data["card"]["name"], summary=summary(gpu, rows), compiler=data["compiler"], driver=data["card"]["driver"])
    return head + "\n".join(lines) + "\n"


def profiled_cards() -> list[str]:
    return [path.stem for path in sorted(hardware.FOLDER.glob("*.json")) if hardware.load(path).get("profiles")]


def compare(gpu: str, options: argparse.Namespace, build: Path) -> tuple[list[Compared], dict]:
    data = hardware.load(hardware.FOLDER / f"{gpu}.json")
    arch = data["card"]["capability"].replace(".", "") if options.cuda == "nvcc" else ""
    programs = Programs(build, options.cuda, arch)
    programs.build(list(profile.KINDS), options.jobs)
    kernels = [(name, kind) for name, kinds in profile.KINDS.items() for kind in kinds
               if f"{name} {kind}" in data["profiles"]]
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda one: simulate(build / "bin/gpusim", gpu, programs.path(one[0]), one[1]), kernels)
        for (name, kind), metrics in zip(kernels, results):
            rows.append(Compared(f"{name} {kind}", data["profiles"][f"{name} {kind}"], metrics))
            progress(f"{gpu} {len(rows)}/{len(kernels)} {kind}")
    progress("")
    return rows, data


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpu", action="append", choices=profiled_cards(), help="only this measured card")
    parser.add_argument("--cuda", choices=["clang", "nvcc"], default="nvcc", help="compiler of the programs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="kernels at a time")
    parser.add_argument("--write", action="store_true", help=f"renew {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    if options.write and (options.cuda != "nvcc" or options.gpu):
        parser.error("--write needs all cards, and nvcc: the cards' kernels were compiled by it")
    build = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
    written = HEAD
    for gpu in options.gpu or profiled_cards():
        rows, data = compare(gpu, options, build)
        print(text(gpu, rows))
        written += markdown(gpu, rows, data)
    if options.write:
        PAGE.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as error:
        print(f"profiles: {error}", file=sys.stderr)
        sys.exit(1)
