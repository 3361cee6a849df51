"""Binary packages: the outputs of the labs' CMake targets in one folder, for apt and as a tarball."""
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from hpml_autograder import labspec, prebuilt
from hpml_autograder.backends import targets_of
from hpml_autograder.paths import PREBUILT, ROOT, build_dir, find_lab, known_labs

from ..errors import InfraError
from ..progress import Progress
from . import tree

PACKAGE = "hpml-labs"
FOLDER = Path("usr/lib") / PACKAGE
# What compiling takes, at the places of the tree.
TOOLS = ("tools/cuda_compile.py", "tools/shared_objects.py", "simulator/include")


def make(out: Path, progress: Progress) -> list[Path]:
    """Both packages, in the folder `out`. Raises InfraError where something does not build or pack."""
    with tempfile.TemporaryDirectory(prefix="hpml-package-") as scratch:
        root = Path(scratch) / "root"
        sources, targets = of_releases(Path(scratch) / "tree")
        progress.step("cut the trees that students get")
        if "HPML_BUILD_DIR" not in os.environ:
            called([str(ROOT / "tools/build.sh"), *targets])
        place = root / FOLDER
        stage(place, targets)
        (place / PREBUILT).write_text(json.dumps({"schema": prebuilt.SCHEMA, "sources": sources}, indent=1) + "\n", encoding="utf-8")
        progress.step("built")
        out.mkdir(parents=True, exist_ok=True)
        made = [deb(root, out, Path(scratch)), tarball(place, out)]
        progress.step("packed")
        progress.end()
    return made


def of_releases(scratch: Path) -> tuple[dict[str, str], list[str]]:
    """The sums of the labs' sources, and the targets they need, both without anything of staff."""
    sources, targets = {}, {}
    for name in known_labs():
        dirs = find_lab(name)
        tree.export(dirs, scratch)
        lab = scratch / "labs" / dirs.lab.name
        spec = labspec.load(lab / "lab.toml")
        sources[name] = prebuilt.sum_of(scratch, lab, spec)
        targets |= dict.fromkeys(targets_of(spec))
    shutil.rmtree(scratch)
    return sources, list(targets)


def stage(place: Path, targets: list[str]) -> None:
    """The folder that serves as a build folder."""
    built, programs = build_dir(), ["gpusim", *targets]
    wanted = [built / "bin" / name for name in programs] + [built / "lib" / f"lib{name}.a" for name in targets]
    for path in [*wanted, *sorted((built / "lib").glob("*.so*"))]:
        if path.is_file():
            copy(path, place / path.relative_to(built))
    for source, target in ((ROOT / "simulator/gpus", place / "share/gpusim/gpus"),
                           (ROOT / "simulator/report", place / "share/gpusim/report"),
                           (ROOT / "simulator/metrics", place / "share/gpusim/metrics"),  # the report reads its table of counters
                           *((ROOT / name, place / name) for name in TOOLS)):
        copy(source, target)
    commands = place.parents[1] / "bin"
    commands.mkdir()
    (commands / "gpusim").symlink_to(Path("..") / place.relative_to(place.parents[1]) / "bin/gpusim")
    if shutil.which("help2man"):
        called([str(ROOT / "tools/manual.sh"), str(place.parents[1] / "share/man")], HPML_BUILD_DIR=str(built))
        for page in (place.parents[1] / "share/man/man1").glob("hpml*"):
            page.unlink()  # that command is part of the trees


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "test_*", "tests", "conftest.py"))
    else:
        shutil.copy2(source, target, follow_symlinks=not source.is_symlink())


def deb(root: Path, out: Path, scratch: Path) -> Path:
    grading, with_charts = (called([str(ROOT / "tools/bootstrap"), *words, "--names"]).split() for words in ((), ("charts",)))
    depends = ["make", *grading, *libraries(root, scratch)]
    architecture, about = processor(), "CUDA programs without a GPU: what the HPML labs compile"
    fields = {"Package": PACKAGE, "Version": version(), "Architecture": architecture, "Maintainer": "HPML labs", "Section": "education",
              "Priority": "optional", "Depends": ", ".join(depends), "Recommends": ", ".join(set(with_charts) - set(grading)), "Description": about,
              "Installed-Size": sum(path.lstat().st_size for path in root.rglob("*")) // 1024}
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("".join(f"{name}: {value}\n" for name, value in fields.items()), encoding="utf-8")
    path = out / f"{PACKAGE}_{version()}_{architecture}.deb"
    called(["dpkg-deb", "--root-owner-group", "--build", str(root), str(path)])
    return path


def libraries(root: Path, scratch: Path) -> list[str]:
    """Packages of the system's libraries that the programs are linked to, with the versions that will do."""
    (scratch / "debian").mkdir()
    (scratch / "debian/control").write_text(f"Source: {PACKAGE}\n\nPackage: {PACKAGE}\nArchitecture: any\n", encoding="utf-8")
    programs = [str(path) for path in (root / FOLDER).rglob("*") if path.parent.name == "bin" or ".so" in path.name]
    said = called(["dpkg-shlibdeps", "-O", "--ignore-missing-info", "-xhpml-labs", *programs], cwd=scratch)
    return said.strip().removeprefix("shlibs:Depends=").split(", ")


def tarball(place: Path, out: Path) -> Path:
    path = out / f"{PACKAGE}-{version()}-{processor()}.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=6) as archive:
        archive.add(place, "prebuilt", filter=of_root)
    return path


def of_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def processor() -> str:
    return called(["dpkg", "--print-architecture"]).strip()


def version() -> str:
    return called(["git", "-C", str(ROOT), "show", "-s", "--format=%cd", "--date=format-local:%Y.%m.%d.%H%M"], TZ="UTC").strip()


def called(command: list[str], cwd: Path | None = None, **environment: str) -> str:
    """What it prints."""
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise InfraError(f"{Path(command[0]).name} failed with status {done.returncode}: {said[-1] if said else 'no word'}")
    return done.stdout
