"""Does the relay count and time as Open MPI and SMPI do, and does a hostile rank gain nothing?"""
import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hpml_autograder import sandbox
from hpml_autograder.backends import relay
from hpml_autograder.paths import ROOT, build_dir
from hpml_autograder.process import ProcessLimits
from hpml_autograder.protection import LEVELS
from machine_kit import refuses_the_clock

PROGRAMS = ROOT / "common/relay/tests/programs"
LIMITS = ProcessLimits(wall_s=60, cpu_s=60, fsize_bytes=1 << 20, output_bytes=1 << 16, memory_bytes=1 << 30)
SMPI = ["--cfg=smpi/simulate-computation:no", "--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0",
        "--cfg=network/crosstraffic:0", "--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/test:1e-7",
        "--log=root.thresh:error"]
CROSSBAR = '<cluster id="c" prefix="node-" suffix="" radical="0-{last}" speed="10Gf" bw="1.25GBps" lat="5us"/>'
FAT_TREE = ('<cluster id="c" prefix="node-" suffix="" radical="0-{last}" speed="10Gf" bw="1.25GBps" lat="2.5us" '
            'topology="FAT_TREE" topo_parameters="2;8,8;1,1;1,1" sharing_policy="SPLITDUPLEX"/>')
TREE = ("--group", "8", "5e-6", "1.25e9")
OPEN_MPI = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_pml": "ob1",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

pytestmark = pytest.mark.skipif(not (build_dir() / "bin/hpml-relay").is_file(), reason="hpml-relay is not built")


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """A folder, open to all users, with `allreduce` and `attack` as ranks."""
    folder = tmp_path_factory.mktemp("ranks")
    for name in ("allreduce", "attack"):
        subprocess.run(["c++", "-std=c++20", "-O1", *relay.LINK, f"-I{ROOT}", f"-I{relay.INCLUDE}",
                        str(PROGRAMS / f"{name}.cpp"), str(build_dir() / relay.ARCHIVE), "-o", str(folder / name)], check=True)
    return folder


def run(program: Path, ranks: int, *arguments: str, options: tuple[str, ...] = (), latency: str = "1e-5") -> tuple[str, dict]:
    """The report as it is written, and read."""
    file = program.parent / "report.json"
    subprocess.run([build_dir() / "bin/hpml-relay", "-n", str(ranks), "--latency", latency, "--bandwidth", "1.25e9",
                    "--report", str(file), *options, "--", str(program), *arguments], check=False, capture_output=True)
    text = file.read_text(encoding="utf-8")
    return text, json.loads(text)


def sent_of(region: dict) -> dict[tuple[int, int], tuple[int, int, int]]:
    return {(row[0], row[1]): tuple(row[2:5]) for row in region["sent"]}


def lines_of(text: str) -> tuple[float, dict[tuple[int, int], tuple[int, int, int]]]:
    """Time and counts from what the ranks of allreduce.cpp print."""
    rows = [words for line in text.splitlines() if len(words := line.split()) >= 3 and words[0].isdigit()]
    sent = {}
    for rank, _, _, *peers in rows:
        for entry in peers:
            peer, *counts = map(int, entry.split(":"))
            sent[int(rank), peer] = tuple(counts)
    return max(float(row[2]) for row in rows) - min(float(row[1]) for row in rows), sent


CELLS = [(5, "ring", 3), (12, "ring_requests", 1000), (7, "tree", 100), (7, "rd", 0), (6, "rab", 13), (12, "rab", 65536),
         (9, "ps", 1000), (9, "ps_at_once", 1000), (9, "ps_any", 1000), (6, "hier3", 13), (64, "ring", 16384)]


@pytest.mark.skipif(shutil.which("smpicxx") is None, reason="needs SimGrid's SMPI")
def test_counts_and_times_are_those_of_smpi(programs, tmp_path):
    simulated = tmp_path / "simulated"
    subprocess.run(["smpicxx", "-std=c++20", "-O1", str(PROGRAMS / "allreduce.cpp"), "-o", str(simulated)], check=True)
    cells = [(*cell, CROSSBAR, (), "1e-5") for cell in CELLS]
    cells += [(64, name, n, FAT_TREE, TREE, "5e-6") for name, n in (("rab", 65536), ("rd", 4096), ("hier8", 1024))]
    for ranks, name, n, cluster, options, latency in cells:
        (tmp_path / "platform.xml").write_text(
            '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">'
            f'{cluster.format(last=ranks - 1)}</platform>\n', encoding="utf-8")
        (tmp_path / "hosts").write_text("".join(f"node-{rank}\n" for rank in range(ranks)), encoding="utf-8")
        done = subprocess.run(["smpirun", "-np", str(ranks), "-platform", str(tmp_path / "platform.xml"), "-hostfile",
                               str(tmp_path / "hosts"), *SMPI, str(simulated), name, str(n), "1", "aligned"],
                              capture_output=True, text=True, check=True)
        time, sent = lines_of(done.stdout)
        _, report = run(programs / "allreduce", ranks, name, str(n), options=options, latency=latency)
        assert report["verdict"]["state"] == "done", report["verdict"]
        region = report["regions"][0]
        assert sent_of(region) == sent, (ranks, name, n)
        assert max(region["end_s"]) - min(region["begin_s"]) == pytest.approx(time, rel=5e-3), (ranks, name, n)


@pytest.mark.skipif(shutil.which("mpicxx.openmpi") is None, reason="needs Open MPI")
def test_counts_are_those_of_open_mpi(programs, tmp_path):
    real = tmp_path / "real"
    subprocess.run(["mpicxx.openmpi", "-DOMPI_SKIP_MPICXX", "-std=c++20", "-O1", str(PROGRAMS / "allreduce.cpp"), "-o",
                    str(real)], check=True)
    for ranks, name, n in ((5, "ring", 13), (3, "rab", 100), (5, "rd", 7)):
        done = subprocess.run(["mpirun.openmpi", "--oversubscribe", "-np", str(ranks), str(real), name, str(n)],
                              capture_output=True, text=True, check=True, env={**os.environ, **OPEN_MPI}, timeout=120)
        assert sent_of(run(programs / "allreduce", ranks, name, str(n))[1]["regions"][0]) == lines_of(done.stdout)[1]


@pytest.mark.parametrize("name", ["ring", "ps_any", "overlap"])
def test_the_report_is_the_same_on_every_run(programs, name):
    reports = {run(programs / "allreduce", 7, name, "1001", options=("--timeline",))[0] for _ in range(4)}
    assert len(reports) == 1 and '"state":"done"' in reports.pop()


ATTACKS = {"none": "done", "writes_a_file": "forbidden", "shared_memory": "forbidden", "system_v": "forbidden",
           "shared_mapping": "forbidden", "signal": "forbidden", "thread_signal": "forbidden", "raw_call": "forbidden",
           "reads_memory": "forbidden", "forks": "forbidden", "thread": "forbidden", "starts_a_program": "forbidden",
           "limits_another": "forbidden", "own_handler": "forbidden", "sleeps": "forbidden", "wrong_peer": "protocol",
           "negative_peer": "protocol", "negative_size": "protocol", "huge_size": "protocol", "huge_slot": "protocol",
           "huge_list": "protocol", "unknown_frame": "protocol", "foreign_communicator": "protocol",
           "unknown_request": "protocol", "clock_back": "protocol", "clock_nan": "protocol", "asks_twice": "protocol",
           "half_a_frame": "ended", "floods": "protocol", "floods_messages": "protocol", "floods_output": "output",
           "closes_region": "protocol", "exits_early": "ended", "fails": "ended", "aborts": "ended", "crashes": "ended",
           "never_ends": "timeout", "waits_for_nothing": "timeout", "takes_memory": "ended"}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gains_nothing_and_is_named(programs, name):
    processor = "1" if name == "never_ends" else "60"
    wall = "1" if name == "waits_for_nothing" else "60"
    _, report = run(programs / "attack", 3, name, options=("--cpu", processor, "--wall", wall, "--memory-mb", "100", "--held-mb", "64"))
    verdict = report["verdict"]
    assert verdict["state"] == ATTACKS[name], verdict
    assert verdict["rank"] == (None if name == "none" else 1), verdict


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="arm64 kernels before 6.12 cannot take the clock away")
@pytest.mark.skipif(not refuses_the_clock(), reason="this machine lets every process read the processor's clock")
def test_a_rank_has_no_clock(programs):
    verdict = run(programs / "attack", 3, "reads_a_clock")[1]["verdict"]
    assert verdict["state"] == "forbidden" and "MPI_Wtime is the only clock" in verdict["message"]


@pytest.mark.parametrize("level", [one for one in LEVELS if one <= sandbox.detect().level])
def test_the_ranks_reach_the_router_on_every_level_of_the_sandbox(programs, level, monkeypatch):
    monkeypatch.setenv("HPML_SANDBOX_LEVEL", level)
    monkeypatch.setattr(sandbox, "detect", sandbox.detect.__wrapped__)
    done = relay.launch(programs / "allreduce", 3, ["tree", "100"], LIMITS)
    assert (done.state, done.problem) == ("exit", "")


@pytest.mark.skipif(sandbox.detect().bwrap is None, reason="bubblewrap does not work here")
def test_the_ranks_run_in_the_sandbox_and_the_router_outside(programs):
    done = relay.launch(programs / "allreduce", 5, ["tree", "100"], LIMITS)
    assert (done.state, done.problem) == ("exit", "")
    assert done.report["messages"] == 8
    assert relay.launch(programs / "attack", 3, ["forks"], LIMITS).state == "policy"


@pytest.mark.skipif(sandbox.detect().bwrap is None, reason="bubblewrap does not work here")
def test_a_rank_is_told_its_own_value_and_no_other(programs):
    done = relay.launch(programs / "attack", 3, ["shows_its_environment"], LIMITS, env={"HPML_OWN": "17,42,99"})
    assert done.state == "exit"
    assert [one["stdout"] for one in done.report["per_rank"]] == ["", "HPML_OWN=42\n", ""]


def test_a_program_with_shared_libraries_is_refused_in_one_line(tmp_path):
    done = subprocess.run([build_dir() / "bin/hpml-relay", "-n", "2", "--latency", "1", "--bandwidth", "1", "--report",
                           str(tmp_path / "r"), "--", "/bin/true"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "link it with -static" in done.stderr


def test_runs_side_by_side_have_processors_of_their_own():
    with contextlib.ExitStack() as held:
        words = [held.enter_context(relay._one_processor()) for _ in range(len(os.sched_getaffinity(0)) + 1)]
    numbers = [number for *_, number in filter(None, words)]
    assert len(numbers) == len(set(numbers)) and not words[-1]
    with pytest.raises(OSError), relay._one_processor():
        raise OSError  # what fails in a run is not taken for a lock that is held
