"""Are the committed reference times what the solution takes?"""
import json
from pathlib import Path

import pytest
from hpml_autograder.paths import known_gpus
from hpml_autograder.pipeline import Request, prepare

ROOT = Path(__file__).resolve().parents[2]

FOLDER = ROOT / "labs/lab3_cuda/reference"


@pytest.mark.parametrize("gpu", known_gpus())
def test_every_gpu_has_reference_times_and_the_short_runs_still_take_them(gpu, tmp_path):
    import lab3_reference as reference
    table = json.loads((FOLDER / f"{gpu}.json").read_text(encoding="utf-8"))
    assert table["schema"] == reference.SCHEMA and table["gpu"] == gpu
    assert set(table["kernel_ms"]["clang"]) == {str(case) for case in reference.cases()}
    runner = prepare(Request("lab3", solution=True, cuda="clang", gpu=gpu), lambda text: None, tmp_path).runner
    cases = [runner.resolve(case) for case in reference.cases() if case.args == "0 256 1"]
    runs = runner.run_all(cases)
    assert {str(case): reference.kernel_ms(runs[case]) for case in cases} == {
        str(case): table["kernel_ms"]["clang"][str(case)] for case in cases}, "the timing has changed: run docs/update.py --all"
