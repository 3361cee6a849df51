#!/usr/bin/python3
"""Compile a CUDA program for the simulated GPU (and, with nvcc, for a real one): one command, two front ends.

    cuda_compile.py -o prog a.cu b.cu host.cpp [-DNAME=1] [-I dir] [--frontend auto|nvcc|clang]
    cuda_compile.py -c -o a.o a.cu      (and a.o among the sources of a program later)
    cuda_compile.py --ptx -o a.ptx a.cu [--device-arch 80]

nvcc embeds PTX and machine code and links libcudart as a shared library, so that `gpusim run` can put its own first.
clang needs no CUDA Toolkit: it compiles against simulator/include and embeds the PTX as text.
Exit status: 0 done, 1 the compiler or linker refused the program, 2 usage, 3 no usable compiler.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import shared_objects

INCLUDE_DIR = Path(__file__).resolve().parent.parent / "simulator" / "include"
COMPAT_HEADER = INCLUDE_DIR / "hpml_compat.h"
LIBRARY_HEADERS = INCLUDE_DIR / "libraries"  # searched last: a real cudnn.h or cublas_v2.h comes first
CLANG_NAMES = ["clang++"] + [f"clang++-{version}" for version in range(22, 13, -1)]
OLDEST_CLANG = 14
DEVICE_SUFFIXES = {".cu"}
HOST_SUFFIXES = {".c", ".cc", ".cpp", ".cxx"}
OBJECT_SUFFIXES = {".o"}
# Parts of NVIDIA's toolkit that are packages of the distribution: the folder of their headers.
HEADER_PACKAGES = {"thrust": "libthrust-dev", "cub": "libcub-dev", "cuda": "libcu++-dev (Debian 13, Ubuntu 24.04)"}
# What a CUDA program calls besides the runtime, by the names of the functions, and the soname for the linker where no
# such library is installed. They are those of our own libraries, and of NVIDIA's for CUDA 12 or earlier.
LIBRARY_SONAMES = {r"cu[A-Z]\w+": "libcuda.so.1", r"nvrtc[A-Z]\w+": "libnvrtc.so.12",
                   r"cudnn[A-Z]\w+": "libcudnn.so.9", r"cublas(?!Lt)[A-Z]\w+": "libcublas.so.12",
                   r"cublasLt[A-Z]\w+": "libcublasLt.so.12",
                   r"curand[A-Z]\w+": "libcurand.so.10", r"cufft[A-Z]\w+": "libcufft.so.11",
                   r"cusparse[A-Z]\w+": "libcusparse.so.12",
                   r"cusolver[A-Z]\w+": "libcusolver.so.11", r"nccl[A-Z]\w+": "libnccl.so.2"}
# clang's launch code has the ABI of CUDA 11.
CLANG_SONAMES = LIBRARY_SONAMES | {r"(?:__)?cuda[A-Z]\w+": "libcudart.so.11.0", r"nvrtc[A-Z]\w+": "libnvrtc.so.11.2"}
# Architectures that the oldest clang can aim at; the newest not above the one asked for is taken.
CLANG_ARCHS = [60, 61, 62, 70, 72, 75, 80, 86]
CLANG_ARCH = 70  # of programs
CLANG_DEVICE = ["--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx75", "-S"]
# libcu++ declares variadic device functions, without calling them, to choose between overloads (SFINAE).
CLANG_CUDA = ["-fms-extensions", "-fdeclspec", "-x", "cuda", "-Xclang", "-fcuda-allow-variadic-functions", "-nocudainc",
              "-nocudalib", "-Xclang", "-target-sdk-version=11.5", "-Wno-unknown-cuda-version"]
# host_defines.h marks a managed variable by this alignment, because clang has no managed variables for CUDA.
MANAGED_MARK = re.compile(rb"^(\s*(?:\.visible |\.weak )?\.global) (\.align 4096 )", re.MULTILINE)
# clang takes no alignas there; a header turns the word into an attribute that may stand anywhere.
ALIGNAS_BEHIND = re.compile(r"__shared__\s+alignas\b")
ALIGNAS_HEADER = INCLUDE_DIR / "hpml" / "alignas_anywhere.h"
QUOTED_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Device variables of an unnamed namespace, or of a type without a name: clang before 15 takes the device code for all
# that can write them and drops them.
HIDDEN_VARIABLES = re.compile(r"\bnamespace\s*\{|__(?:constant|device|managed)__\s+(?:struct|union|class)\s*\{")
HIDDEN_IN_LLVM = re.compile(r"^(@\S+ = )internal (addrspace\([14]\)) global ", re.MULTILINE)
# It marks a kernel with __cluster_dims__ by an annotation, because clang has no such attribute before 20; annotations
# are in LLVM's text only.
CLUSTER_WORD = b"__cluster_dims__"
CLUSTER_MARK = 'c"hpml.cluster_dims\\00"'
# Device code that clang registers at run time, and functions that other units may call; see hpml/unit_mark.h.
REGISTERED = re.compile(rb"^\.(?:visible|weak) (?:\.entry|\.global|\.const)", re.MULTILINE)
FUNCTION_OF_UNIT = re.compile(rb"^\.visible \.func", re.MULTILINE)
UNIT_MARK = INCLUDE_DIR / "hpml" / "unit_mark.h"
# What clang says of launches in device code, and of calls of the runtime there.
DEVICE_LAUNCH = re.compile(r"error: reference to __global__ function '\w+' in __(?:global|device)")


class CompileError(Exception):
    """Ends the program with a message and an exit status."""

    def __init__(self, status: int, message: str = "") -> None:
        super().__init__(message)
        self.status = status


def run(command: list[str], verbose: bool) -> None:
    """Runs a compiler with its own output untouched; a refusal ends us with status 1."""
    if verbose:
        print(shlex.join(command), file=sys.stderr)
    if subprocess.run(command, check=False).returncode != 0:
        raise CompileError(1)


def find_nvcc() -> str | None:
    """nvcc on PATH, or where the toolkit's installers put it."""
    found = shutil.which("nvcc")
    for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if found is None and root:
            found = shutil.which("nvcc", path=os.path.join(root, "bin"))
    return found


def toolkit_root(nvcc: str) -> Path:
    """The toolkit's folder, as nvcc itself sees it: the nvcc on PATH may be a script that starts it from elsewhere."""
    text = subprocess.run([nvcc, "--dryrun", "-x", "cu", os.devnull], check=False, capture_output=True, text=True).stderr
    found = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
    return Path(found[1]).resolve() if found else Path(nvcc).resolve().parent.parent


def has_header(frontend: str, compiler: str, header: str) -> bool:
    """Does the front end find this header on its search path?"""
    with tempfile.TemporaryDirectory(prefix="cuda_compile.") as scratch:
        probe = Path(scratch) / "probe.cpp"
        probe.write_text(f"#if !__has_include(<{header}>)\n#error none\n#endif\n", encoding="utf-8")
        command = {"clang": [compiler, f"-I{INCLUDE_DIR}", f"-I{LIBRARY_HEADERS}"], "nvcc": [compiler, "-x", "cu"]}[frontend]
        return subprocess.run([*command, "-E", str(probe), "-o", os.devnull], check=False,
                              capture_output=True).returncode == 0


def is_toolkit(folder: str) -> bool:
    """Whether a folder holds the headers of a CUDA Toolkit."""
    return (Path(folder) / "crt" / "host_config.h").is_file()


def find_clang() -> str | None:
    """The first clang++ on PATH that is new enough."""
    for name in CLANG_NAMES:
        path = shutil.which(name)
        if path is None:
            continue
        text = subprocess.run([path, "-dumpversion"], check=False, capture_output=True, text=True).stdout
        if text.split(".")[0].isdigit() and int(text.split(".")[0]) >= OLDEST_CLANG:
            return path
    return None


def undefined_arguments_allowed(clang: str) -> list[str]:
    """Options that let a program pass a value it never set: each lane but one to a shuffle, for instance.

    CUDA allows that; clang takes it as proof that the lanes do not exist, and drops the branch that set the value.
    """
    for flag in ("-no-enable-noundef-analysis", "-disable-noundef-analysis"):  # clang 15 and later, clang 14
        options = ["-Xclang", flag]
        if subprocess.run([clang, *options, "-fsyntax-only", "-x", "c++", os.devnull], check=False,
                          capture_output=True).returncode == 0:
            return options
    return []


def choose_frontend(wanted: str) -> tuple[str, str]:
    """Name and path of the compiler to use."""
    nvcc = find_nvcc() if wanted in ("auto", "nvcc") else None
    if nvcc:
        return "nvcc", nvcc
    if wanted == "nvcc":
        raise CompileError(3, "nvcc was asked for but is neither on PATH nor in $CUDA_HOME/bin or /usr/local/cuda/bin:"
                              " install the CUDA Toolkit, or use --frontend clang, which needs none")
    clang = find_clang()
    if clang is None:
        raise CompileError(3, f"no clang++ of version {OLDEST_CLANG} or newer on PATH: sudo apt-get install clang")
    return "clang", clang


def nvcc_archs(nvcc: str) -> list[int]:
    """The virtual architectures this nvcc can target, the lowest first."""
    text = subprocess.run([nvcc, "--list-gpu-arch"], check=False, capture_output=True, text=True).stdout
    numbers = sorted(int(number) for number in re.findall(r"^compute_(\d+)$", text, re.MULTILINE))
    if not numbers:
        raise CompileError(3, f"{nvcc} --list-gpu-arch names no architecture: nvcc 11 or newer is needed")
    return numbers


def lowest_nvcc_arch(nvcc: str) -> str:
    """The lowest virtual architecture this nvcc can target: its PTX runs on every simulated GPU."""
    # 5.0 and 5.2 lack atomicAdd(double*); sm_60 is the oldest that every lab compiles for.
    return str(min(number for number in nvcc_archs(nvcc) if number >= 60))


def library_name(soname: str) -> str:
    """What -l calls it: cublas for libcublas.so.12."""
    return soname[len("lib"):soname.index(".so")]


def cluster_dims(llvm: str) -> dict[str, list[int]]:
    """What __cluster_dims__ says of each kernel: by its name, from LLVM's text."""
    kinds = set(re.findall(r"^@(\S+) = .*" + re.escape(CLUSTER_MARK), llvm, re.MULTILINE))
    values = {name: [int(value) for value in re.findall(r"i32 (\d+)", text)] for name, text in
              re.findall(r"^@(\S+) = private unnamed_addr constant \{[ i32,]*\} \{(.*)\}, section", llvm, re.MULTILINE)}
    found = re.search(r"^@llvm\.global\.annotations = (.*)$", llvm, re.MULTILINE)
    entries = re.split(r"\} \{ ", found[1])[1:] if found else []
    # kernel, kind, file, arguments
    names = [re.findall(r"@([\w$.]+)", entry) for entry in entries]
    return {name[0]: values.get(name[3], []) for name in names if len(name) == 4 and name[1] in kinds}


def with_clusters(ptx: bytes, dims: dict[str, list[int]]) -> bytes:
    """The PTX with the clusters of its kernels written down, as nvcc does."""
    for kernel, blocks in dims.items():
        entry = re.compile(rb"(\.entry " + re.escape(kernel.encode()) + rb"\([^)]*\))")
        words = ", ".join(str(n) for n in (blocks + [1, 1])[:3])
        ptx = entry.sub(rb"\1\n.explicitcluster\n.reqnctapercluster " + words.encode(), ptx)
    return ptx


def own_text(source: Path, seen: set[Path]) -> str:
    """The source and the files beside it that it includes by their names in quotes."""
    if source in seen or not source.is_file():
        return ""
    seen.add(source)
    text = source.read_text(encoding="utf-8", errors="replace")
    return text + "".join(own_text(source.parent / name, seen) for name in QUOTED_INCLUDE.findall(text))


def missing_package(source: str, include: list[str]) -> str:
    """What to install, if the source includes a header that a package of the distribution brings; else nothing."""
    text = Path(source).read_text(encoding="utf-8", errors="replace")
    for folder in re.findall(r'^\s*#\s*include\s*[<"](thrust|cub|cuda)/', text, re.MULTILINE):
        if not any((Path(place) / folder).is_dir() for place in [*include, "/usr/include", "/usr/local/include"]):
            return f"the headers {folder}/... come with the package {HEADER_PACKAGES[folder]}"
    return ""


def shown(source: str) -> str:
    """A source as compilers should name it in messages: relative when it lies below the working directory."""
    relative = os.path.relpath(source)
    return source if relative.startswith("..") else relative


class Build:
    """One program: objects in a scratch folder, then one link."""

    def __init__(self, args: argparse.Namespace, scratch: Path) -> None:
        self.args = args
        self.scratch = scratch
        self.frontend, self.compiler = choose_frontend(args.frontend)
        self.objects: list[Path] = []
        self.depfiles: list[Path] = []
        self.views: list[str] = []  # for clang: sources without what it refuses (shared_objects.py)
        self.common = [f"-std={args.std}", args.optimize]
        toolkits = [folder for folder in args.include if self.frontend == "clang" and is_toolkit(folder)]
        self.common += [f"-D{name}" for name in args.define] + [f"-I{folder}" for folder in args.include
                                                               if folder not in toolkits]
        # Behind our own headers, which are the ones for clang: programs name the toolkit's folder from habit.
        self.after = [word for folder in [str(LIBRARY_HEADERS), *toolkits] for word in ("-idirafter", folder)]

    def program(self) -> None:
        """Compiles every source and links the program, or, with -c, leaves the one object."""
        suffixes = {Path(source).suffix for source in self.args.sources}
        for index, source in enumerate(self.args.sources):
            self.objects.append(self.compiled(source, self.scratch / f"{index}_{Path(source).stem}"))
        if self.args.compile_only:
            shutil.copyfile(self.objects[0], self.args.output)
        elif self.frontend == "nvcc":
            self.link_nvcc()
        else:
            self.link_clang(has_device_code=bool(suffixes & DEVICE_SUFFIXES))
        if self.args.depfile:
            self.write_depfile()

    def compiled(self, source: str, stem: Path) -> Path:
        """The object of one source; an object is one already."""
        suffix = Path(source).suffix
        if suffix in OBJECT_SUFFIXES:
            return Path(source)
        if self.frontend == "nvcc":
            return self.nvcc_object(shown(source), stem)
        compile_one = self.clang_device_object if suffix in DEVICE_SUFFIXES else self.clang_host_object
        try:
            return compile_one(shown(source), stem)
        except CompileError as error:
            raise CompileError(error.status, str(error) or missing_package(source, self.args.include)) from None

    def depend(self, stem: Path) -> list[str]:
        """Compiler options that write the headers a source read next to its object."""
        self.depfiles.append(stem.with_suffix(".d"))
        return ["-MD", "-MF", str(self.depfiles[-1])]

    def nvcc_object(self, source: str, stem: Path) -> Path:
        """One translation unit with nvcc: PTX and machine code for the lowest architecture, with line numbers."""
        target = stem.with_suffix(".o")
        command = [self.compiler, *self.common, f"-arch=sm_{self.args.nvcc_arch or lowest_nvcc_arch(self.compiler)}",
                   *self.debug_options(), "-cudart", "shared", "-include", str(COMPAT_HEADER), "-Wno-deprecated-gpu-targets",
                   "--extended-lambda", "--expt-relaxed-constexpr",  # clang has both by nature
                   "-Xcompiler", f"-idirafter,{LIBRARY_HEADERS}"]
        command += ["-rdc=true"] if self.args.relocatable else []
        for flag in self.args.xhost:
            command += ["-Xcompiler", flag]
        run([*command, *self.depend(stem), "-c", source, "-o", str(target)], self.args.verbose)
        return target

    def debug_options(self) -> list[str]:
        """What makes nvcc say where code comes from: lines alone, or all that a debugger can use."""
        return ["-g", "-G"] if self.args.debug else ["-lineinfo"]

    def clang_cuda(self, arch: int, source: str) -> list[str]:
        """clang for CUDA source, without any toolkit."""
        alignas = ["-include", str(ALIGNAS_HEADER)] if ALIGNAS_BEHIND.search(own_text(Path(source), set())) else []
        return [self.compiler, *self.common, *CLANG_CUDA, f"--cuda-gpu-arch=sm_{arch}", f"-I{INCLUDE_DIR}", *self.after,
                "-include", "cuda_runtime.h", "-include", str(COMPAT_HEADER), *alignas]

    def clang_device_object(self, source: str, stem: Path) -> Path:
        """One .cu file with clang: device code to PTX text, then host code with that text embedded."""
        ptx, target = stem.with_suffix(".ptx"), stem.with_suffix(".o")
        self.views = []
        both = self.clang_cuda(CLANG_ARCH, source)
        # Both passes read the same text: warnings are shown once, by the host pass.
        device = [*both, *undefined_arguments_allowed(self.compiler), "-w", *CLANG_DEVICE, source]
        self.to_ptx(device, ptx)
        embedded = stem.with_suffix(".embedded")
        embedded.write_bytes(ptx.read_bytes() + b"\0")  # clang 19 adds none of its own
        functions_only = FUNCTION_OF_UNIT.search(ptx.read_bytes()) and not REGISTERED.search(ptx.read_bytes())
        mark = ["-include", str(UNIT_MARK)] if functions_only else []
        run([*both, *mark, *self.views, *self.args.xhost, *self.host_debug(), "--cuda-host-only", "-Xclang",
             "-fcuda-include-gpubinary", "-Xclang", str(embedded), *self.depend(stem), "-c", source, "-o", str(target)],
            self.args.verbose)
        return target

    def to_ptx(self, device: list[str], ptx: Path) -> None:
        """Runs clang, and writes into its PTX what it does not know: managed variables and clusters."""
        files = ptx.with_suffix(".read")
        lines = ["-g", "-O0"] if self.args.debug else ["-gline-directives-only"]
        if HIDDEN_VARIABLES.search(own_text(Path(device[-1]), set())):
            self.with_hidden_variables([*device, *lines, "-MD", "-MF", str(files)], ptx)
        else:
            self.run_device([*device, *lines, "-MD", "-MF", str(files), "-o", str(ptx)])
        text = MANAGED_MARK.sub(rb"\1 .attribute(.managed) \2", ptx.read_bytes())
        words = re.split(r"(?:\\\n|(?<!\\)\s)+", files.read_text(encoding="utf-8"))[1:]  # a rule of make
        files.unlink()
        read = [Path(word.replace("\\ ", " ")) for word in words if word and not word.startswith("/usr/")]
        if any(CLUSTER_WORD in name.read_bytes() for name in read if INCLUDE_DIR not in name.resolve().parents):
            llvm = ptx.with_suffix(".ll")
            run([*device, *self.views, "-emit-llvm", "-o", str(llvm)], self.args.verbose)
            text = with_clusters(text, cluster_dims(llvm.read_text(encoding="utf-8")))
        ptx.write_bytes(text)

    def run_device(self, command: list[str]) -> None:
        """Runs clang for device code; where it refuses constructors in shared memory, once more with a view without them."""
        colour = ["-fcolor-diagnostics"] if sys.stderr.isatty() else []
        if self.args.verbose:
            print(shlex.join(command), file=sys.stderr)
        first = subprocess.run([*command, *colour], check=False, stderr=subprocess.PIPE, text=True, errors="replace")
        messages, status = first.stderr, first.returncode
        if status != 0:
            self.views, warnings = shared_objects.options(messages, lambda words: subprocess.run(
                [*command, *words, "-fsyntax-only", "-ferror-limit=0"], check=False, stderr=subprocess.PIPE, text=True,
                errors="replace").stderr, self.scratch)
            if self.views:
                again = subprocess.run([*command, *self.views, *colour], check=False, stderr=subprocess.PIPE, text=True,
                                       errors="replace")
                messages, status = warnings + again.stderr, again.returncode
        sys.stderr.write(messages)
        if status != 0:
            raise CompileError(1, "kernels that launch kernels need nvcc (CUDA=nvcc, with --relocatable): clang has no dynamic "
                               "parallelism" if DEVICE_LAUNCH.search(shared_objects.COLOUR.sub("", messages)) else "")

    def with_hidden_variables(self, device: list[str], ptx: Path) -> None:
        """The PTX by way of LLVM's text, in which the variables are made known to the host before anything is optimised."""
        llvm = ptx.with_suffix(".hidden.ll")
        self.run_device([*device, "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", str(llvm)])
        shown_text = HIDDEN_IN_LLVM.sub(r"\1\2 externally_initialized global ", llvm.read_text(encoding="utf-8"))
        llvm.write_text(shown_text, encoding="utf-8")
        arch = next(word.split("=")[1] for word in device if word.startswith("--cuda-gpu-arch="))
        contract = [word for word in device if word.startswith("-ffp-contract=")] or ["-ffp-contract=fast"]
        target = ["--target=nvptx64-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", arch]
        features = [word for word in CLANG_DEVICE if word != "--cuda-device-only"]
        run([self.compiler, self.args.optimize, *contract, "-w", "-x", "ir", *target, *features, str(llvm), "-o", str(ptx)],
            self.args.verbose)

    def host_debug(self) -> list[str]:
        return ["-g"] if self.args.debug else []

    def clang_host_object(self, source: str, stem: Path) -> Path:
        """One ordinary C++ file; it may include <cuda_runtime.h> for the API."""
        target = stem.with_suffix(".o")
        run([self.compiler, *self.common, *self.args.xhost, *self.host_debug(), f"-I{INCLUDE_DIR}", *self.after,
             *self.depend(stem), "-c", source, "-o", str(target)], self.args.verbose)
        return target

    def link_nvcc(self) -> None:
        """-cudart shared: a statically linked runtime could not be replaced by the simulator's."""
        command = [self.compiler, "-cudart", "shared", "-Wno-deprecated-gpu-targets",
                   f"-arch=sm_{self.args.nvcc_arch or lowest_nvcc_arch(self.compiler)}"]
        command += ["-rdc=true"] if self.args.relocatable else []
        for flag in self.args.xlink:
            command += ["-Xlinker", flag]
        run([*command, *map(str, self.objects), *self.libraries(), *self.toolkit_libraries(), "-o", self.args.output],
            self.args.verbose)

    def link_clang(self, has_device_code: bool) -> None:
        """Links against libcudart by soname only: no search path is written into the program."""
        cudart = [self.args.cudart] if self.args.cudart else self.stub_libraries(has_device_code)
        flags = [f"-Wl,{flag}" for flag in self.args.xlink]
        run([self.compiler, *flags, *map(str, self.objects), *cudart, *self.libraries(), "-o", self.args.output],
            self.args.verbose)

    def libraries(self) -> list[str]:
        """-L and -l options in the order given, without CUDA's own libraries: stubs or found ones stand for them."""
        own = {library_name(soname) for soname in CLANG_SONAMES.values()} | {"nvToolsExt"}  # which is a header here
        if self.frontend == "clang" and self.args.cudart:
            own = set()
        return [f"-L{folder}" for folder in self.args.libdir] + [
            f"-l{name}" for name in self.args.lib if name not in own or self.frontend == "nvcc" and name == "cudart"]

    def undefined_symbols(self) -> set[str]:
        """What the objects call and do not define in the same object."""
        text = subprocess.run(["nm", "-u", *map(str, self.objects)], check=True, capture_output=True, text=True).stdout
        return set(re.findall(r"^\s+[Uw] (\w+)$", text, re.MULTILINE))

    def stub_libraries(self, has_device_code: bool) -> list[str]:
        """Libraries with CUDA's sonames and just the symbols this program calls, for the linker only.

        The program then needs `libcudart.so.11.0` (and the others it calls) at run time, which `gpusim run` supplies,
        and building a lab does not have to wait for the simulator.
        """
        return self.stubs(CLANG_SONAMES, has_device_code)

    def toolkit_libraries(self) -> list[str]:
        """What the objects call of CUDA's libraries besides the runtime: the real ones where they are, else stubs."""
        called = self.undefined_symbols()
        needed = {pattern: soname for pattern, soname in LIBRARY_SONAMES.items()
                  if any(re.fullmatch(pattern, name) for name in called)}
        missing = {pattern: soname for pattern, soname in needed.items() if not self.is_installed(soname)}
        found = [f"-l{library_name(soname)}" for pattern, soname in needed.items() if pattern not in missing]
        # By way of the linker: nvcc itself takes no file whose name goes on after ".so".
        return found + [word for stub in self.stubs(missing, False) for word in ("-Xlinker", stub)]

    def is_installed(self, soname: str) -> bool:
        """Would nvcc's linker find this library? Toolkits come in parts, and not every machine has each."""
        top = toolkit_root(self.compiler)
        folders = [*map(Path, self.args.libdir), *top.glob("lib*"), *top.glob("targets/*/lib"), *Path("/usr").glob("lib*"),
                   *Path("/usr/lib").glob("*-linux-gnu")]
        name = f"lib{library_name(soname)}.so"
        return any((folder / name).is_file() or (folder / "stubs" / name).is_file() for folder in folders)

    def stubs(self, sonames: dict[str, str], has_device_code: bool) -> list[str]:
        undefined, libraries = self.undefined_symbols(), []
        for pattern, soname in sonames.items():
            called = sorted(name for name in undefined if re.fullmatch(pattern, name))
            if not called and not (has_device_code and soname.startswith("libcudart")):
                continue
            source, library = self.scratch / f"{soname}.c", self.scratch / soname
            source.write_text("".join(f"void {name}(void) {{}}\n" for name in called), encoding="ascii")
            compiler = "cc" if self.frontend == "nvcc" else self.compiler
            run([compiler, "-x", "c", "-w", "-shared", "-fPIC", f"-Wl,-soname,{soname}", str(source), "-o",
                 str(library)], self.args.verbose)
            libraries.append(str(library))
        return libraries

    def ptx(self) -> None:
        """The device code of one source as PTX text, as NVRTC gives it: warnings and errors go to the log."""
        source, output, args = self.args.sources[0], Path(self.args.output), self.args
        flags = [word for name in args.pre_include for word in ("-include", name)]
        flags += [f"-U{name}" for name in args.undefine] + (["-w"] if args.no_warnings else [])
        if self.frontend == "nvcc":
            flags += ["-use_fast_math"] if args.fast_math else []
            flags += [f"-fmad={args.fmad}"] if args.fmad else []
            flags += ["-rdc=true"] if args.relocatable else []
            run([self.compiler, *self.common, *flags, "-ptx", "-lineinfo", f"-arch=compute_{self.nvcc_ptx_arch()}",
                 "-Wno-deprecated-gpu-targets", "-x", "cu", source, "-o", str(output)], args.verbose)
            return
        flags += ["-Xclang", "-fcuda-approx-transcendentals", "-fgpu-flush-denormals-to-zero"] if args.fast_math else []
        flags += ["-ffp-contract=off"] if args.fmad == "false" else []
        flags += ["-fgpu-rdc"] if args.relocatable else []  # device functions that nothing here calls stay
        if args.default_device:
            wrapped = self.scratch / "wrapper.cu"
            wrapped.write_text(f'#pragma clang force_cuda_host_device begin\n#include "{Path(source).resolve()}"\n'
                               "#pragma clang force_cuda_host_device end\n", encoding="utf-8")
            source = str(wrapped)
        arch = max(number for number in CLANG_ARCHS if number <= max(args.device_arch or 70, CLANG_ARCHS[0]))
        allowed = undefined_arguments_allowed(self.compiler)
        device = [*self.clang_cuda(arch, args.sources[0]), *flags, *allowed, *CLANG_DEVICE, source]
        self.to_ptx(device, output)

    def nvcc_ptx_arch(self) -> int:
        """The newest architecture of this nvcc that is not above the one asked for, else its oldest."""
        known = nvcc_archs(self.compiler)
        return max((number for number in known if number <= (self.args.device_arch or known[0])), default=known[0])

    def write_depfile(self) -> None:
        """One make rule for the whole program out of the compilers' rules."""
        names: dict[str, None] = {str(COMPAT_HEADER): None, os.path.abspath(__file__): None}
        for depfile in self.depfiles:
            text = depfile.read_text(encoding="utf-8").replace("\\\n", " ")
            for name in re.findall(r"(?:\\.|[^\s\\])+", text.split(":", 1)[1]):
                names[os.path.abspath(name.replace("\\ ", " "))] = None
        escaped = [name.replace(" ", "\\ ") for name in names]
        rule = f"{self.args.output.replace(' ', chr(92) + ' ')}: " + " \\\n  ".join(escaped) + "\n"
        Path(self.args.depfile).write_text(rule, encoding="utf-8")


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """The command line; single-letter options take their value attached (-DN=4) or apart (-D N=4)."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], allow_abbrev=False)
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help=".cu, .cpp, .cc, .cxx, .c or .o file")
    parser.add_argument("-c", dest="compile_only", action="store_true", help="compile one source to an object")
    parser.add_argument("-o", dest="output", metavar="PROGRAM", help="the executable to write")
    parser.add_argument("--frontend", choices=["auto", "nvcc", "clang"], default="auto",
                        help="auto takes nvcc where there is one, else clang")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME[=VALUE]")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="DIR")
    parser.add_argument("-L", dest="libdir", action="append", default=[], metavar="DIR")
    parser.add_argument("-l", dest="lib", action="append", default=[], metavar="LIB")
    parser.add_argument("-std", dest="std", default="c++17")
    parser.add_argument("-O", dest="level", default="2", metavar="LEVEL")
    parser.add_argument("-Xhost", dest="xhost", action="append", default=[], metavar="FLAG",
                        help="passed to the host compiler, for example -Xhost=-Wall")
    parser.add_argument("-Xlink", dest="xlink", action="append", default=[], metavar="FLAG",
                        help="passed to the linker")
    parser.add_argument("--cudart", metavar="FILE", help="link clang programs against this library instead of a stub")
    parser.add_argument("--nvcc-arch", metavar="NUMBER", help="compute capability for nvcc, for example 75")
    parser.add_argument("--relocatable", action="store_true",
                        help="with nvcc: device code is linked, with the device runtime (dynamic parallelism)")
    parser.add_argument("--depfile", metavar="FILE", help="write the headers read, as a make rule")
    parser.add_argument("-g", dest="debug", action="store_true",
                        help="for `gpusim debug`: variables as well as lines, and code that keeps them")
    parser.add_argument("--keep", metavar="DIR", help="keep objects and PTX here")
    ptx = parser.add_argument_group("with --ptx")
    ptx.add_argument("--ptx", action="store_true", help="write the PTX of one .cu file instead of a program")
    ptx.add_argument("--device-arch", type=int, metavar="NUMBER", help="compute capability wanted, for example 80")
    ptx.add_argument("--pre-include", action="append", default=[], metavar="FILE")
    ptx.add_argument("--undefine", action="append", default=[], metavar="NAME")
    ptx.add_argument("--fast-math", action="store_true")
    ptx.add_argument("--fmad", choices=["true", "false"])
    ptx.add_argument("--no-warnings", action="store_true")
    ptx.add_argument("--default-device", action="store_true",
                     help="functions without a word are device functions; takes clang, which alone can do that")
    parser.add_argument("--print-frontend", action="store_true", help="say which compiler would be used, and stop")
    parser.add_argument("--has-header", metavar="HEADER", help="exit with 0 when the front end finds this header, else with 1")
    parser.add_argument("--verbose", action="store_true", help="show the commands")
    args = parser.parse_args(argv)
    args.optimize = f"-O{args.level}"
    if args.print_frontend or args.has_header:
        return args
    if not args.sources or not args.output:
        parser.error("sources and -o PROGRAM are needed")
    if args.default_device:
        args.frontend = "clang"
    if args.ptx and len(args.sources) != 1:
        parser.error("--ptx takes one source")
    if args.compile_only and (len(args.sources) != 1 or Path(args.sources[0]).suffix in OBJECT_SUFFIXES):
        parser.error("-c takes one source")
    for source in args.sources:
        if Path(source).suffix not in DEVICE_SUFFIXES | HOST_SUFFIXES | (set() if args.ptx else OBJECT_SUFFIXES):
            parser.error(f"{source}: expected a .cu, .cpp, .cc, .cxx, .c or .o file")
        if not Path(source).is_file():
            parser.error(f"{source}: no such file")
    return args


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    args = parse_arguments(argv)
    # Large pages for what the compilers allocate: a fifth of their time on virtual machines, where page faults are slow.
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    try:
        if args.print_frontend:
            print(*choose_frontend(args.frontend))
        elif args.has_header:
            return 0 if has_header(*choose_frontend(args.frontend), args.has_header) else 1
        elif args.ptx:
            with tempfile.TemporaryDirectory(prefix="cuda_compile.") as scratch:
                Build(args, Path(scratch)).ptx()
        elif args.keep:
            Path(args.keep).mkdir(parents=True, exist_ok=True)
            Build(args, Path(args.keep)).program()
        else:
            with tempfile.TemporaryDirectory(prefix="cuda_compile.") as scratch:
                Build(args, Path(scratch)).program()
    except CompileError as error:
        if str(error):
            print(f"cuda_compile: {error}", file=sys.stderr)
        return error.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
