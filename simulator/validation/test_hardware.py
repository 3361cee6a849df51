"""hardware/*.json: does a recording bring home figures, clocks and hashes, and does the simulator compute what cards did?"""
import json
import os
import tomllib
from pathlib import Path

import pytest
from hpml_validation import fit, hardware, labs
from hpml_validation.programs import ROOT, Programs
from hpml_validation.targets import Family, Target, Targets, load

BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
COMMANDS = {"chase global kib=16": ("latency", "cycles"), "chase global kib=2048": ("latency", "cycles"),
            "chase global kib=24000 cold=1": ("latency", "cycles"), "chase shared": ("latency", "cycles"),
            "alu latency": ("FFMA", "cycles"), "warp shuffle": ("latency", "cycles")}
FEW = {**hardware.HASHED, "random": "random_ptx first=1 count=16"}


def rows(commands=COMMANDS):
    return [Target("family", command, "GPU", "v100", 1.0, unit, command, result, "S", "A")
            for command, (result, unit) in commands.items()]


@pytest.fixture(scope="module")
def posed(tmp_path_factory):
    """What a recording of a simulated V100 in a card's place writes."""
    if not (BUILD / "bin/gpusim").is_file():
        pytest.fail(f"no simulator in {BUILD}: tools/build.sh gpusim_all")
    folder = tmp_path_factory.mktemp("hardware")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hardware, "HASHED", FEW)
        patch.setattr(hardware, "ALSO", ("card",))
        patch.setitem(labs.RUNS, "vecadd00", ("1",))
        wrong = {"chase nowhere": ("latency", "cycles")}
        path = hardware.record(hardware.PosedCard(BUILD, "v100"), Programs(BUILD, "clang"), rows({**COMMANDS, **wrong}), 1,
                               folder, lambda _: None, budget_s=0, solutions=("vecadd00",))
    return path


def test_a_recording_has_the_card_its_clocks_and_every_figure_with_its_spread(posed):
    data = hardware.load(posed)
    assert posed.name == "v100.json"
    assert data["card"]["name"] == "Tesla V100-PCIE-16GB"
    assert data["clocks"]["sm_mhz"] == [1380.0, 1380.0, 1380.0]
    runs = {command: values for command, _, values in data["runs"]}
    middle, least, largest, unit = runs["chase global kib=16"]["latency"]
    assert least <= middle <= largest and middle == pytest.approx(28, rel=0.01) and unit == "cycles"
    assert set(COMMANDS) | {"card"} == set(runs)


def test_what_a_solution_of_a_lab_prints_is_kept(posed):
    printed = hardware.load(posed)["labs"]
    assert list(printed) == ["vecadd00 1"]
    assert any("PASSED" in line for line in printed["vecadd00 1"]), printed["vecadd00 1"]


def test_every_program_of_the_labs_that_is_run_exists():
    assert set(labs.programs()) == set(labs.RUNS)


def test_a_program_that_fails_is_named_and_the_others_go_on(posed):
    assert list(hardware.load(posed)["failed"]) == ["chase nowhere"]


def test_a_recording_becomes_rows_of_the_page(posed):
    family = hardware.family(posed, Targets([Family("f", "F", rows=rows())], {}, []))
    assert {row.run for row in family.rows} == set(COMMANDS)
    assert all(row.on == "v100" and row.confidence == "A" and not row.fit for row in family.rows)


def test_times_of_a_card_that_went_slower_than_the_simulated_one_are_left_out(posed, tmp_path):
    data = json.loads(posed.read_text("utf-8"))
    data["clocks"]["sm_mhz"] = [700, 800, 900]
    data["runs"].append(["timed", 1, {"time": [5.0, 5.0, 5.0, "us"]}])
    slow = tmp_path / "v100.json"
    slow.write_text(json.dumps(data), "utf-8")
    targets = Targets([Family("f", "F", rows=rows({**COMMANDS, "timed": ("time", "us")}))], {}, [])
    family = hardware.family(slow, targets)
    assert {row.run for row in family.rows} == set(COMMANDS)
    assert "800 MHz" in family.note


@pytest.mark.parametrize("path", sorted(hardware.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_commands_that_say_nothing_on_a_card_are_left_out_with_the_reason(path):
    data = hardware.load(path)
    assert [command for command, *_ in data["runs"] if hardware.not_on_cards(command)] == []
    left_out = {row.run: why for row in load().rows() if (why := hardware.not_on_cards(row.run))}
    assert len(left_out) > 20 and left_out.items() <= data["failed"].items()


def computed(key: str, command: str) -> dict[str, str]:
    """By the simulated GPU, without time."""
    name, *arguments = command.split()
    programs = Programs(BUILD, "clang")
    programs.build([name], 1)
    return hardware.hashes(hardware.output([str(BUILD / "bin/gpusim"), "run", "--gpu", key, "--mode", "functional", "--",
                                            str(programs.path(name)), *arguments]))


def differences(path: Path, key: str, commands: dict[str, str]) -> list[str]:
    """What the simulated GPU computes otherwise than the card of the file; what a person has written into it
    as miscompiled for the card is no news."""
    data = hardware.load(path)
    card, miscompiled = data["hashes"], data.get("miscompiled", {})
    ours = {name: computed(key, command) for name, command in commands.items()}
    return [f"{name} {one}" for name in commands for one in card[name]
            if card[name][one] != ours[name].get(one) and f"{name} {one}" not in miscompiled]


def test_every_gpu_computes_the_same(posed):
    assert differences(posed, "k80", FEW) == []


def test_a_different_result_is_named(posed, tmp_path):
    data = json.loads(posed.read_text("utf-8"))
    data["hashes"]["results"]["warps"] = "0" * 16
    other = tmp_path / "v100.json"
    other.write_text(json.dumps(data), "utf-8")
    assert differences(other, "v100", {"results": FEW["results"]}) == ["results warps"]


def test_the_simulator_computes_what_every_measured_card_did():
    for path in sorted(hardware.FOLDER.glob("*.json")):
        key = path.stem if (ROOT / f"simulator/gpus/{path.stem}.toml").is_file() else "v100"
        assert differences(path, key, hardware.HASHED) == [], path.name


def test_a_card_gets_a_gpu_file_from_its_microbenchmarks(posed, tmp_path):
    """The V100 in the card's place has a file: the one made from its measurements says the same of what was measured."""
    text = fit.gpu_file(posed)
    made, real = tomllib.loads(text), tomllib.loads((fit.GPUS / "v100.toml").read_text("utf-8"))
    assert made.keys() == real.keys()
    assert all(made[section].keys() == real[section].keys() for section in real)
    for section, key in (("topology", "sms"), ("dram", "peak_gbs"), ("l2", "near_latency_cycles"), ("dram", "latency_cycles"),
                         ("clocks", "core_mhz"), ("l2", "size_kib")):
        assert made[section][key] == pytest.approx(real[section][key], rel=0.03), key
    for name in ("fp32", "fp64", "int_alu", "ld_global", "ld_shared", "shuffle"):
        assert made["latency"][name]["latency"] == pytest.approx(real["latency"][name]["latency"], abs=1), name
    assert 'proxy: v100' in next(line for line in text.splitlines() if line.startswith("pinned_h2d_gbs"))
    assert 'measured: chase global kib=16' in next(line for line in text.splitlines() if line.startswith("ld_global"))
    file = tmp_path / "made.toml"
    file.write_text(text, "utf-8")
    assert "sms 80 count" in hardware.output([str(BUILD / "bin/gpusim"), "run", "--gpu", str(file), "--",
                                              str(Programs(BUILD, "clang").path("card"))])


def test_a_file_of_another_schema_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"schema": "something"}', "utf-8")
    with pytest.raises(hardware.RunError, match="schema 'something' instead of"):
        hardware.load(path)
