"""Back ends: one module per way to build and run a program. A lab names one per program; base.py is the interface."""
from collections.abc import Iterable

from ..data import Data
from ..errors import UsageError
from ..labspec import LabSpec
from .base import Asked, Backend, Command, Counted, Job, Library, Setup
from .gpusim import Gpusim
from .mpi import Mpi
from .native import Native
from .relay import Relay
from .smpi import Smpi

KINDS: dict[str, type[Backend]] = {kind.name: kind for kind in (Native, Gpusim, Mpi, Smpi, Relay)}
__all__ = ["KINDS", "Asked", "Backend", "Backends", "Command", "Counted", "Job", "Setup", "kinds_of", "settle", "targets_of"]


def kinds_of(spec: LabSpec) -> list[type[Backend]]:
    """Those of a lab, in the order of KINDS. Raises UsageError for a name that is none."""
    for program in spec.program:
        if program.backend not in KINDS:
            raise UsageError(f"{spec.id}: program '{program.name}' names the back end '{program.backend}'; there are "
                             f"{', '.join(KINDS)}")
    used = {program.backend for program in spec.program}
    return [kind for name, kind in KINDS.items() if name in used]


def targets_of(spec: LabSpec) -> list[str]:
    """The CMake targets that must be built before a lab is graded: back ends, tools, libraries."""
    backends = [target for kind in kinds_of(spec) for target in kind.targets]
    programs = [program.name for program in spec.program if program.is_tool]
    libraries = [Library(name).target for program in spec.program for name in program.libraries]
    return list(dict.fromkeys((*backends, *programs, *libraries, *spec.tools)))


def settle(spec: LabSpec, asked: Asked) -> Setup:
    """What each back end of the lab makes of the command line."""
    setup = Setup(trusted=asked.trusted)
    for kind in kinds_of(spec):
        setup = kind.settle(spec, setup, asked)
    return setup


class Backends:
    """One instance of each back end of a lab, for one grading."""

    def __init__(self, spec: LabSpec, setup: Setup) -> None:
        self.spec, self.setup = spec, setup
        self._by_name = {kind.name: kind(spec, setup) for kind in kinds_of(spec)}

    def of(self, program: str) -> Backend:
        return self._by_name[self.spec.find_program(program).backend]

    def take_data(self, data: Data, key: bytes, scope: str) -> None:
        """What the programs of each case compute with, for the back ends that exchange it; key, scope: of seeded data."""
        for backend in self._by_name.values():
            backend.data, backend.key, backend.scope = data, key, scope

    def all(self) -> Iterable[Backend]:
        return self._by_name.values()
