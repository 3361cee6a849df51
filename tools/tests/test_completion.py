"""Does bash offer what the commands' own help says, and is every command given a man page?"""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GPUSIM = Path(os.environ.get("HPML_BUILD_DIR", ROOT / "build/release")) / "bin/gpusim"
HELP = """usage: PROGRAM [-h] [--mode {auto,cycle}] FILE
  -h,--help                   Print this help message and exit
  --gpu TEXT=t4               GPU to simulate
  --mode TEXT:{auto,cycle}=auto
                              auto: what is small enough
Subcommands:
  run                         run a CUDA program
  roofline                    draw the roofline
    hpml batch DIR            grade a folder
"""


def offered(folder: Path, *words: str) -> list[str]:
    """What bash would offer for the last of the words of a program whose help is HELP."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{HELP}END\n", encoding="utf-8")
    program.chmod(0o755)
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hpml_complete; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["/bin/bash", "-c", script, "bash", str(ROOT / "tools/completion.bash"), str(program), *words],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_commands_and_options_are_offered(tmp_path: Path) -> None:
    assert offered(tmp_path, "") == ["--gpu", "--help", "--mode", "batch", "roofline", "run"]
    assert offered(tmp_path, "r") == ["roofline", "run"]
    assert offered(tmp_path, "run", "--m") == ["--mode"]


def test_values_of_an_option_are_offered(tmp_path: Path) -> None:
    assert offered(tmp_path, "run", "--mode", "") == ["auto", "cycle"]
    gpus = sorted(path.stem for path in (ROOT / "simulator/gpus").glob("*.toml"))
    assert sorted(offered(tmp_path, "run", "--gpu", "")) == gpus and "t4" in gpus


@pytest.mark.skipif(shutil.which("help2man") is None or not GPUSIM.exists(), reason="needs help2man and gpusim")
def test_every_command_has_a_man_page(tmp_path: Path) -> None:
    subprocess.run([ROOT / "tools/manual.sh", tmp_path], env={**os.environ, "HPML_BUILD_DIR": str(GPUSIM.parents[1])}, check=True)
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "man1").glob("*.1")}
    assert {"gpusim", "gpusim-run", "gpusim-launch", "gpusim-ptx", "hpml", "hpml-test", "hpml-quiz", "hpml-model"} <= set(pages)
    assert "run a CUDA program on the simulated GPU" in pages["gpusim-run"] and r"\-\-metrics" in pages["gpusim-run"]
    for name, text in pages.items():
        assert text.startswith(f".TH {name} 1") and f"\n{name} \\- " in text, name
