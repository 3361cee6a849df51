"""What gradings share whose hand-ins differ in one file: objects and programs that are the same in both, and their runs."""
from dataclasses import dataclass, field

from .build import Built
from .case import Case, Run


@dataclass
class Known:
    """One object for all gradings of a lab that share; their scratch must live as long as it."""
    objects: dict[str, Built] = field(default_factory=dict)           # of single files, by digest
    builds: dict[str, Built] = field(default_factory=dict)            # by all that decides what comes out
    runs: dict[tuple[str, Case], Run] = field(default_factory=dict)   # by digest of the program
