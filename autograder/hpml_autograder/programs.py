"""Builds the programs of a staged hand-in, and has the gate look at what was made."""
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from . import dependencies, gate
from .assignment import Assignment
from .build import Built, build
from .errors import InfraError
from .given import Given
from .judging import Plans
from .known import Known
from .labspec import LabSpec, Program, Test
from .ledger import key_of
from .objects import Objects, sha256_of
from .staged import Staged

Progress = Callable[[str], None]


Programs = dict[str, Built]  # of a hand-in, by name


def build_programs(assignment: Assignment, plans: Plans, staged: Staged, refused: Mapping[str, str], given: Given,
                   known: Known, progress: Progress) -> Programs:
    """Those that the tests asked for need, side by side. refused: as HandIn's."""
    request, spec = assignment.request, assignment.spec
    named = [spec.find_program(name) for name in programs_of(spec, assignment.tests, plans)]
    own = [program for program in named if not request.given or not program.sources]
    front_end = assignment.backends.setup.cuda
    builder = _Builder(assignment, staged, refused, given, known, Objects(assignment.backends, staged, known))
    progress(f"compiling {len(own)} program{'s' * (len(own) != 1)}" + (f" with {front_end}" if front_end else "") + ", if changed")
    with ThreadPoolExecutor(max_workers=max(1, request.jobs)) as pool:
        changed = [program for program in own if builder.before(program) is None]
        list(pool.map(lambda make: make(), [*given.missing(named), *builder.objects.missing(changed)]))
        built = pool.map(builder.built, own)
        programs = {program.name: one for program, one in zip(own, built)}
    staged.ledger.put("gate", staged.key, {"violations": {name: list(one.violations) for name, one in programs.items()}})
    return programs


def programs_of(spec: LabSpec, tests: Sequence[Test], plans: Plans) -> list[str]:
    """Those that these tests name, in their parameters or in the runs they plan; all of them for all tests."""
    named = {value for test in tests for value in test.params.values() if isinstance(value, str)}
    named |= {name for test in tests for case in plans[test.id] for name in (case.program, *case.others)}
    return [program.name for program in spec.program if len(tests) == len(spec.test) or program.name in named]


@dataclass(frozen=True)
class _Builder:
    assignment: Assignment
    staged: Staged
    refused: Mapping[str, str]
    given: Given
    known: Known
    objects: Objects

    def built(self, program: Program) -> Built:
        return self.before(program) or self._build_and_gate(program)

    def before(self, program: Program) -> Built | None:
        """What this grading or another one has made of the same files."""
        shared, key = self._keys(program)
        if shared in self.known.builds:
            return self.known.builds[shared]
        before = self.staged.ledger.get(_entry(program), key)
        if before is not None:
            path = Path(before["path"])
            if path.is_file() and sha256_of(path) == before["sha256"]:
                return Built(program.name, path, before["log"], before["digest"], tuple(before["violations"]))
        return None

    def _notes(self, program: Program) -> list[str]:
        return [self.refused[source] for source in program.sources if source in self.refused]

    def _keys(self, program: Program) -> tuple[str, str]:
        """Among all that is known, and in the ledger."""
        backend, notes = self.assignment.backends.of(program.name), self._notes(program)
        digest = dependencies.digest_of(backend, program, self.staged.place)
        return (key_of(self.assignment.spec.id, backend.setup.gpu, backend.setup.cuda, program.name, digest, *notes),
                key_of(self.staged.key, digest, *notes))

    def _build_and_gate(self, program: Program) -> Built:
        backend, place = self.assignment.backends.of(program.name), self.staged.place
        compiled = self.objects.of(program)
        objects = self.given.objects(program) | {name: one.path for name, one in compiled.items() if one.path is not None}
        said = "".join(one.log for one in compiled.values())
        if all(one.path is not None for one in compiled.values()):
            built = build(backend, program, place, objects)
            built = replace(built, log=said + built.log)
        else:
            built = Built(program.name, None, said, dependencies.digest_of(backend, program, place))
        if built.path is None and not program.sources:
            raise InfraError(f"{program.name}, which is given, does not compile: {built.first_error}")
        found = self._notes(program) + [str(one) for one in gate.check(self.assignment.spec, program, built, place, objects,
                                                                      backend.setup.cuda)]
        built = replace(built, violations=tuple(found))
        if built.path is not None:
            shared, key = self._keys(program)
            self.known.builds[shared] = built
            self.staged.ledger.put(_entry(program), key, {
                "program": program.name, "path": str(built.path), "log": built.log, "digest": built.digest,
                "violations": list(built.violations), "sha256": sha256_of(built.path)})
        return built


def _entry(program: Program) -> str:
    return f"build/{program.name}"
