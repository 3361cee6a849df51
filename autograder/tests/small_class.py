"""A class of hand-ins of the small lab (small_lab/), no two the same, each with the points it must get; and a checkout
whose only lab that is."""
import io
import os
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hpml_autograder.paths import ROOT, build_dir

LAB = Path(__file__).parent / "small_lab"
HEAD = '#include <cuda_runtime.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n#include "axpy.h"\n\n'
ANSWERS = "[axpy]\nbytes_per_element = {}\n"


@dataclass(frozen=True)
class Kind:
    share: int                                 # of a hundred, about
    points: int
    code: Callable[[random.Random], str] | None  # None: no axpy.cu
    answer: str | None = ANSWERS.format(12)    # None: no answers.toml


def program(kernel: str, threads: int, blocks: str, before: str = "", after: str = "") -> str:
    return (f"{HEAD}__global__ void K(float a, const float* x, float* y, int n) {{\n{kernel}}}\n\n"
            f"void axpy(float a, const float* x, float* y, int n) {{\n{before}  K<<<{blocks}, {threads}>>>(a, x, y, n);\n"
            f"  cudaDeviceSynchronize();\n{after}}}\n")


def honest(draw: random.Random) -> str:
    threads = draw.choice([32, 64, 96, 128, 192, 256, 384, 512])
    enough = f"(n + {threads - 1}) / {threads}"
    update = draw.choice(["y[i] = a * x[i] + y[i];", "y[i] += a * x[i];", "y[i] = fmaf(a, x[i], y[i]);",
                          "const float product = a * x[i];\n    y[i] = product + y[i];"])
    if draw.random() < 0.5:
        loop = "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n"
        return program(f"{loop}    {update}\n  }}\n", threads, draw.choice([enough, "4", "8", "13"]))
    guard = draw.choice([f"  if (i < n) {{\n    {update}\n  }}\n", f"  if (i >= n) {{\n    return;\n  }}\n  {update}\n"])
    return program("  const int i = blockDim.x * blockIdx.x + threadIdx.x;\n" + guard, threads, enough)


def chunks(draw: random.Random) -> str:
    each = draw.choice([8, 16])
    kernel = (f"  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * {each};\n"
              f"  for (int i = first; i < n && i < first + {each}; ++i) {{\n    y[i] = a * x[i] + y[i];\n  }}\n")
    return program(kernel, 64, f"(n + {64 * each - 1}) / {64 * each}")


def one(kernel: str, before: str = "", after: str = "") -> Callable[[random.Random], str]:
    whole = "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + kernel
    return lambda draw: program(whole, draw.choice([128, 256]), "n / 128 + 1", before, after)


RIGHT = "  if (i < n) {\n    y[i] = a * x[i] + y[i];\n  }\n"
ON_THE_HOST = """  float* p = (float*)malloc(n * sizeof(float));
  float* q = (float*)malloc(n * sizeof(float));
  cudaMemcpy(p, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(q, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    q[i] += a * p[i];
  }
  cudaMemcpy(y, q, n * sizeof(float), cudaMemcpyHostToDevice);
"""
KINDS = {
    "endless_kernel": Kind(1, 2000, one("  while (*(volatile float*)y > -1.0f) {\n    (void)i;\n  }\n")),  # takes longest: first
    "honest": Kind(60, 10000, honest),
    "chunks": Kind(8, 8000, chunks),
    "last_missing": Kind(4, 2000, one("  if (i < n - 1) {\n    y[i] = a * x[i] + y[i];\n  }\n")),
    "public_size": Kind(3, 7000, one("  if (i < n && n == 1000) {\n    y[i] = a * x[i] + y[i];\n  }\n")),
    "no_answer": Kind(4, 9000, honest, None),
    "wrong_answer": Kind(4, 9000, honest, ANSWERS.format(8)),
    "answer_no_toml": Kind(1, 9000, honest, "[axpy\n"),
    "answer_deep": Kind(1, 9000, honest, "axpy = " + "[" * 5000 + "]" * 5000 + "\n"),
    "does_not_compile": Kind(4, 1000, one("  if (i < n) {\n    y[i] = a * x[i] + z[i];\n  }\n")),
    "crash": Kind(2, 2000, one(RIGHT, after="  *(volatile int*)8 = 1;\n")),
    "out_of_bounds": Kind(2, 2000, one("  y[i + (1 << 28)] = a * x[i];\n")),
    "endless_output": Kind(1, 2000, one(RIGHT, after='  for (;;) {\n    puts("100/100");\n  }\n')),
    "exits": Kind(1, 2000, one(RIGHT, after="  exit(0);\n")),
    "on_the_host": Kind(1, 2000, lambda draw: HEAD + "void axpy(float a, const float* x, float* y, int n) {\n" + ON_THE_HOST + "}\n"),
    "forbidden": Kind(1, 1000, one(RIGHT, before='  if (system("true")) {\n    return;\n  }\n')),
    "only_answers": Kind(1, 1000, None),
}


LIKE_ANOTHER = ("last_missing", "no_answer", "answer_no_toml")  # a class of hundreds has these as well
A_CLASS = [name for name in KINDS if name not in LIKE_ANOTHER]


def renamed(text: str, draw: random.Random, mark: str) -> str:
    """The same program in other words: a comment of its own, and other names."""
    names = {"K": draw.choice(["axpy_kernel", "scale_add", "update", "run_axpy", "k1"]) + mark[-1]}
    for old, new in names.items():
        text = text.replace(f"void {old}(", f"void {new}(").replace(f" {old}<<<", f" {new}<<<")
    return f"// Lab 8, hand-in {mark}\n{text}"


def many(count: int, seed: int = 8) -> list[str]:
    """Every kind, the common ones more often."""
    return [*KINDS, *random.Random(seed).choices(list(KINDS), [kind.share for kind in KINDS.values()], k=count)][:count]


def write(folder: Path, kinds: list[str], seed: int = 8) -> dict[str, int]:
    """A hand-in of each of these kinds into the folder; name -> millipoints."""
    draw = random.Random(seed)
    points = {}
    for number, name in enumerate(kinds):
        kind, student = KINDS[name], f"s{number:03}_{name}"
        files = {}
        if kind.code is not None:
            files["axpy.cu"] = renamed(kind.code(draw), draw, f"{number}")
        if kind.answer is not None:
            files["answers.toml"] = kind.answer + f"# {number}\n"
        _hand_in(folder, student, files, draw.choice(["flat", "flat", "src", "repository", "zip", "tar.gz"]))
        points[student] = kind.points
    return points


def _hand_in(folder: Path, student: str, files: dict[str, str], form: str) -> None:
    place = {"src": "src/", "repository": "labs/lab8_axpy/src/", "zip": "hw/", "tar.gz": "./"}.get(form, "")
    if form == "zip":
        with zipfile.ZipFile(folder / f"{student}.zip", "w") as archive:
            for name, text in files.items():
                archive.writestr(place + name, text)
    elif form == "tar.gz":
        with tarfile.open(folder / f"{student}.tar.gz", "w:gz") as archive:
            for name, text in files.items():
                info = tarfile.TarInfo(place + name)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))
    else:
        for name, text in files.items():
            path = folder / student / place / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def checkout(folder: Path) -> Path:
    """A checkout with the grader and the small lab, and a build folder of its own with our simulator."""
    for name in ("autograder", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "adversaries"))
    shutil.copytree(LAB / "lab8_axpy", folder / "labs" / "lab8_axpy")
    shutil.copytree(LAB / "solution", folder / "solutions" / "lab8_axpy")
    for name in ("simulator", "common"):
        os.symlink(ROOT / name, folder / name)
    build = folder / "build" / "release"
    shutil.copytree(build_dir() / "lib", build / "lib", symlinks=True)
    shutil.copytree(ROOT / "simulator" / "gpus", build / "share" / "gpusim" / "gpus")
    (build / "bin").mkdir()
    shutil.copy2(build_dir() / "bin" / "gpusim", build / "bin")
    return build
