"""docs/validation.*: is the page the one of its results, and does the simulator still measure them?"""
import os
from pathlib import Path

import pytest
from hpml_validation import hardware, page
from hpml_validation.programs import ROOT, Programs, Runner
from hpml_validation.report import mean, rows_of
from hpml_validation.targets import load

BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
RENEW = "run simulator/validation/validate.py --write and look at what changed"


@pytest.fixture(scope="module")
def targets():
    loaded = load()
    loaded.families += hardware.families(loaded)
    return loaded


@pytest.fixture(scope="module")
def shown():
    return page.read_results(page.RESULTS.read_text("utf-8"))


def test_the_page_is_made_from_its_results(targets, shown):
    compiler, results = shown
    made = page.page(targets, rows_of(targets.rows(), results), compiler)
    assert page.PAGE.read_text("utf-8") == made, RENEW


def test_every_row_was_measured_for_the_page(targets, shown):
    rows = rows_of(targets.rows(), shown[1])
    assert len(rows) == len(targets.rows()), RENEW


@pytest.fixture(scope="module")
def measured_now(targets):
    if not (BUILD / "bin/gpusim").is_file():
        pytest.fail(f"no simulator in {BUILD}: tools/build.sh gpusim_all")
    quick = [row for row in targets.rows() if row.quick]
    jobs = len(os.sched_getaffinity(0))
    return rows_of(quick, Runner(BUILD, Programs(BUILD, "clang"), jobs, lambda _: None).run_all(row.as_run for row in quick))


@pytest.mark.parametrize("family", [family.name for family in load().families if any(row.quick for row in family.rows)])
def test_the_mean_error_of_a_family_is_the_pages(family, measured_now, shown):
    """Both ways: a family that grew worse is a fault, one that grew better makes the page untrue."""
    now = [row for row in measured_now if row.target.family == family]
    before = mean(rows_of([row.target for row in now], shown[1])).error
    after = mean(now).error
    # Another compiler of the programs moves a loop's overhead by a fraction of a cycle.
    assert after == pytest.approx(before, rel=0.05, abs=0.5), f"mean error {before:.2f} % -> {after:.2f} %: {RENEW}"
