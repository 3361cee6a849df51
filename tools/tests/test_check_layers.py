"""Does the layer check find what goes against the doors, and nothing else?"""

from pathlib import Path

import check_layers
import pytest

ROOT = Path(__file__).resolve().parents[2]

LAYERS = """
[rooms.common]
folder = "common"
targets = ["hpml_common"]
may = []
[rooms.exec]
folder = "simulator/exec"
targets = ["hpml_sim_exec"]
may = ["common"]
[rooms.device]
folder = "simulator/device"
targets = ["hpml_sim_device"]
may = ["common", "exec"]
[rooms.cudart]
folder = "simulator/cudart"
targets = ["hpml_sim_cudart"]
may = ["common", "device"]
only = {device = ["simulator/device/api.hpp"]}
[rooms.labs]
folder = "labs"
targets = []
may = ["common"]
"""


def problems(tmp_path: Path, **files: str) -> list[str]:
    """Problems of a tree that holds these files; "__" in a keyword stands for "/", "_DOT_" for "."."""
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    layers = tmp_path / "layers.toml"
    layers.write_text(LAYERS)
    return check_layers.check(tmp_path, layers)


def test_an_include_along_the_doors_is_accepted(tmp_path: Path) -> None:
    text = '#include <vector>\n#include "common/base/diag.hpp"\n#include "simulator/exec/step.hpp"\n'
    assert problems(tmp_path, simulator__device__device_DOT_cpp=text) == []


def test_an_include_against_the_doors_is_named_with_its_line(tmp_path: Path) -> None:
    text = '#pragma once\n#include "simulator/device/api.hpp"\n'
    assert problems(tmp_path, simulator__exec__step_DOT_hpp=text) == [
        'simulator/exec/step.hpp:2: room exec must not use room device (includes "simulator/device/api.hpp")'
    ]


def test_a_relative_include_does_not_get_around_the_doors(tmp_path: Path) -> None:
    text = '#include "../device/api.hpp"\n'
    found = problems(tmp_path, simulator__device__api_DOT_hpp="", simulator__exec__a_DOT_cpp=text)
    assert len(found) == 1 and "exec must not use room device" in found[0]


def test_an_include_in_angle_brackets_does_not_get_around_the_doors(tmp_path: Path) -> None:
    found = problems(tmp_path, labs__lab3_cuda__src__a_DOT_cu="#  include <simulator/exec/step.hpp>\n")
    assert len(found) == 1 and "labs must not use room exec" in found[0]


def test_only_the_named_header_of_a_room_is_visible(tmp_path: Path) -> None:
    text = '#include "simulator/device/api.hpp"\n#include "simulator/device/gpu.hpp"\n'
    found = problems(tmp_path, simulator__cudart__launch_DOT_cpp=text)
    assert len(found) == 1 and found[0].startswith("simulator/cudart/launch.cpp:2: room cudart may see only")


def test_a_source_file_outside_every_room_is_refused(tmp_path: Path) -> None:
    found = problems(tmp_path, simulator__shiny__new_DOT_cpp="")
    assert found == ["simulator/shiny/new.cpp: belongs to no room; give its folder one in tools/layers.toml"]


@pytest.mark.parametrize("call", [
    "hpml_room(sim_exec DEPS hpml_common hpml_sim_device)",
    "target_link_libraries(hpml_sim_exec\n  PRIVATE hpml_sim_device)",
    "target_link_libraries(exec_helper PRIVATE hpml_sim_device)",
])
def test_a_cmake_link_against_the_doors_is_found(tmp_path: Path, call: str) -> None:
    found = problems(tmp_path, simulator__exec__CMakeLists_DOT_txt=f"# hpml_sim_device\n{call}\n")
    assert found == ["simulator/exec/CMakeLists.txt:2: room exec must not link hpml_sim_device (room device)"]


def test_test_programs_may_link_any_room(tmp_path: Path) -> None:
    text = "target_link_libraries(test_exec PRIVATE hpml_sim_device)\n"
    assert problems(tmp_path, simulator__exec__CMakeLists_DOT_txt=text) == []


def test_a_door_to_an_unknown_room_is_an_error(tmp_path: Path) -> None:
    layers = tmp_path / "layers.toml"
    layers.write_text('[rooms.a]\nfolder = "a"\ntargets = []\nmay = ["b"]\n')
    with pytest.raises(ValueError, match="room a names unknown rooms: b"):
        check_layers.load_rooms(layers)


def test_the_doors_have_no_way_round() -> None:
    rooms = {room.name: room for room in check_layers.load_rooms(ROOT / "tools/layers.toml")}
    for room in rooms.values():
        for other in room.may - {"*"}:
            assert room.name not in rooms[other].may, f"{room.name} and {other} may use each other"
    assert "timing" not in rooms["exec"].may
    assert rooms["labs"].may == {"common", "common_bench", "common_worker", "common_nn", "common_nn_gemm",
                                  "common_nn_baseline", "common_onnx"}


PYTHON_DOORS = LAYERS + """
[python.grader]
labs = ["lab"]
"""


@pytest.mark.parametrize("line", ["from grader.lab import Case", "from grader import lab", "import grader.lab", "import json"])
def test_a_lab_may_import_what_lies_behind_the_door(tmp_path, line):
    (tmp_path / "layers.toml").write_text(PYTHON_DOORS)
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/judge.py").write_text(line + "\n")
    assert check_layers.check(tmp_path, tmp_path / "layers.toml") == []


@pytest.mark.parametrize("line", ["from grader.runner import Runner", "from grader import runner", "import grader.runner",
                                  "def f():\n    from grader.runner import Runner"])
def test_a_lab_may_import_nothing_else_of_the_grader(tmp_path, line):
    (tmp_path / "layers.toml").write_text(PYTHON_DOORS)
    (tmp_path / "labs").mkdir()
    for name in ("judge.py", "test_judge.py"):  # a test may
        (tmp_path / "labs" / name).write_text(line + "\n")
    (problem,) = check_layers.check(tmp_path, tmp_path / "layers.toml")
    assert "labs/judge.py" in problem and "may import grader.lab of grader" in problem
