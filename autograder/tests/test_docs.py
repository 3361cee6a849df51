"""Do the documents show what the commands print?"""
import importlib.util
import json
from pathlib import Path

import pytest
from hpml_autograder.check import load_bench
from lab3_answers import SHAPES, read

ROOT = Path(__file__).resolve().parents[2]

load_bench(ROOT / "labs/lab3_cuda")


def load_update():
    spec = importlib.util.spec_from_file_location("docs_update", ROOT / "docs/update.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_say_what_the_simulator_says():
    assert load_update().stale_pages() == [], "run docs/update.py --pages"


@pytest.mark.xdist_group("grading lab3")
def test_the_readme_shows_what_its_first_command_prints(solution_of):
    update = load_update()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert update.with_block(readme, update.output_block(solution_of("lab3"))) == readme, "run docs/update.py (--all when the timing changed)"


def test_the_picture_and_the_solutions_tables_are_of_one_measurement():
    data = json.loads((ROOT / "docs/lab3_partB.json").read_text(encoding="utf-8"))
    answers = read(ROOT / "solutions/lab3_cuda")
    assert (data["gpu"], data["compiler"]) == (answers.gpu, answers.table["compiler"])
    for table, series in data["execution_ms"].items():
        for shape in SHAPES:
            assert answers.series(table, shape) == pytest.approx(series[shape], rel=1e-4)


def test_charts_from_the_same_numbers_are_the_same_bytes(tmp_path):
    from lab3_charts import draw
    from lab3_series import PartB
    numbers = {shape: [1.0 * k * factor for k in (1, 5, 10, 50, 100)] for factor, shape in enumerate(SHAPES, start=1)}
    result = PartB("t4", "clang", [0.5, 2.5, 5.0, 25.0, 50.0], {"explicit": numbers, "managed": numbers})
    first, second = draw(result, tmp_path / "a"), draw(result, tmp_path / "b")
    assert [path.name for path in first] == [f"lab3_partB_{name}.{kind}" for name in ("explicit", "managed")
                                             for kind in ("svg", "png")]
    for one, other in zip(first, second):
        assert one.read_bytes() == other.read_bytes()
    svg = first[0].read_text(encoding="utf-8")
    assert "CPU, 1 core (measured on this host)" in svg and svg.count("(simulated t4)") == 3
