"""Are the checker's own numbers the published ones, and does the harness make the same?"""
import subprocess
from pathlib import Path

import numpy
import pytest
from lab3_data import DataRule, checksums, parse_args, sums

ROOT = Path(__file__).resolve().parents[3]

# Published for the course: n -> S0, S1.
PUBLISHED = {10: (135, 486), 100: (14850, 59100), 1000: (1498500, 5997012), 1_000_000: (1510370976, 6041474429),
             5_000_000: (7552420128, 30209677647), 10_000_000: (15104877120, 60419499206)}


@pytest.mark.parametrize("n", PUBLISHED)
def test_checksums_are_the_published_ones(n):
    assert checksums(sums(n)) == PUBLISHED[n]


def test_the_harness_makes_the_data_the_checker_expects(tmp_path):
    src, program, dump = ROOT / "labs/lab3_cuda/src", tmp_path / "vecaddcpu", tmp_path / "z"
    subprocess.run(["c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{src}", "-o", program,
                    src / "partb.cpp", ROOT / "solutions/lab3_cuda/vecaddcpu.cpp"], check=True)
    for seed in (0, 1, 0xFFFF_FFFF_FFFF_FFFF, 0x1234_5678_9ABC_DEF0):
        rule = DataRule.seeded(seed)
        env = {**dict(rule.environment()), "HPML_DUMP": str(dump)}
        text = subprocess.run([program, "1", "--n", "5003"], env=env, check=True, capture_output=True, text=True).stdout
        expected = sums(5003, rule)
        assert numpy.array_equal(numpy.fromfile(dump, dtype=numpy.float32), expected)
        assert f"Checksum: {checksums(expected)[0]} {checksums(expected)[1]}\n" in text


@pytest.mark.parametrize("args", [[], ["0"], ["1x"], ["1", "--n"], ["1", "--n", "0"], ["1", "--m", "5"],
                                  ["1", "--n", "5", "6"]])
def test_the_harness_refuses_senseless_arguments_with_one_line_of_help(tmp_path, args):
    src, program = ROOT / "labs/lab3_cuda/src", tmp_path / "vecaddcpu"
    subprocess.run(["c++", "-O0", f"-I{src}", "-o", program, src / "partb.cpp", src / "vecaddcpu.cpp"], check=True)
    done = subprocess.run([program, *args], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "usage:" in done.stderr and done.stdout == ""


def test_a_grid_of_zero_means_enough_blocks_for_n():
    blocks = [parse_args(f"0 256 {k}", gpu=True).grid for k in (1, 5, 10, 50, 100)]
    assert blocks == [3907, 19532, 39063, 195313, 390625]
    assert parse_args("0 256 1 --n 257", gpu=True).grid == 2
