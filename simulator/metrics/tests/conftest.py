"""Documents of every producer: `gpusim run` and `gpusim replay` of counted.cu, `gpusim launch` of counted.ptx."""
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
GPUSIM = BUILD / "bin/gpusim"


def gpusim(folder: Path, *words: str) -> None:
    done = subprocess.run([GPUSIM, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def produce(folder: Path) -> dict[str, Path]:
    program = folder / "counted"
    subprocess.run(["/usr/bin/python3", ROOT / "tools/cuda_compile.py", "--frontend", "clang", "-o", program,
                    HERE / "counted.cu"], check=True)
    made = {name: folder / f"{name}.json" for name in ("run", "functional", "checked", "replay", "launch", "trapped")}
    run = ("run", "--gpu", "t4")
    gpusim(folder, *run, "--mode", "cycle", "--metrics", "run.json", "--record", "recording", "--", str(program))
    gpusim(folder, *run, "--mode", "functional", "--metrics", "functional.json", "--", str(program))
    gpusim(folder, *run, "--mode", "functional", "--check", "memcheck,phases", "--metrics", "checked.json", "--", str(program))
    gpusim(folder, "replay", "--gpu", "t4", "--mode", "cycle", "--metrics", "replay.json", "recording")
    (folder / "data").write_bytes(struct.pack("<f", 1.0) * 4096)
    launch = ("launch", str(HERE / "counted.ptx"), "--gpu", "h100", "--grid", "4", "--block", "64")
    gpusim(folder, *launch, "--kernel", "matrices", "--mode", "cycle", "--cluster", "2", "--shared", "1024",
           "--metrics", "launch.json", "inout:data")
    done = subprocess.run([GPUSIM, *launch, "--kernel", "out_of_bounds", "--metrics", "trapped.json"], cwd=folder,
                          capture_output=True, check=False)
    assert done.returncode == 1
    return made


@pytest.fixture(scope="session")
def documents(tmp_path_factory) -> dict[str, dict]:
    """By producer, as JSON."""
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    files = produce(tmp_path_factory.mktemp("documents"))
    return {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items()}
