"""targets.toml: is every row complete, and are errors what their definition says?"""
from pathlib import Path

import pytest
from hpml_validation.programs import ROOT
from hpml_validation.report import correlation, mean, rows_of
from hpml_validation.targets import Run, Target, TargetsError, load, target

SOURCES = {"S": "a source"}
RAW = {"name": "n", "gpu": "G", "on": "t4", "value": 2.0, "unit": "ms", "run": "p a=1", "result": "time", "source": "S",
       "confidence": "A"}


def test_every_row_names_a_program_and_a_gpu_that_exist():
    for row in load().rows():
        assert Path(ROOT, "simulator/validation/programs", row.run.split()[0] + ".cu").is_file(), row
        assert Path(ROOT, "simulator/gpus", row.on + ".toml").is_file(), row


def test_no_row_appears_twice():
    rows = [(row.name, row.gpu, row.on, row.source) for row in load().rows()]
    assert len(rows) == len(set(rows))


def test_several_values_count_by_their_mean():
    assert target("f", {**RAW, "value": [1.0, 4.0]}, SOURCES).value == 2.5


@pytest.mark.parametrize("wrong, said", [({"source": "T"}, "'T' is not in"), ({"unit": "miles"}, "unit 'miles'"),
                                         ({"value": 0}, "is positive")])
def test_a_wrong_row_is_named(wrong, said):
    with pytest.raises(TargetsError, match=f"^n: .*{said}"):
        target("f", {**RAW, **wrong}, SOURCES)


def test_units_are_converted_and_other_dimensions_refused():
    row = target("f", RAW, SOURCES)
    assert row.measured(1500.0, "us") == 1.5
    with pytest.raises(TargetsError, match="published in ms, but 'p a=1' gives time in GB/s"):
        row.measured(1.0, "GB/s")


def rows(*pairs: tuple[float, float]):
    targets = [Target("f", f"n{i}", "G", "t4", published, "us", f"p {i}", "time", "S", "A")
               for i, (_, published) in enumerate(pairs)]
    return rows_of(targets, {Run("t4", f"p {i}"): {"time": (measured, "us")} for i, (measured, _) in enumerate(pairs)})


def test_mean_error_worst_and_bias():
    of = mean(rows((2.0, 1.0), (1.0, 2.0)))
    assert (of.rows, of.error, of.worst) == (2, 75.0, 100.0)
    assert of.bias == pytest.approx(1.0)


def test_correlation_of_a_constant_factor_is_one():
    assert correlation(rows((3.0, 1.0), (30.0, 10.0), (9.0, 3.0))) == pytest.approx(1.0)


def test_a_row_whose_result_is_not_printed_has_no_error():
    assert rows_of([target("f", RAW, SOURCES)], {Run("t4", "p a=1"): {"other": (1.0, "us")}}) == []
