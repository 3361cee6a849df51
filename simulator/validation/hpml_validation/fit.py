"""A GPU file for a card that has none, from the card's own microbenchmarks (hardware/KEY.json): the file of the sibling of
the nearest compute capability, with every value replaced that the measurements give."""
from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hpml_validation import hardware
from hpml_validation.programs import ROOT, RunError

GPUS = ROOT / "simulator/gpus"


@dataclass(frozen=True)
class Value:
    text: str
    source: str     # the comment of its line


class Measured:
    """The figures of a hardware file, by program and name."""

    def __init__(self, path: Path) -> None:
        self.data = hardware.load(path)
        self.runs = {command: values for command, _, values in self.data["runs"]}

    def get(self, command: str, name: str) -> float | None:
        """The median."""
        values = self.runs.get(command, {}).get(name)
        return values[0] if values else None

    def card(self, name: str) -> float:
        value = self.get("card", name)
        if value is None:
            raise RunError(f"the file lacks the program 'card' with its '{name}': measure the card again")
        return value


def sibling_of(measured: Measured) -> str:
    """The GPU file of the nearest compute capability; of several the one with the nearest number of SMs."""
    wanted = 10 * measured.card("cc_major") + measured.card("cc_minor")

    def distance(path: Path) -> tuple[float, float]:
        spec = tomllib.loads(path.read_text("utf-8"))
        capability = 10 * spec["identity"]["cc_major"] + spec["identity"]["cc_minor"]
        return abs(capability - wanted), abs(spec["topology"]["sms"] - measured.card("sms"))

    return min(sorted(GPUS.glob("*.toml")), key=distance).stem


def properties(measured: Measured) -> dict[str, Value]:
    """What the card says of itself."""
    said = "as the card says"

    def whole(name: str) -> Value:
        return Value(f"{measured.card(name):.0f}", said)

    peak = 2 * measured.card("memory_mhz") * measured.card("bus_bits") / 8 / 1e3
    sm_mhz = measured.data["clocks"]["sm_mhz"][1]
    return {
        "identity.name": Value(f'"{measured.data["card"]["name"]}"', said),
        "identity.cc_major": whole("cc_major"), "identity.cc_minor": whole("cc_minor"), "topology.sms": whole("sms"),
        "clocks.core_mhz": Value(f"{sm_mhz:g}", "MHz; median while the programs ran"),
        "clocks.reported_core_mhz": whole("core_mhz"), "clocks.memory_mhz": whole("memory_mhz"),
        "limits.max_threads_per_sm": whole("threads_per_sm"),
        "limits.max_warps_per_sm": Value(f"{measured.card('threads_per_sm') / 32:.0f}", said),
        "limits.registers_per_sm": whole("registers_per_sm"), "l2.size_kib": whole("l2_kib"),
        "dram.bus_bits": whole("bus_bits"), "dram.size_mib": whole("memory_mib"),
        "dram.peak_gbs": Value(f"{peak:.1f}", "GB/s; bus x memory clock x 2"),
    }


# Latency class -> program and result that show it.
LATENCIES = {
    "int_alu": ("alu latency", "IADD3"), "int_mul": ("alu latency", "IMAD"), "fp32": ("alu latency", "FFMA"),
    "fp16": ("alu latency", "HFMA2"), "fp64": ("alu latency", "DFMA"), "mufu": ("alu latency", "MUFU"),
    "popc": ("alu latency", "POPC"), "flo": ("alu latency", "FLO"), "fp32_div": ("alu latency", "FDIV"),
    "fp64_div": ("alu latency", "DDIV"), "shuffle": ("warp shuffle", "latency"), "membar": ("warp fence", "latency"),
    "ld_global": ("chase global kib=16", "latency"), "ld_local": ("chase global kib=16", "latency"),
    "ld_shared": ("chase shared", "latency"), "ld_const": ("chase constant bytes=1024", "latency"),
}
STREAMS = {"read_efficiency": "read", "write_efficiency": "init", "mixed_efficiency": "triad4"}
STREAM_MB = (128, 192, 64)


def latencies(measured: Measured) -> dict[str, Value]:
    found = {}
    for name, (command, result) in LATENCIES.items():
        value = measured.get(command, result)
        if value is not None and round(value) > 0:
            found[f"latency.{name}"] = Value(f"{round(value)}", f"measured: {command}, {result}")
    return found


def memory(measured: Measured, sibling: dict) -> dict[str, Value]:
    """L2 and DRAM: chases within L2 and far beyond it, streams."""
    found = {}
    l2, dram = sibling["l2"], sibling["dram"]
    within = f"chase global kib={2048 if measured.card('l2_kib') < 16384 else 8192}"
    beyond = f"chase global kib={24000 if measured.card('l2_kib') < 16384 else 120000} cold=1"
    near, missed = measured.get(within, "latency"), measured.get(beyond, "latency")
    far = l2["far_latency_cycles"] - l2["near_latency_cycles"]
    if near is not None:
        found["l2.near_latency_cycles"] = Value(f"{round(near)}", f"cycles; measured: {within}")
        found["l2.far_latency_cycles"] = Value(f"{round(near) + far}", "cycles; near, and the sibling's way to the far one")
    if missed is not None and near is not None:
        partitions = far / 2  # half of the lines are in the far partition
        found["dram.latency_cycles"] = Value(f"{round(missed - partitions)}", f"cycles; measured: {beyond}")
    peak = 2 * measured.card("memory_mhz") * measured.card("bus_bits") / 8 / 1e3
    for key, operation in STREAMS.items():
        for mb in STREAM_MB:
            reached = measured.get(f"bandwidth {operation} mb={mb}", "bandwidth")
            if reached is not None:
                value = min(reached / peak, 1.0)
                found[f"dram.{key}"] = Value(f"{value:.3f}", f"of peak; measured: bandwidth {operation} mb={mb}")
                break
    return found if dram else {}


def with_values(text: str, values: dict[str, Value], sibling: str) -> str:
    """The sibling's file with these values; every other line becomes its proxy."""
    lines, section = [], ""
    for line in text.splitlines():
        if head := re.match(r"\[(\w+)\]", line):
            section = head.group(1)
        key = re.match(r"(\w+)(\s*)= (.*?)  #", line)
        if key is None:
            lines.append(line)
            continue
        value = values.get(f"{section}.{key.group(1)}")
        if value is None:
            lines.append(f"{key.group(1)}{key.group(2)}= {key.group(3).rstrip()}  # proxy: {sibling}")
        elif section == "latency":
            body = re.sub(r"latency = \d+", f"latency = {value.text}", key.group(3).rstrip())
            lines.append(f"{key.group(1)}{key.group(2)}= {body}  # {value.source}")
        else:
            lines.append(f"{key.group(1)}{key.group(2)}= {value.text}  # {value.source}")
    return "\n".join(lines) + "\n"


def gpu_file(path: Path, sibling: str = "", say: Callable[[str], None] = lambda _: None) -> str:
    """The text of a GPU file for the card of hardware file `path`."""
    measured = Measured(path)
    sibling = sibling or sibling_of(measured)
    text = (GPUS / f"{sibling}.toml").read_text("utf-8")
    values = properties(measured) | latencies(measured) | memory(measured, tomllib.loads(text))
    say(f"{len(values)} values measured, the others from {sibling}")
    card = measured.data["card"]["name"]
    head = f"# {card}, fitted by tools/fit_gpu from its microbenchmarks ({path.name})\n"
    return head + with_values(text.split("\n", 1)[1], values, sibling)
