"""The laws against worked values of the literature's formulas, and against common/models."""
import json
import random
import subprocess

import lab1_laws as laws
import pytest
from hpml_autograder.paths import build_dir


@pytest.mark.parametrize("line, value", [
    ("amdahl .99 100", 50.251256), ("amdahl .5 5", 1.666667), ("amdahl .95 16", 9.142857), ("gustafson .95 16", 15.25),
    ("karpflatt 8 16", 1 / 15), ("strong 200 25 16", 0.5), ("need .5 15 9", 5.0), ("overhead .99 .0001", 99.498744),
    ("mean a 5 3 7.5 2 15 1 3 5 6 2.5", 5.0), ("mean h 5 3 7.5 2 15 1 3 5 6 2.5", 3.0),
    ("mean g 5 3 7.5 2 15 1 3 5 6 2.5", 15**0.5),
    ("throughput 10000 12 13 10 12.5 11 11.25 10.25 14 13.75 14.25", 819.672131), ("throughput 1e9 4.1 1.8 6.1", 2.5e8)])
def test_worked_values(line, value):
    assert laws.expected(line) == pytest.approx(value, abs=5e-7)
    assert laws.agrees(f"{laws.expected(line):.6f}", laws.expected(line))


def test_what_no_speed_up_reaches_is_impossible():
    assert laws.agrees("impossible", laws.expected("need .5 15 7.5")) and not laws.agrees("inf", float("inf"))


@pytest.mark.parametrize("got", ["1.66666", "1.6666670", "1.666671", "", "1,666667", "nan"])
def test_other_decimals_and_other_values_are_refused(got):
    assert not laws.agrees(got, laws.expected("amdahl .5 5"))


def model(name: str, **inputs: float) -> dict:
    words = [f"{key}={value}" for key, value in inputs.items()]
    done = subprocess.run([build_dir() / "bin/hpml-model", name, *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_amdahl_is_that_of_the_common_models():
    found = model("amdahl", serial_fraction=0.05, processors=16, overhead_per_processor=0)
    assert laws.expected("amdahl 0.95 16") in [pytest.approx(value) for value in found.values()]


def test_hidden_numbers_differ_by_seed_and_are_legal():
    assert laws.drawn_laws(random.Random(1)) != laws.drawn_laws(random.Random(2))
    for seed in range(50):
        for line in (*laws.drawn_laws(random.Random(seed)), *laws.hidden_means(random.Random(seed))):
            laws.expected(line)
