"""The CUDA kernels of C5 against their definitions, on the simulated GPU: odd sizes, strides, more channels than a tile."""
import subprocess

import lab2_gpu as gpu
import pytest
from hpml_autograder.lab import InfraError, find_gpusim

PLAN = """stem conv2d forward 2 9 7 3 20 3 2 1
stem conv2d weights 2 9 7 3 20 3 2 1
a conv2d forward 1 6 6 17 70 3 1 1
a conv2d backward 1 6 6 17 70 3 1 1
b conv2d forward 2 8 8 16 33 1 2 0
b conv2d backward 2 8 8 16 33 1 2 0
c conv2d backward 3 16 16 2 3 3 1 1
n batch_norm forward 2 5 5 40 40 1 1 0
n batch_norm backward 2 5 5 40 40 1 1 0
r relu forward 2 5 5 40 40 1 1 0
r relu backward 2 5 5 40 40 1 1 0
s add forward 2 5 5 40 40 1 1 0
s add backward 2 5 5 40 40 1 1 0
p avg_pool forward 2 4 4 33 33 1 1 0
p avg_pool backward 2 4 4 33 33 1 1 0
l linear forward 3 1 1 40 10 1 1 0
l linear backward 3 1 1 40 10 1 1 0
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    try:
        find_gpusim()
        return gpu.build(tmp_path_factory.mktemp("gpu"))
    except InfraError as error:
        pytest.skip(str(error))


def run(program, plan, tmp_path, *more):
    (tmp_path / "plan").write_text(plan, encoding="utf-8")
    return subprocess.run([str(find_gpusim()), "run", "--mode", "functional", str(program), str(tmp_path / "plan"), *more],
                          capture_output=True, text=True, check=False)


def test_every_kernel_does_what_its_layer_is_defined_to_do(program, tmp_path):
    done = run(program, PLAN, tmp_path, "check")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(PLAN.splitlines())


@pytest.mark.parametrize("plan, line", [("", 1), ("a conv2d forward 1 6 6 4 4 3 1 1\nb conv2d forward 1 6\n", 2)])
def test_a_plan_that_cannot_be_read_is_named_with_its_line(program, tmp_path, plan, line):
    done = run(program, plan, tmp_path)
    assert done.returncode == 2 and f"line {line} of it" in done.stderr


def test_kernels_get_the_figures_of_the_simulator(program, tmp_path):
    found = gpu.simulate(program, PLAN, "t4", tmp_path, threads=1)
    assert found.device[0] == pytest.approx(8.14e12, rel=0.01)  # 40 SMs x 64 lanes x 2 FLOP x 1.59 GHz
    assert {(layer, backward) for layer, backward, *_ in found.kernels} >= {(0, 0), (0, 1), (8, 1)}
    assert all(us > 0 and start >= 0 and 0 < occupancy <= 1 for _, _, us, start, _, occupancy in found.kernels)
