"""The seam for everybody who grades hand-ins by the hundred: one directory in, one record out."""
import datetime
import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import labspec, pipeline, record, seeds
from .assignment import Request
from .backends.gpusim import choose_front_end
from .collect import collect
from .paths import find_lab


@dataclass(frozen=True)
class Order:
    """What to grade, and how. Two equal orders give records that are equal but for their "volatile" block."""
    lab: str
    source: Path
    key: bytes = seeds.PUBLIC_KEY
    gpu: str | None = None
    cuda: str = "clang"    # the compiler of record
    jobs: int = 1
    feedback: bool = os.environ.get("HPML_FEEDBACK") == "1"  # whatever sandbox there is: no score of record


@dataclass(frozen=True)
class Identity:
    """What a score depends on, known before grading."""
    submission: str  # SHA-256 over the collected files
    harness: str     # SHA-256 over the pristine files that decide the score
    seed_id: str
    target: str      # simulated GPU and compiler

    @property
    def key(self) -> str:
        text = "\n".join((self.submission, self.harness, self.seed_id, self.target))
        return hashlib.sha256(text.encode()).hexdigest()[:40]


def identify(order: Order) -> Identity:
    dirs = find_lab(order.lab)
    spec = labspec.load(dirs.lab / "lab.toml")
    target = f"{order.gpu or spec.gpu}/{choose_front_end(order.cuda)}" if spec.uses("gpusim") else "cpu"
    target += "/feedback" if order.feedback else ""  # such a record must never stand in for a score of record
    return Identity(record.submission_sha(collect(order.source, spec.submit)), record.harness_sha(dirs.lab),
                    seeds.seed_id(order.key), target)


def grade(order: Order, scratch: Path, attempt: int = 1) -> dict[str, Any]:
    """Raises UsageError or InfraError when no record can be made; a submission's own fault is always a record."""
    started = datetime.datetime.now(datetime.timezone.utc)
    clock = time.monotonic()
    request = Request(order.lab, order.source, gpu=order.gpu, cuda=order.cuda, jobs=order.jobs, key=order.key,
                               trusted=True, feedback=order.feedback)
    graded = pipeline.grade(request, scratch=scratch)
    ended = datetime.datetime.now(datetime.timezone.utc)
    return record.make_record(graded, {"started": started.isoformat(timespec="seconds"),
                                       "ended": ended.isoformat(timespec="seconds"), "attempt": attempt,
                                       "wall_s": {"total": round(time.monotonic() - clock, 3)}})
