"""plan.json: all that the workers of a batch must know. Whoever holds it can go on where the batch was stopped."""
import dataclasses
import hashlib
import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hpml_autograder.record import write_atomically
from hpml_autograder.strict import fill

from ..errors import InfraError, UsageError
from .handins import HandIn

SCHEMA = "hpml.batch/v1"
GRADER = "hpml_autograder.submission"
MOST_KEY = 1 << 16  # bytes of a key file that are read
DIGEST = 32         # letters


@dataclass(frozen=True)
class Plan:
    schema: str
    lab: str
    handins: tuple[HandIn, ...]
    gpu: str = ""
    cuda: str = "clang"
    key_file: str = ""
    grader: str = GRADER    # module, or file of one, with Order, identify() and grade()
    course: str = ""        # files of the course, "" where there is none
    receipts: str = ""
    extensions: str = ""
    timeout_s: int = 0      # of one hand-in; 0: what the lab's own limits add up to


def path_of(out: Path) -> Path:
    return out / "plan.json"


def save(plan: Plan, out: Path) -> None:
    write_atomically(path_of(out), _text(plan))


def pin(plan: Plan, out: Path) -> str:
    """Keeps the plan under its digest, by which workers ask for it: another batch into the same results may write its own
    plan.json meanwhile."""
    text = _text(plan)
    digest = hashlib.sha256(text.encode()).hexdigest()[:DIGEST]
    path = _pinned(out, digest)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_atomically(path, text)
    return digest


def _pinned(out: Path, digest: str) -> Path:
    return out / ".graded" / "plans" / f"{digest}.json"


def _text(plan: Plan) -> str:
    # ASCII, so that a name that is no UTF-8 survives as Python's surrogates.
    return json.dumps(dataclasses.asdict(plan), indent=1, sort_keys=True) + "\n"


def load(out: Path, digest: str = "") -> Plan:
    """The newest, or the one that was pinned."""
    path = _pinned(out, digest) if digest else path_of(out)
    try:
        table: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; a folder of results is made by hpml batch or hpml grade") from error
    except ValueError as error:
        raise InfraError(f"{path}: {error}") from error
    if not isinstance(table, dict) or table.get("schema") != SCHEMA:
        raise UsageError(f"{path}: no plan of schema {SCHEMA}")
    return fill(Plan, table, str(path))


def with_key(plan: Plan, key_file: Path) -> Plan:
    changed = dataclasses.replace(plan, key_file=str(key_file.resolve()))
    read_key(changed)
    return changed


def read_key(plan: Plan) -> bytes | None:
    """The course key: a file that nobody but its owner may read; None for the public key."""
    return key_of(Path(plan.key_file)) if plan.key_file else None


def key_of(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:  # mode and content of one and the same file
            mode = os.fstat(file.fileno()).st_mode & 0o777
            key = file.read(MOST_KEY).strip()
    except OSError as error:
        raise UsageError(f"key file {path}: {error.strerror}") from error
    if mode & 0o077:
        raise UsageError(f"key file {path}: others may read it (mode {mode:04o}); run chmod 0400 {path}")
    if len(key) < 16:
        raise UsageError(f"key file {path}: {len(key)} bytes are too short for a key; "
                         f"make one: head -c 32 /dev/urandom | base64 >{path}")
    return key


def load_grader(plan: Plan) -> ModuleType:
    if not plan.grader.endswith(".py"):
        return importlib.import_module(plan.grader)
    spec = importlib.util.spec_from_file_location("hpml_other_grader", plan.grader)
    if spec is None or spec.loader is None or not Path(plan.grader).is_file():
        raise UsageError(f"grader {plan.grader}: no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
