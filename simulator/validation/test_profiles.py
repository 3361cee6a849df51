"""Kernels under a profiler: is ncu's table read, and does the page say what was compared?"""
import pytest
from hpml_validation import hardware, profile
from profiles import FITTED, PAGE, Compared, markdown, profiled_cards, summary

# As `ncu --csv --page raw --print-units base` prints it, with lines of the program before.
TABLE = """==PROF== Connected to process 7
triad 61.2 us
"ID","Kernel Name","sm__cycles_elapsed.max","gpu__time_duration.sum","l1tex__t_sector_hit_rate.pct"
"","","cycle","ns","%"
"0","triad(const float *, const float *, float *, int)","114,424","57,856","0"
"1","runs(const float *, float *, int)","139,379.5","70,464","n/a"
"""


def test_the_table_of_ncu_is_read_launch_by_launch():
    first, second = profile.launches(TABLE)
    assert first == ("triad(const float *, const float *, float *, int)",
                     {profile.CYCLES: 114424.0, "gpu__time_duration.sum": 57856.0, "l1tex__t_sector_hit_rate.pct": 0.0})
    assert second[1] == {profile.CYCLES: 139379.5, "gpu__time_duration.sum": 70464.0}, "what the card lacks is left out"


@pytest.mark.parametrize("path", sorted(hardware.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_kernel_of_the_programs_was_profiled_on_a_measured_card(path):
    profiles = hardware.load(path)["profiles"]
    assert set(profiles) == {f"{name} {kind}" for name, kinds in profile.KINDS.items() for kind in kinds}
    assert all(values[profile.CYCLES] > 1000 for values in profiles.values())


def test_only_kernels_that_exist_are_said_to_be_fitted():
    kernels = {f"{name} {kind}" for name, kinds in profile.KINDS.items() for kind in kinds}
    assert set(FITTED) <= set(profiled_cards())
    assert all(set(fitted) <= kernels for fitted in FITTED.values())


def rows():
    return [Compared("sampled triad", {profile.CYCLES: 100.0}, {profile.CYCLES: 90.0}),
            Compared("kernels weigh", {profile.CYCLES: 100.0}, {profile.CYCLES: 150.0})]


def test_a_fitted_kernel_does_not_count_among_the_predicted():
    assert "mean absolute error 30.0 %" in summary("h200", rows())
    assert "of the 1 that are not fitted: mean 10.0 %" in summary("h200", rows())
    assert "of the 2 that are not fitted: mean 30.0 %" in summary("h100", rows())


def test_the_page_compares_with_the_cards_that_were_measured():
    """Its figures of a card are those of the file."""
    sections = PAGE.read_text("utf-8").split("\n## ")[1:]
    assert len(sections) == len(profiled_cards())
    for gpu, section in zip(profiled_cards(), sections):
        data = hardware.load(hardware.FOLDER / f"{gpu}.json")
        assert section.startswith(data["card"]["name"])
        lines = [line for line in section.splitlines() if line.startswith(("| sampled", "| kernels"))]
        for line in lines:
            _, kernel, card, *_ = (word.strip() for word in line.split("|"))
            assert f"{data['profiles'][kernel][profile.CYCLES]:.0f}" == card, kernel
        assert len(lines) == len(data["profiles"])
        assert markdown(gpu, rows(), data).startswith(f"\n## {data['card']['name']}")
