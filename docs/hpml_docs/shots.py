"""Pictures of pages for the documentation: `docs/build_site.py --shots` makes each page by a command and photographs it.

They are made by hand-started commands, not compared by tests: the same page has other bytes with other fonts."""
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from . import places, walk
from .pages import ROOT

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
COLOURS = 64


def gpusim() -> str:
    return str(places.build_dir() / "bin/gpusim")


def report(scratch: Path) -> Path:
    """The report of the program in the simulator's tutorial."""
    page = (ROOT / "docs/tutorials/simulator.md").read_text(encoding="utf-8")
    source = next(one.text for one in walk.steps(page) if one.path == "saxpy.cu")
    (scratch / "saxpy.cu").write_text(source, encoding="utf-8")
    called([str(ROOT / "tools/cuda_compile.py"), "--frontend", "clang", "-o", "saxpy", "saxpy.cu"], scratch)
    called([gpusim(), "run", "--report", str(scratch / "page.html"), "--", "./saxpy"], scratch)
    return scratch / "page.html"


def profile(scratch: Path) -> Path:
    """What the student's tutorial comes to in its section on profiles: a kernel that is right and not coalesced."""
    page = (ROOT / "labs/lab3_cuda/tutorial.md").read_text(encoding="utf-8")
    reader = walk.Walk(scratch, places.made("release lab3", scratch), whole=False)
    reader.page(page.partition("## 6.")[0])
    reader.run("make lab3 profile")
    return scratch / "build/results/lab3_profile.html"


def class_report(scratch: Path) -> Path:
    """Of the class in the instructor's tutorial, walked to its report."""
    page = (ROOT / "docs/tutorials/instructor.md").read_text(encoding="utf-8")
    walk.Walk(scratch, places.made("tree", scratch), whole=False).page(page.partition("## 3.")[0])
    return scratch / "results/report.html"


def quiz(scratch: Path) -> Path:
    """Ann's sheet in the instructor's tutorial."""
    environment = {"HPML_BUILD_DIR": str(places.build_dir())}
    called([str(ROOT / "tools/hpml"), "quiz", "make", "quiz2", "--seed", "a-secret", "--out", str(scratch)], scratch, **environment)
    return next(path for path in sorted(scratch.rglob("quiz.html")))


def called(command: list[str], folder: Path, **environment: str) -> None:
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr[-500:]}")


# Picture -> page, and the size of the window that is photographed.
SHOTS: dict[str, tuple[Callable[[Path], Path], tuple[int, int]]] = {
    "docs/pictures/report.png": (report, (1180, 1150)), "labs/lab3_cuda/figures/profile.png": (profile, (1180, 1150)), "docs/pictures/class.png": (class_report, (900, 700)),
    "docs/pictures/quiz.png": (quiz, (760, 800))}


def take(names: list[str]) -> None:
    """Raises RuntimeError where there is no browser, or a command fails."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None:
        raise RuntimeError(f"no browser here: one of {', '.join(CHROMIUM)} (apt-get install chromium)")
    for name in names or list(SHOTS):
        page, size = SHOTS[name]
        with tempfile.TemporaryDirectory(prefix="hpml-shot-") as scratch:
            photograph(browser, page(Path(scratch)), ROOT / name, size)


def photograph(browser: str, page: Path, picture: Path, size: tuple[int, int]) -> None:
    with tempfile.TemporaryDirectory(prefix="hpml-browser-") as profile_folder:
        called([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile_folder}",
                f"--window-size={size[0]},{size[1]}", f"--screenshot={picture}", page.as_uri()], page.parent)
    from PIL import Image  # matplotlib draws it in
    with Image.open(picture) as image:
        image.convert("RGB").quantize(COLOURS).save(picture, optimize=True)
