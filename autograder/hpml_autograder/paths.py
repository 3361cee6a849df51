"""Where things are: the checkout, the build directory, the simulator."""
import os
from dataclasses import dataclass
from pathlib import Path

from .errors import InfraError, UsageError

ROOT = Path(__file__).resolve().parents[2]
LABS = ROOT / "labs"
PREBUILT = "prebuilt.json"  # a build folder that has it came in a package and is only read


def build_dir() -> Path:
    return Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build" / "release").resolve()


def kept_dir() -> Path:
    """Where gradings keep what they make: in the build folder, or beside it where that came in a package."""
    return ROOT / "build" / "prebuilt" if (build_dir() / PREBUILT).is_file() else build_dir()


def results_dir() -> Path:
    """In the checkout's build folder; of a checkout that is only read, in the build folder in use."""
    build = ROOT / "build"
    return (build if os.access(build if build.exists() else ROOT, os.W_OK) else build_dir()) / "results"


@dataclass(frozen=True)
class LabDirs:
    lab: Path        # labs/lab3_cuda
    solution: Path   # solutions/lab3_cuda

    @property
    def src(self) -> Path:
        return self.lab / "src"


def _labs() -> dict[str, Path]:
    return {path.parent.name.split("_")[0]: path.parent for path in sorted(LABS.glob("lab*_*/lab.toml"))}


def known_labs() -> list[str]:
    return list(_labs())


def find_lab(name: str) -> LabDirs:
    folder = _labs().get(name)
    if folder is None:
        raise UsageError(f"there is no lab '{name}' here; labs: {', '.join(known_labs())}")
    return LabDirs(folder, ROOT / "solutions" / folder.name)


def find_gpusim() -> Path:
    for place in ("bin/gpusim", "gpusim", "simulator/cli/gpusim", "simulator/gpusim"):
        path = build_dir() / place
        if path.is_file() and os.access(path, os.X_OK):
            return path
    raise InfraError(f"no gpusim under {build_dir()}: run `make setup` or `make lab3`, or set HPML_BUILD_DIR")


def gpu_folders() -> tuple[Path, ...]:
    """Where the simulator may look for its GPUs: beside itself where it is installed, else in the checkout it was built
    from, which need not be this one."""
    built_from = ROOT
    cache = build_dir() / "CMakeCache.txt"
    for line in cache.read_text(encoding="utf-8", errors="replace").splitlines() if cache.is_file() else ():
        if line.startswith("CMAKE_HOME_DIRECTORY:"):
            built_from = Path(line.split("=", 1)[1])
    folders = (build_dir() / "share" / "gpusim", built_from / "simulator" / "gpus", ROOT / "simulator" / "gpus")
    return tuple(dict.fromkeys(folder for folder in folders if folder.is_dir()))


def known_gpus() -> list[str]:
    return sorted(path.stem for path in (ROOT / "simulator" / "gpus").glob("*.toml"))
