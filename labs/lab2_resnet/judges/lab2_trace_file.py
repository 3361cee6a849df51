"""P1: the Chrome trace of a training run, read back."""
import json
from typing import Any

# Forward MAC of the convolutions of ResNet-8 of width 8 for one image, by hand from the shapes.
CONV_MACS = {"stem": 32 * 32 * 9 * 3 * 8, "narrow": 32 * 32 * 9 * 8 * 8, "down1": 16 * 16 * 9 * 8 * 16, "middle": 16 * 16 * 9 * 16 * 16,
             "side1": 16 * 16 * 8 * 16, "down2": 8 * 8 * 9 * 16 * 32, "wide": 8 * 8 * 9 * 32 * 32, "side2": 8 * 8 * 16 * 32,
             "linear": 32 * 10}
COUNTS = {"stem": 1, "narrow": 2, "down1": 1, "middle": 1, "side1": 1, "down2": 1, "wide": 1, "side2": 1, "linear": 1}
MISSING = 0.15  # of a step that may lie outside the layers: loss, calls, the machine's interruptions

Span = dict[str, Any]


def trace_problem(text: str, steps: int, batch: int) -> str:
    try:
        spans = [event for event in json.loads(text)["traceEvents"] if event["ph"] == "X"]
        spans = [{"name": str(e["name"]), "ts": float(e["ts"]), "dur": float(e["dur"]), "tid": e["tid"], "pass": e["args"]["pass"],
                  "flops": int(e["args"]["flops"])} for e in spans]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return f"no trace of the schema: {type(error).__name__} {str(error)[:80]}"
    outer = [span for span in spans if span["pass"] == "step"]
    if len(outer) != steps:
        return f"{len(outer)} steps in the trace, expected {steps}"
    for step in outer:
        inner = [span for span in spans if span["pass"] in ("forward", "backward") and step["ts"] <= span["ts"] < step["ts"] + step["dur"]]
        said = step_problem(step, inner, batch)
        if said:
            return said
    return ""


def step_problem(step: Span, inner: list[Span], batch: int) -> str:
    expected = 2 * batch * sum(CONV_MACS[name] * count for name, count in COUNTS.items())
    forward = sum(span["flops"] for span in inner if span["pass"] == "forward")
    if not expected <= forward <= 1.05 * expected:
        return f"the forward pass has {forward} FLOP, expected {expected} of convolutions and linear layer, and a little more"
    inner = sorted(inner, key=lambda span: span["ts"])
    for before, after in zip(inner, inner[1:]):
        if before["tid"] == after["tid"] and after["ts"] < before["ts"] + before["dur"] - 0.002:
            return f"'{before['name']}' and '{after['name']}' overlap on thread {before['tid']}"
    inside = sum(span["dur"] for span in inner)
    if not (1 - MISSING) * step["dur"] <= inside <= step["dur"] + 1:
        return f"the layers of a step take {inside:.0f} us, the step {step['dur']:.0f} us"
    return ""
