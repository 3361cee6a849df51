"""Looks at the student's object files before they run: a lint, not the boundary. Judged are names, sections
and instructions; the rest is the sandbox's and the replay's."""
import fnmatch
import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import elf, process, sandbox, startup, untrusted
from .build import Built, build_place
from .labspec import Gate, LabSpec, Program
from .staging import Stage

# Functions that no lab needs, each a way around the harness: loading code, other processes, foreign memory, the loader.
FORBIDDEN = ("dlopen", "dlmopen", "dlsym", "dlvsym", "dl_iterate_phdr", "fork", "vfork", "_Fork", "clone", "clone3",
             "forkpty", "daemon", "posix_spawn*", "execl*", "execv*", "fexecve", "system", "popen", "proc_open", "wordexp",
             "rexec*", "kill", "killpg", "tgkill", "sigqueue", "pidfd_*", "ptrace", "process_*", "syscall", "iconv*",
             "mmap", "mmap64", "munmap", "mprotect", "mremap", "remap_file_pages", "pkey_mprotect", "userfaultfd",
             "personality", "prctl", "arch_prctl", "setrlimit*", "prlimit*", "shm_open", "shmget", "shmat",
             "memfd_create", "socket*", "mq_open", "unshare",
             "setns", "mount", "sigaction", "signal", "bsd_signal", "sysv_signal", "__sysv_signal", "rt_sigaction",
             "sigaltstack", "_exit", "_Exit", "quick_exit", "gpusim_*", "hpml_*", "_ZN4hpml*", "_ZTIN4hpml*")
# Names in these namespaces are between files of the harness: a function that only reads a counter also tells where it lies.
HARNESS_ONLY = ("_ZN5check*", "_ZNK5check*", "_ZN7harness*", "_ZNK7harness*")
ALIAS = re.compile(r"__libc_|_IO_|_+")  # before a name, and it is another name of the same function
# Sections that compilers make of ordinary source.
SECTIONS = (".text", ".data", ".bss", ".rodata", ".tdata", ".tbss", ".eh_frame", ".gcc_except_table", ".comment",
            ".note", ".group", ".rela", ".rel", ".symtab", ".strtab", ".shstrtab", ".symtab_shndx", ".init_array",
            ".llvm_addrsig", ".debug_*", ".nv_fatbin", ".nvFatBinSegment", "__nv_module_id", ".nv_*", ".lrodata",
            ".ldata", ".lbss",
            ".llvm.*", ".llvmbc", ".llvmcmd", ".stapsdt*", ".gnu.*")
STARTUP = (".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini")
ALLOCATION = re.compile(r"_Z(n[wa]|d[la])")          # operator new and delete
FOREIGN_NAMESPACE = re.compile(r"_ZN?K?(St|S[absiod]|N?4hpml|9__gnu_cxx|10__cxxabiv1)")
POINTER_BYTES = 8
OURS = ("cuda*", "__cuda*", "cu[A-Z]*", "nvrtc*", "MPI_*", "PMPI_*", "ompi_*", "opal_*", "orte_*", "mca_*", "pmix*", "PMIx*", "gpusim_*", "hpml_*")
LIBRARIES = ("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")
STREAM_INIT = "_ZNSt8ios_base4InitC1Ev"  # <iostream> starts itself in every file that includes it, with older compilers
CONTAINER = b"\x50\xed\x55\xba"  # begin of nvcc's device code: simulator/fatbin/container.hpp; clang embeds text
CONTAINER_SIZE, CONTAINER_HEADER, CONTAINER_ALIGNMENT = 8, 16, 8  # bytes: place of the size, what comes before the body
CODE_SECTION, STACK_NOTE = ".text", ".note.GNU-stack"  # the second says by its flag whether the stack is executable
MOST_CODE = 4 << 20          # bytes; the largest program of a lab has a tenth of it
CODE_CHANGES = {22, 32}      # DT_TEXTREL, DT_PREINIT_ARRAY
# Far calls and returns change the mode of the processor, in which the same bytes are other instructions.
SYSCALL = r"[[:space:]](syscall|sysenter|int +\$0x80|svc[[:space:]]|(l(jmp|call|ret)|iret)[lqw]?([[:space:]]|$))"
# Prints how many such lines there are: the text itself, a hundred times the object, stays in the sandbox.
DISASSEMBLE = 'set -o pipefail; objdump -dz --no-show-raw-insn "$1" | { grep -Ec -- "$2" || [ $? -eq 1 ]; }'
# Of a file's objects as the linker places them, without all that is not theirs: how many branches, and addresses that are
# taken, lie inside of code without being where an instruction begins; and how many instructions call the system.
# __dso_handle, which objects with static destructors name, is hidden: the linker does not leave such a symbol undefined.
LINKED_CODE = """set -o pipefail; call=$1; shift; linked=$(mktemp) || exit 1
ld -o "$linked" --unresolved-symbols=ignore-all --defsym=__dso_handle=0 --no-gc-sections -e 0 "$@" 2>/dev/null || { rm -f "$linked"; exit 1; }
objdump -dz --no-show-raw-insn "$linked" | CALL="$call" awk '
  function key(hex) { return sprintf("x%16s", hex) }
  /^Disassembly of section/ { ++section; next }
  /^ *[0-9a-f]+:\t/ {
    calls += $0 ~ ENVIRON["CALL"]
    split($1, word, ":"); at = key(word[1]); begins[at] = 1
    if (!(section in first)) first[section] = at
    last[section] = at
    if ($2 ~ /^(bnd|notrack)$/) { $2 = $3; $3 = $4 }
    if ($2 ~ /^(j|call|loop|b)/ && $3 ~ /^(0x)?[0-9a-f]+$/) { sub(/^0x/, "", $3); meant[key($3)] = 1 }
    if (match($0, /# [0-9a-f]+ </)) meant[key(substr($0, RSTART + 2, RLENGTH - 4))] = 1
  }
  END {
    for (at in meant) if (!(at in begins))
      for (one in first) if (at > first[one] && at < last[one]) ++found
    print found + 0, calls + 0
  }'
code=$?; rm -f "$linked"; exit $code"""
FOLDED = (elf.WEAK, elf.UNIQUE)  # bindings of names that may be defined in several objects
PLACEMENT = ("_ZnwmPv", "_ZnamPv", "_ZdlPvS_", "_ZdaPvS_")  # inline in <new>, and left so without optimisation


@dataclass(frozen=True)
class Violation:
    file: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}"


def check(spec: LabSpec, program: Program, built: Built, stage: Stage,
          objects: Mapping[str, Path] | None = None, cuda: str = "") -> list[Violation]:
    """What of the student's files the lab does not allow; harness files are ours. Also where they could not be linked: a
    name that is defined twice is one of the harness's. objects: of files that were compiled before. cuda: the front end
    of .cu files."""
    if not program.sources or Path(program.sources[0]).suffix == ".py":
        return []
    def of(source: str) -> list[Path]:
        return [objects[source]] if objects and source in objects else list(_objects(build_place(stage, program), source))

    ours = _harness_names([path for source in program.harness for path in of(source)])
    found: list[Violation] = []
    theirs: list[Path] = []
    for source in program.sources:
        compiled = of(source)
        theirs += compiled
        if not compiled and built.path is not None:
            found.append(Violation(source, "has left no object file to look at"))
        for path in compiled:
            linked = built.path is not None
            reasons = _reasons(path, Path(source), spec.gate, ours) if linked else _names(path, spec.gate, ours)
            found += [Violation(source, reason) for reason in reasons]
    if built.path is not None and not found:
        found += [Violation(program.sources[0], reason) for reason in (*linked_reasons(built.path), *_linked_code_reasons(theirs))]
        kernels = sum(Path(source).suffix == ".cu" for source in (*program.sources, *program.harness))
        most = kernels + 1 if cuda == "nvcc" else 0  # nvcc adds one as it links
        if kernels:
            found += [Violation(program.sources[0], reason) for reason in _device_reasons(built.path, most)]
    return found


def _device_reasons(path: Path, most: int) -> Iterator[str]:
    """most: containers of device code that the compiler has made. A container says how many registers its kernels have; one
    of the student's own could say what it likes."""
    try:
        content = untrusted.read(path, elf.MOST_BYTES)
    except untrusted.Refused as error:
        yield f"the program cannot be read: {error}"
        return
    at, found = -1, 0
    while (at := content.find(CONTAINER, at + 1)) >= 0:
        body = int.from_bytes(content[at + CONTAINER_SIZE:at + CONTAINER_HEADER], "little")
        found += at % CONTAINER_ALIGNMENT == 0 and at + CONTAINER_HEADER + body <= len(content)
    if found > most:
        yield "it holds device code that the compiler has not made of its files"


def _names(path: Path, gate: Gate, ours: Mapping[str, int]) -> Iterator[str]:
    """Of an object that was never linked: a compiler that was stopped may have left half of one."""
    try:
        yield from _symbol_reasons(elf.read(path), gate, ours)
    except (elf.NotAnObject, OSError):
        return


def _objects(place: Path, source: str) -> Iterator[Path]:
    stem = re.escape(Path(source).stem)
    for path in sorted(place.glob("*.o")):
        if re.fullmatch(rf"(.*[-_])?{stem}\.o", path.name) and path.is_file() and not path.is_symlink():
            yield path


def _harness_names(objects: Iterable[Path]) -> dict[str, int]:
    """What the harness defines, with the binding of each name."""
    names: dict[str, int] = {}
    for path in objects:
        try:
            names |= {symbol.name: symbol.binding for symbol in elf.read(path).symbols if symbol.exported}
        except elf.NotAnObject:
            continue
    return names


def _reasons(path: Path, source: Path, gate: Gate, ours: Mapping[str, int]) -> Iterator[str]:
    try:
        found = elf.read(path)
    except (elf.NotAnObject, OSError) as error:
        yield f"its object file cannot be read: {error}"
        return
    yield from _symbol_reasons(found, gate, ours)
    yield from _section_reasons(found, source, gate)
    yield from _size_reasons(found) or _instruction_reasons(path)
    yield from _startup_reasons(found, path, source, gate)


def _is_inline_of_both(symbol: elf.Symbol, ours: Mapping[str, int]) -> bool:
    """Whether both sides have it as compilers make inline functions, implicit members of a shared header's types and
    instances of templates: weak, once in each object that uses it. The linker keeps the first, and the harness comes first."""
    return symbol.binding in FOLDED and ours[symbol.name] in FOLDED


def _is_shared(symbol: elf.Symbol) -> bool:
    """Whether two C++ files that use the same template or inline function of the library both have it: the linker keeps one. What
    only the library has (a clock) is none of these, however weak a definition is: the harness would call it."""
    return symbol.binding in FOLDED and symbol.name not in _strong_names() and (
        _is_template_of_library(symbol.name) or symbol.name in PLACEMENT)


def _symbol_reasons(found: elf.Object, gate: Gate, ours: Mapping[str, int]) -> Iterator[str]:
    for symbol in found.symbols:
        name = symbol.name
        if symbol.type == elf.IFUNC:
            yield f"'{name}' is an ifunc: it runs code while the program is loaded; write an ordinary function"
        elif "@" in name:
            yield f"'{name}' carries a symbol version"
        elif symbol.undefined and is_forbidden(name, gate):
            yield f"it calls '{name}'{_as_written(name)}, which this lab does not allow{_instead(name, gate)}"
        elif symbol.undefined and name and gate.allow_undefined and not _matches(name, gate.allow_undefined):
            yield f"it calls '{name}'{_as_written(name)}, which is not among the functions this lab allows{_instead(name, gate)}"
        elif symbol.undefined and name in ours and _matches(name, HARNESS_ONLY):
            yield f"it names '{name}'{_as_written(name)}, which is between files of the harness"
        elif symbol.type == elf.OBJECT and symbol.section < len(found.sections) and found.sections[symbol.section].executable:
            yield f"'{name}' is data in a section of code"
        elif symbol.exported and name in ours and not _is_inline_of_both(symbol, ours):
            yield f"it defines '{name}', which the harness defines"
        elif symbol.exported and not _may_export(symbol, gate):
            yield f"it defines '{name}', a name of the system's libraries or of the grader: choose another name"


def _instead(name: str, gate: Gate) -> str:
    return next((f": {words}" for words, patterns in gate.instead.items() if _matches(name, patterns)), "")


def is_forbidden(name: str, gate: Gate) -> bool:
    """By its own name, or by one that the C library gives it besides: __fork, __libc_system, _IO_popen. A lab may allow by
    name what other labs do not; its own list of forbidden names comes first."""
    alias = ALIAS.match(name)
    names = (name, name[alias.end():] if alias else name)
    patterns = gate.forbidden if _matches(name, gate.allow_undefined) else (*FORBIDDEN, *gate.forbidden)
    return any(_matches(one, patterns) for one in names)


def _may_export(symbol: elf.Symbol, gate: Gate) -> bool:
    name = symbol.name
    if _matches(name, gate.exports):  # of an archive the linker takes only what the program does not define itself
        return not _matches(name, gate.forbidden)
    if _is_shared(symbol):
        return True
    if not name.startswith("_Z"):
        return name not in system_names() and not _matches(name, OURS)
    return not ALLOCATION.match(name) and not FOREIGN_NAMESPACE.match(name)


@functools.cache
def _strong_names() -> frozenset[str]:
    """Of the libraries, what is neither a template nor inline there."""
    return frozenset(symbol.name for path in _system_files() if path.suffix != ".o" for symbol in elf.read(path.resolve()).symbols
                     if symbol.exported and symbol.binding not in FOLDED)


def _system_files() -> Iterator[Path]:
    for place, files in (("lib/*-linux-gnu", LIBRARIES), ("usr/lib/*-linux-gnu", (*LIBRARIES, "*crt*.o")), ("usr/lib/gcc/*/*", ("crt*.o",))):
        for file in files:
            yield from Path("/").glob(f"{place}/{file}")


@functools.cache
def system_names() -> frozenset[str]:
    """What the libraries and the startup files define that every program is linked with: a definition of the same name takes its
    place. And what they call if there is one: __gmon_start__ would run before main."""
    return frozenset(symbol.name for path in _system_files() for symbol in elf.read(path.resolve()).symbols
                     if symbol.name not in ("", "main") and (symbol.exported or symbol.undefined))


def _is_template_of_library(name: str) -> bool:
    """Instances of the library's templates, and what the compiler adds to every file that needs it."""
    return (bool(FOREIGN_NAMESPACE.match(name)) and "4hpml" not in name) or name.startswith(
        ("_ZT", "_ZGV", "DW.ref.", "__clang_call_terminate"))


def _section_reasons(found: elf.Object, source: Path, gate: Gate) -> Iterator[str]:
    for section in found.sections:
        if section.name.startswith(".gnu.lto_"):
            yield (f"it has a section '{section.name}': link-time optimisation makes code that the grader cannot check; "
                   "compile without it")
        elif any(section.name == name or section.name.startswith(name + ".") for name in STARTUP):
            yield f"it has a section {section.name}: code that runs before or after main"
        elif section.name and not _matches(section.name, [word + tail for word in SECTIONS for tail in ("", ".*")]):
            yield f"it has a section '{section.name}', which compilers do not make from ordinary C or C++: remove the attribute"
        elif section.name != STACK_NOTE and _matches(section.name, (CODE_SECTION, f"{CODE_SECTION}.*")) != section.executable:
            yield f"its section '{section.name}' is not what its name says: the linker makes code of data, or data of code"
    allowed = _before_main(found, source, gate) + _starts_streams(found)
    entries = _entries(found)
    if entries > allowed:
        yield f"it has {entries} functions that run before main, at most {allowed} are allowed"


def _before_main(found: elf.Object, source: Path, gate: Gate) -> int:
    """A compiler that makes no device code of a .cu file registers none."""
    registers = source.suffix == ".cu" and any(startup.REGISTRATION.fullmatch(symbol.name) for symbol in found.symbols)
    return gate.init_array + registers


def _starts_streams(found: elf.Object) -> bool:
    return any(symbol.name == STREAM_INIT for symbol in found.symbols)


def _entries(found: elf.Object) -> int:
    return sum(section.size for section in found.named(".init_array")) // POINTER_BYTES


def _startup_reasons(found: elf.Object, path: Path, source: Path, gate: Gate) -> Iterator[str]:
    """The function before main that <iostream> takes may do nothing else. CUDA's own is made by the compiler, from nothing of the
    file's; that it is among the entries is known by their number."""
    if not _starts_streams(found) or _entries(found) <= _before_main(found, source, gate):
        return
    done = _count([path], startup.FOREIGN_WORK, str(path))
    if done is None:
        yield "what it does before main cannot be disassembled"
    elif int(done) > 0:
        yield ("it has a global variable that is initialised before main, as well as <iostream>: give it its value in a function, or "
               "make it constexpr")


def linked_reasons(path: Path) -> Iterator[str]:
    """Of the program itself: what the linker has made of objects that were each as they should be. Functions that are chosen
    at load (ifunc) are no sign here: our libraries have some."""
    try:
        found = elf.read(path)
        tags = found.dynamic_tags()
    except (elf.NotAnObject, OSError) as error:
        yield f"the program cannot be read: {error}"
        return
    for kind, flags in found.segments:
        if flags & elf.EXECUTABLE and (flags & elf.WRITABLE or kind == elf.STACK):
            yield "the program has memory that can be both written and executed"
    if tags & CODE_CHANGES:
        yield "the program's code is changed, or started, while it is loaded"


def _linked_code_reasons(objects: Sequence[Path]) -> Iterator[str]:
    """Of all objects of a program's files together: relocations may make other instructions of them."""
    counted = (_count(objects, LINKED_CODE, SYSCALL, *map(str, objects)) or "").split()
    if len(counted) != 2:
        yield "its code cannot be linked by itself and disassembled"
    elif counted[0] != "0":
        yield "it jumps into the middle of an instruction, where there is another one"
    elif counted[1] != "0":
        yield "it calls the system by an instruction that the linker makes"


def _size_reasons(found: elf.Object) -> list[str]:
    code = sum(section.size for section in found.sections if section.executable)
    return [f"it has {code >> 20} MB of code, at most {MOST_CODE >> 20} are looked at"] if code > MOST_CODE else []


def _as_written(symbol: str) -> str:
    """What stands in the source for a symbol that Open MPI's header makes of it: ompi_mpi_op_sum is MPI_SUM."""
    made = re.fullmatch(r"ompi_mpi_(?:op_)?(\w+)", symbol)
    return f" (MPI_{made[1].upper()})" if made else ""


def _instruction_reasons(path: Path) -> Iterator[str]:
    found = _count([path], DISASSEMBLE, str(path), SYSCALL)
    if found is None:
        yield "its object file cannot be disassembled"
    elif found != "0":
        yield "it calls the system by an instruction of its own"


def _count(paths: Sequence[Path], script: str, *words: str) -> str | None:
    """What a script prints of files. Linker and disassembler read hostile files: they do so in the sandbox, and what they say is
    data."""
    limits = process.ProcessLimits(wall_s=60, cpu_s=60, fsize_bytes=64 << 20, output_bytes=1 << 10,
                                   memory_bytes=1 << 30, pids=16)
    done = sandbox.run(["/bin/bash", "-c", script, "bash", *words], sandbox.Jail(read=tuple(paths)), limits)
    return done.stdout.strip() if done.state == "exit" and done.code == 0 else None


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(name == pattern or fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
