"""The objects of a hand-in's files, in a lab that compiles each of them once for all programs (`once` in lab.toml).

A file's object stands in a folder of its own, which its compiler alone can write to. The ledger knows its hash, so that the
next grading compiles what has changed."""
import functools
import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from . import build as building
from . import dependencies
from .backends import Backends
from .build import Built
from .known import Known
from .labspec import Program
from .ledger import key_of
from .staged import Staged


@dataclass(frozen=True)
class Objects:
    backends: Backends
    staged: Staged
    known: Known

    def sources(self, program: Program) -> list[str]:
        """The files that are compiled by themselves."""
        once = self.backends.spec.build.once and self.backends.of(program.name).precompiles
        return [name for name in program.sources if (self.staged.place.src / name).is_file()] if once else []

    def missing(self, programs: Iterable[Program]) -> list[Callable[[], None]]:
        """What is to be done before of() of these has something to say, each once."""
        wanted = {self._digest(program, name): (program, name) for program in programs for name in self.sources(program)}
        return [functools.partial(self._compile, program, name, digest) for digest, (program, name) in wanted.items()
                if digest not in self.known.objects]

    def of(self, program: Program) -> dict[str, Built]:
        return {name: self.known.objects[self._digest(program, name)] for name in self.sources(program)}

    def _alone(self, program: Program, name: str) -> Program:
        """As a program, without what only the programs that it is part of have."""
        spec = self.backends.spec
        return Program(f"{Path(name).stem}.o", program.backend, (name,), std=program.std,
                       flags=spec.build.file_flags.get(name, ()))

    def _digest(self, program: Program, name: str) -> str:
        digest = dependencies.digest_of(self.backends.of(program.name), self._alone(program, name), self.staged.place)
        return key_of(self.backends.spec.id, digest)

    def _compile(self, program: Program, name: str, digest: str) -> None:
        called = "_".join(filter(None, (program.backend, program.std, *Path(name).parts)))  # each back end compiles for itself
        ledger, entry, key = self.staged.ledger, f"object/{called}", key_of(self.staged.key, digest)
        place = self.staged.place.work / f"object_{called}"
        path = place / f"{Path(name).stem}.o"
        before = ledger.get(entry, key)
        if before is not None and path.is_file() and sha256_of(path) == before["sha256"]:
            self.known.objects[digest] = Built(name, path, before["log"], digest)
            return
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        built = building.build_object(self.backends.of(program.name), self._alone(program, name), self.staged.place, path)
        if built.path is not None:
            ledger.put(entry, key, {"log": built.log, "sha256": sha256_of(path)})
        self.known.objects[digest] = replace(built, program=name)


def sha256_of(path: Path) -> str:
    with open(path, "rb") as file:  # it may be large
        return hashlib.file_digest(file, "sha256").hexdigest()
