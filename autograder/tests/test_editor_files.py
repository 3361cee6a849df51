"""Can a student of every lab with CUDA programs start the debugger from the editor?"""
import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hpml_autograder import debugging, labspec
from hpml_autograder.paths import ROOT, build_dir, find_lab, known_labs
from hpml_autograder.single_run import program_of
from hpml_class.release import editor_files, tree

SPECS = {name: labspec.load(find_lab(name).lab / "lab.toml") for name in known_labs()}
CUDA = {name: [one.name for one in spec.program if one.backend == "gpusim"] for name, spec in SPECS.items()}
WITH_CUDA = sorted(name for name, programs in CUDA.items() if programs)


def read(root: Path) -> tuple[list[dict], list[dict]]:
    """Launch configurations and tasks."""
    return (json.loads((root / editor_files.LAUNCH).read_text(encoding="utf-8"))["configurations"],
            json.loads((root / editor_files.TASKS).read_text(encoding="utf-8"))["tasks"])


def of_lab(configurations: list[dict], lab: str) -> dict[str, dict]:
    return {Path(one["program"]).name: one for one in configurations if f"/debug/{lab}/" in one["program"]}


def test_the_files_of_the_tree_are_those_of_its_labs():
    for name, text in editor_files.of_tree().items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, "run docs/update.py --pages"


@pytest.mark.parametrize("lab", WITH_CUDA)
def test_every_cuda_program_can_be_debugged_after_its_task_has_compiled_it(lab):
    configurations, tasks = read(ROOT)
    by_label = {one["label"]: one for one in tasks}
    found = of_lab(configurations, lab)
    assert list(found) == CUDA[lab]
    for name, one in found.items():
        words = by_label[one["preLaunchTask"]]["args"]
        assert words == [lab, "debug", f"PROG={name}", "COMPILE_ONLY=1"] and program_of(SPECS[lab], name)[0].name == name
        assert one["program"] == f"${{workspaceFolder}}/build/release/debug/{lab}/{name}"  # where compile_for_debugger() puts it
        assert one["args"], "a public test shows how to call it"


@pytest.mark.parametrize("lab", sorted(SPECS))
def test_a_release_has_those_of_its_own_lab_alone(lab, tmp_path):
    tree.export(find_lab(lab), tmp_path / "tree")
    configurations, tasks = read(tmp_path / "tree")
    assert list(of_lab(configurations, lab)) == CUDA[lab] and len(configurations) == len(CUDA[lab]) + 1
    assert len(tasks) == len(CUDA[lab])


class Adapter:
    def __init__(self) -> None:
        self.process = subprocess.Popen([build_dir() / "bin" / "gpusim", "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, command: str, arguments: dict) -> None:
        body = json.dumps({"seq": 1, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def events(self) -> str:
        """Their names, until the program has stopped or ended."""
        names: list[str] = []
        while not {"stopped", "terminated"} & set(names):
            length = int(self.process.stdout.readline().split()[1])
            self.process.stdout.readline()
            names.append(json.loads(self.process.stdout.read(length)).get("event", ""))
        return " ".join(names)


@pytest.mark.skipif(not (build_dir() / "bin" / "gpusim").exists() or shutil.which("clang") is None, reason="needs gpusim and clang")
@pytest.mark.parametrize("lab", WITH_CUDA)
def test_a_configuration_stops_in_front_of_the_first_kernel(lab, tmp_path, monkeypatch):
    """Compiled from the reference solution: a starter may launch nothing."""
    monkeypatch.setattr(debugging, "kept_dir", lambda: tmp_path)
    place, spec = find_lab(lab), SPECS[lab]
    program = next(one for one in spec.program if one.backend == "gpusim" and one.sources)
    source = next((ROOT / "solutions").glob(f"{lab}_*"), place.src)
    assignment = SimpleNamespace(spec=spec, dirs=place, source=source, backends=SimpleNamespace(setup=SimpleNamespace(cuda="clang")))
    built = debugging.compile_for_debugger(assignment, program)
    assert built is not None
    one = of_lab(read(ROOT)[0], lab)[program.name]
    adapter = Adapter()
    adapter.ask("initialize", {})
    adapter.ask("launch", {**one, "program": str(built), "cwd": str(tmp_path), "stopOnEntry": True})
    adapter.ask("configurationDone", {})
    assert adapter.events().endswith("stopped")
    adapter.process.stdin.close()
    assert adapter.process.wait(timeout=60) == 0
