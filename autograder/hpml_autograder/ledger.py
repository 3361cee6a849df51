"""The stages of one grading as files: what each did, so that a grading that was killed goes on where it stopped.

    ledger/  collect.json  stage.json  build/PROGRAM.json  work/CASE/run.json  check.json  score.json

They lie in a folder of their own, where no sandbox can write.

Every file names its schema (hpml.STAGE/v1) and the key of what it was made from; with another key it counts as absent.
Written to the end or not at all."""
import functools
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


PART = ".part"  # ends the name of a file that is not whole yet


def write_atomically(path: Path, text: str) -> None:
    """The file has its old or its new content at any moment. A writer that is killed leaves a part behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART)  # O_EXCL | O_NOFOLLOW
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def remove_parts(*folders: Path) -> None:
    """Removes the parts that killed writers have left in these folders. The caller sees to it that no process is writing there."""
    for folder in folders:
        for part in folder.glob(f".*{PART}"):
            part.unlink(missing_ok=True)


@functools.cache
def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


class Ledger:
    """The folder of a grading. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder / "ledger" if folder is not None else None

    def put(self, name: str, key: str, content: dict[str, Any]) -> None:
        if self.folder is not None:
            table = {"schema": f"hpml.{Path(name).parts[0] if '/' in name else name}/v1", "key": key, **content}
            write_atomically(self.folder / f"{name}.json", json.dumps(table, indent=1, sort_keys=True) + "\n")

    def drop(self, name: str) -> None:
        """Before the files that an entry speaks of are made anew: a kill must not leave it beside others."""
        if self.folder is not None:
            (self.folder / f"{name}.json").unlink(missing_ok=True)

    def get(self, name: str, key: str) -> dict[str, Any] | None:
        if self.folder is None:
            return None
        try:
            table = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return table if isinstance(table, dict) and table.get("key") == key else None
