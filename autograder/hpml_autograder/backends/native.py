"""Programs of this machine's processor: C, C++, Python, and tools of the build directory."""
from collections.abc import Sequence
from pathlib import Path

from ..case import Case, Run
from ..labspec import Program
from ..staging import Stage
from .base import Backend, Command, Counted, Job, Library, installed, package_flags

READ_PYTHON = """import ast, sys
try:
    ast.parse(open(sys.argv[1], 'rb').read())
except (SyntaxError, ValueError) as error:
    sys.exit(f"{sys.argv[1]}:{getattr(error, 'lineno', 1)}: error: {error}")
"""


class Native(Backend):
    name = "native"
    compilers = {"c": "/usr/bin/cc", "c++": "/usr/bin/c++"}

    def tools(self) -> list[Path]:
        return installed("cc")

    def command(self, program: Program, stage: Stage, sources: Sequence[str], output: Path) -> Command:
        """Python is only read: an error in it is found before anything runs."""
        kinds = {Path(source).suffix for source in sources}
        if kinds == {".py"}:
            return Command(["/usr/bin/python3", "-I", "-c", READ_PYTHON, sources[0]], Path(sources[0]))
        libraries = [Library(name) for name in program.libraries]
        words = [word for one in libraries for word in one.flags]
        words += [word for package in program.packages for word in package_flags(package)]
        own = [*program.flags, *self.flags(program), "-o", str(output), *sources, *self.added_sources(), f"-I{stage.src}"]
        reads = tuple(path for one in libraries for path in one.reads)
        return Command([self.compilers["c" if kinds == {".c"} else "c++"], f"-std={program.std or self.spec.build.std}",
                        *self.spec.build.flags, "-save-temps=obj", *own, *words, "-lm"], output,
                       (*reads, *map(Path, self.added_sources())))

    def flags(self, program: Program) -> list[str]:
        return []

    def added_sources(self) -> list[str]:
        """Files of ours that are part of every program of this back end."""
        return []

    def counted(self, case: Case) -> Counted:
        """A program without a student's file is a worker: the grader's own process, which reports what it measures of the
        student code that it starts. What a student's program prints of itself is its word."""
        return Counted.NOWHERE if self.spec.find_program(case.program).sources else Counted.OUTSIDE

    def launch(self, job: Job) -> Run:
        return self.plain(job)
