"""Builds the programs of a staged hand-in, and has the gate look at what was made."""
import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
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
    progress(f"compiling {len(own)} programs" + (f" with {front_end}" if front_end else "") + " where they have changed")
    with ThreadPoolExecutor(max_workers=max(1, request.jobs)) as pool:
        list(pool.map(lambda make: make(), given.missing(named)))
        built = pool.map(lambda program: _build_and_gate(assignment, program, staged, refused, given, known), own)
        programs = {program.name: one for program, one in zip(own, built)}
    staged.ledger.put("gate", staged.key, {"violations": {name: list(one.violations) for name, one in programs.items()}})
    return programs


def programs_of(spec: LabSpec, tests: Sequence[Test], plans: Plans) -> list[str]:
    """Those that these tests name, in their parameters or in the runs they plan; all of them for all tests."""
    named = {value for test in tests for value in test.params.values() if isinstance(value, str)}
    named |= {name for test in tests for case in plans[test.id] for name in (case.program, *case.others)}
    return [program.name for program in spec.program if len(tests) == len(spec.test) or program.name in named]


def _build_and_gate(assignment: Assignment, program: Program, staged: Staged, refused: Mapping[str, str], given: Given,
                    known: Known) -> Built:
    backend = assignment.backends.of(program.name)
    name, place = f"build/{program.name}", staged.place
    notes = [refused[source] for source in program.sources if source in refused]
    digest = dependencies.digest_of(backend, program, place)
    shared = key_of(assignment.spec.id, backend.setup.gpu, backend.setup.cuda, program.name, digest, *notes)
    if shared in known.builds:
        return known.builds[shared]
    key = key_of(staged.key, digest, *notes)
    before = staged.ledger.get(name, key)
    if before is not None:
        path = Path(before["path"])
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == before["sha256"]:
            return Built(program.name, path, before["log"], before["digest"], tuple(before["violations"]))
    objects = given.objects(program)
    built = build(backend, program, place, objects)
    if built.path is None and not program.sources:
        raise InfraError(f"{program.name}, which is given, does not compile: {built.first_error}")
    found = notes + [str(one) for one in gate.check(assignment.spec, program, built, place, objects,
                                                      backend.setup.cuda)]
    built = replace(built, violations=tuple(found))
    if built.path is not None:
        known.builds[shared] = built
        staged.ledger.put(name, key, {"program": program.name, "path": str(built.path), "log": built.log,
                                      "digest": built.digest, "violations": list(built.violations),
                                      "sha256": hashlib.sha256(built.path.read_bytes()).hexdigest()})
    return built
