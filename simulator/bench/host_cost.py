#!/usr/bin/python3
"""Measure what functional mode costs the host: instructions per warp instruction, and bytes per sector of global memory.

    host_cost.py GPUSIM [--page docs/performance.md]

Each kernel of this file is a loop. It runs twice under Valgrind's callgrind, with n and with 2 n iterations, and the
difference of the host's counters is divided by the difference of the simulated ones: what starting costs drops out, and
the figures are the same on a busy machine. Needs the distribution's valgrind package. --page writes the table between the
marks of that page. Exit status: 0 done, 1 a run failed, 2 usage, 3 there is no valgrind.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LINE_BYTES = 64  # of the host's caches, as callgrind models them
BEGIN, END = "<!-- begin output: host_cost.py -->\n", "<!-- end output -->"

FRAME = """.version 7.5
.target sm_70
.address_size 64
.visible .entry k(.param .u64 buffer, .param .u32 n) {{
  .reg .pred %p<4>;
  .reg .f32 %f<8>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  .shared .align 16 .b8 tile[8192];
  ld.param.u64 %rd1, [buffer];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  mov.f32 %f1, 0f3F800000;
  mov.u32 %r4, tile;
{setup}
LOOP:
{body}
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p1, %r3, %r1;
  @%p1 bra LOOP;
  st.global.u32 [%rd1], %r3;
  st.global.f32 [%rd1+4], %f1;
  ret;
}}
"""

ADDRESS = "  mul.wide.u32 %rd2, %r2, {stride};\n  add.s64 %rd3, %rd1, %rd2;"
# Ten instructions that only compute.
COMPUTE = "\n".join(["  fma.rn.f32 %f1, %f1, 0f3F7FFFFE, 0f3F800000;", "  add.s32 %r5, %r2, %r3;",
                     "  mul.lo.s32 %r6, %r5, 1664525;", "  xor.b32 %r7, %r6, %r3;", "  add.f32 %f2, %f1, %f1;"] * 2)
LOADS = "\n".join(f"  ld.global.f32 %f{2 + i % 4}, [%rd3+{4096 * i}];" for i in range(8))
STORES = "\n".join(f"  st.global.f32 [%rd3+{4096 * i}], %f1;" for i in range(8))
SHARED = "\n".join(f"  ld.shared.f32 %f{2 + i % 4}, [%r8+{128 * i}];" for i in range(8))
SCATTERED = "  mul.lo.s32 %r9, %r9, 1664525;\n  add.s32 %r9, %r9, 1013904223;\n  and.b32 %r5, %r9, 16380;\n" \
            "  cvt.u64.u32 %rd4, %r5;\n  add.s64 %rd5, %rd1, %rd4;\n"


@dataclass(frozen=True)
class Kernel:
    """One row of the table."""

    name: str
    body: str
    setup: str = ""
    threads: int = 32
    loops: int = 300


KERNELS = [
    Kernel("arithmetic, 32 lanes", COMPUTE),
    Kernel("arithmetic, one lane", COMPUTE, threads=1),
    Kernel("loads of neighbours", LOADS, ADDRESS.format(stride=4)),
    Kernel("stores to neighbours", STORES, ADDRESS.format(stride=4)),
    Kernel("loads, each lane its own sector", LOADS, ADDRESS.format(stride=32)),
    Kernel("loads, random", SCATTERED + "  ld.global.f32 %f2, [%rd5];", "  mov.u32 %r9, %r2;"),
    Kernel("atomics, random", SCATTERED + "  red.global.add.u32 [%rd5], 1;", "  mov.u32 %r9, %r2;"),
    Kernel("loads of shared memory", SHARED, "  shl.b32 %r8, %r2, 2;\n  add.s32 %r8, %r8, %r4;"),
    Kernel("a branch at which lanes part", "  and.b32 %r5, %r2, 1;\n  setp.eq.s32 %p2, %r5, 0;\n  @%p2 bra EVEN;\n"
           "  add.s32 %r6, %r3, 3;\n  bra JOIN;\nEVEN:\n  add.s32 %r6, %r3, 5;\nJOIN:"),
    Kernel("shuffles", "\n".join(["  shfl.sync.bfly.b32 %r5, %r2, 1, 31, -1;"] * 4)),
    Kernel("barriers of 8 warps", "  bar.sync 0;", threads=256, loops=100),
]


@dataclass(frozen=True)
class Counts:
    """Of one run: the host's instructions and misses of its first cache, and what was simulated."""

    host: int
    misses: int
    instructions: int
    sectors: int


def run(gpusim: str, kernel: Kernel, loops: int, folder: Path) -> Counts:
    """Launch the kernel under callgrind."""
    ptx, metrics, profile = folder / "k.ptx", folder / "metrics.json", folder / "callgrind.out"
    ptx.write_text(FRAME.format(setup=kernel.setup, body=kernel.body), encoding="utf-8")
    words = ["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--callgrind-out-file={profile}", gpusim, "launch",
             str(ptx), "--kernel", "k", "--grid", "1", "--block", str(kernel.threads), "--mode", "functional",
             "--metrics", str(metrics), f"out:{folder / 'out'}:65536", f"u32:{loops}"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{kernel.name}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    text = profile.read_text(encoding="utf-8")
    events = re.search(r"^events: (.*)$", text, re.MULTILINE)[1].split()
    totals = dict(zip(events, map(int, re.search(r"^(?:totals|summary): (.*)$", text, re.MULTILINE)[1].split())))
    launch = json.loads(metrics.read_text(encoding="utf-8"))["kernels"][0]
    sectors = sum(value for name, value in launch["metrics"].items()
                  if name.startswith("l1tex__t_sectors_pipe_lsu_mem_global_op_"))
    return Counts(totals["Ir"], totals["D1mr"] + totals["D1mw"], launch["warp_instructions"], sectors)


def row(gpusim: str, kernel: Kernel) -> str:
    """The kernel's line of the table."""
    with tempfile.TemporaryDirectory() as folder:
        once, twice = (run(gpusim, kernel, kernel.loops * times, Path(folder)) for times in (1, 2))
    instructions, sectors = twice.instructions - once.instructions, twice.sectors - once.sectors
    per_instruction = (twice.host - once.host) / instructions
    per_sector = f"{(twice.misses - once.misses) * LINE_BYTES / sectors:.0f}" if sectors > 0 else "-"
    host_per_sector = f"{(twice.host - once.host) / sectors:.0f}" if sectors > 0 else "-"
    return f"| {kernel.name} | {per_instruction:.0f} | {host_per_sector} | {per_sector} |"


def table(gpusim: str) -> str:
    """All rows, printed as they are measured."""
    lines = ["| kernel | host instructions per warp instruction | host instructions per sector | bytes from beyond the "
             "first cache per sector |", "|---|---|---|---|"]
    for kernel in KERNELS:
        lines.append(row(gpusim, kernel))
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print, and write the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gpusim")
    parser.add_argument("--page", type=Path)
    args = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("host_cost.py: there is no valgrind: install the distribution's package of that name", file=sys.stderr)
        return 3
    try:
        text = table(args.gpusim)
    except RuntimeError as failure:
        print(f"host_cost.py: {failure}", file=sys.stderr)
        return 1
    if args.page:
        page = args.page.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN, 1)
        args.page.write_text(before + BEGIN + text + END + rest.split(END, 1)[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
