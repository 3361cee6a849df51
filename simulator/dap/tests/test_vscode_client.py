"""Does VS Code's own client, as far as a test can have it, get from the debug adapter what an editor asks for?

The client is a package that npm fetches into the build folder. Without npm, or where no package can be fetched, the test says
so and is skipped.
"""
import shutil
import subprocess
from pathlib import Path

import pytest
from test_dap import BUILD, GPUSIM, SOURCE, program  # noqa: F401 (a fixture)

PACKAGE = "@vscode/debugadapter-testsupport"
VERSION = "1.68.0"
FOLDER = BUILD / "vscode-client"
SCRIPT = Path(__file__).with_name("vscode_client.js")
STEPS = ("initialize and launch", "breakpoints", "threads and stack", "scopes and variables", "evaluate",
         "data breakpoints and disassembly", "step back", "step in, out and over", "reverse continue", "disconnect")
FETCH_S = 120


def fetch() -> None:
    """The client in FOLDER, or the test is skipped with the reason."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip(f"not run: {PACKAGE} {VERSION}, since there is no npm here")
    known = FOLDER / "node_modules" / PACKAGE / "package.json"
    if known.exists() and f'"version": "{VERSION}"' in known.read_text(encoding="utf-8"):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(["npm", "install", "--prefix", FOLDER, "--no-audit", "--no-fund", "--ignore-scripts",
                               f"{PACKAGE}@{VERSION}"], check=False, capture_output=True, text=True, timeout=FETCH_S)
    except subprocess.TimeoutExpired:
        pytest.skip(f"not run: {PACKAGE} {VERSION}, which npm has not fetched in {FETCH_S} s")
    if done.returncode != 0:
        pytest.skip(f"not run: {PACKAGE} {VERSION}, which npm cannot fetch: {done.stderr.strip().splitlines()[:1]}")


def test_vscode_s_client_drives_every_step_of_a_session(program, tmp_path):  # noqa: F811 (the fixture)
    fetch()
    adapter = tmp_path / "adapter.sh"
    adapter.write_text(f'exec "{GPUSIM}" debug --dap\n', encoding="utf-8")
    done = subprocess.run(["node", SCRIPT, FOLDER, adapter, program, SOURCE], check=False, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"ok {step}" for step in STEPS]
