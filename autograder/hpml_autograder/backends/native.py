"""Programs of this machine's processor: C, C++, Python, and tools of the build directory."""
import functools
from collections.abc import Sequence
from pathlib import Path

from ..case import Case, Run
from ..labspec import Program
from ..staging import Stage
from .base import Backend, Command, Counted, Job, Library, installed, package_words

READ_PYTHON = """import ast, sys
try:
    ast.parse(open(sys.argv[1], 'rb').read())
except (SyntaxError, ValueError) as error:
    sys.exit(f"{sys.argv[1]}:{getattr(error, 'lineno', 1)}: error: {error}")
"""


CPUINFO = Path("/proc/cpuinfo")


@functools.cache
def processor() -> str:
    """What -march=native decides by: model and instruction sets of this machine's first processor."""
    first = CPUINFO.read_text(encoding="utf-8").split("\n\n")[0] if CPUINFO.is_file() else ""
    decisive = ("vendor_id", "model", "flags", "CPU ", "Features")
    return "\n".join(line for line in first.splitlines() if line.startswith(decisive))


class Native(Backend):
    name = "native"
    precompiles = True
    compilers = {"c": "/usr/bin/cc", "c++": "/usr/bin/c++"}

    def tools(self) -> list[Path]:
        return installed("cc")

    def dialect(self, program: Program) -> tuple[str, ...]:
        """An object for this processor may stop on another one, which may have the same build folder."""
        of_files = (flag for name in program.sources for flag in self.spec.build.file_flags.get(name, ()))
        return (processor(),) if "-march=native" in (*self.spec.build.flags, *program.flags, *of_files) else ()

    def command(self, program: Program, stage: Stage, sources: Sequence[str], output: Path) -> Command:
        """Python is only read: an error in it is found before anything runs."""
        kinds = {Path(source).suffix for source in sources}
        if kinds == {".py"}:
            return Command(["/usr/bin/python3", "-I", "-c", READ_PYTHON, sources[0]], Path(sources[0]))
        headers, reads = self.header_words(program), self.reads(program)
        compiler = [self.compilers["c" if kinds == {".c"} else "c++"], f"-std={program.std or self.spec.build.std}",
                    *self.spec.build.flags, *program.flags, *self.flags(program), "-o", str(output)]
        if output.suffix == ".o":
            return Command([*compiler, "-c", *sources, f"-I{stage.src}", *headers], output, reads)
        return Command([*compiler, "-save-temps=obj", *sources, *self.added_sources(), f"-I{stage.src}", *headers,
                        *self.link_words(program), "-lm"], output, (*reads, *map(Path, self.added_sources())))

    def flags(self, program: Program) -> list[str]:
        return []

    def header_words(self, program: Program) -> list[str]:
        """Where the headers of the program's libraries are."""
        of_tree = [word for name in program.libraries for word in Library(name).header_words]
        return of_tree + [word for package in program.packages for word in package_words(package, "--cflags")]

    def link_words(self, program: Program) -> list[str]:
        """What the linker takes of them. A compiler that only makes an object warns about an archive."""
        of_tree = [str(Library(name).archive) for name in program.libraries]
        return of_tree + [word for package in program.packages for word in package_words(package, "--libs")]

    def reads(self, program: Program) -> tuple[Path, ...]:
        """What a compiler must see of this tree for them."""
        return tuple(path for name in program.libraries for path in Library(name).reads)

    def added_sources(self) -> list[str]:
        """Files of ours that are part of every program of this back end."""
        return []

    def counted(self, case: Case) -> Counted:
        """A program without a student's file is a worker: the grader's own process, which reports what it measures of the
        student code that it starts. What a student's program prints of itself is its word."""
        return Counted.NOWHERE if self.spec.find_program(case.program).sources else Counted.OUTSIDE

    def launch(self, job: Job) -> Run:
        return self.plain(job)
