"""The commands of slurm.md run on a Slurm of two nodes, and give the CSV that the page shows."""
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LAB = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(LAB.parent.parent / "autograder" / "tests"), str(LAB / "cluster")]
import lines_to_csv  # noqa: E402
import slurm_kit  # noqa: E402


def test_lines_of_the_ranks_become_the_slowest_ranks_time():
    line = '0 json {"operation":"ring","n":10,"calls":4,"hash":1,"seconds":%s}\n'
    assert lines_to_csv.rows([line % "0.2", "noise\n", line % "0.4"]) == ["algorithm,ranks,bytes,seconds", "ring,2,40,0.1"]


def commands_of_the_page() -> tuple[list[str], list[str]]:
    """Words of the first sbatch, and the CSV's first line and algorithms, as slurm.md shows them."""
    shown = [line.strip() for line in (LAB / "slurm.md").read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
    head = next(number for number, line in enumerate(shown) if line.startswith("cat ring.csv"))
    submit = next(line for line in shown if line.startswith("sbatch "))
    return submit.partition("#")[0].split(), shown[head + 1:head + 4]


def why_not() -> str:
    return slurm_kit.why_not() or ("" if shutil.which("mpicxx") and shutil.which("srun") else "needs Open MPI and srun")


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_the_job_script_times_a_ring_on_two_nodes(tmp_path):
    slurm = slurm_kit.Slurm()
    for node in ("n1", "n2"):  # both are this machine: PMIx needs a folder of its own on each
        (slurm.folder / f"tmp-{node}").mkdir()
    with slurm.config.open("a", encoding="utf-8") as config:
        config.write(f"TmpFS={slurm.folder}/tmp-%n\n")
    try:
        slurm.start()
        if "pmix" not in slurm.run("bash", "-c", "srun --mpi=list 2>&1"):
            pytest.skip("this Slurm has no PMIx")
        place = tmp_path / "lab4"  # ring.csv is written where the job is submitted
        for name in ("src", "cluster"):
            shutil.copytree(LAB / name, place / name)
        solution = LAB.parent.parent / "solutions" / LAB.name
        environment = {**slurm.environment, "HPML_SRC": str(solution), "HPML_CELLS": "ring:1000:3 mpi:1000:3",
                       "OMPI_MCA_btl": "self,tcp", "OMPI_MCA_btl_tcp_if_include": "lo", "OMPI_MCA_mpi_yield_when_idle": "1"}
        (sbatch, *words), csv = commands_of_the_page()
        done = subprocess.run([sbatch, "--wait", "--output=job.out", *words], cwd=place, env=environment, capture_output=True,
                              text=True, check=False, timeout=300)
        said = (place / "job.out").read_text(encoding="utf-8") if (place / "job.out").is_file() else ""
        logs = "".join(path.read_text(errors="replace")[-1500:] for path in slurm.folder.glob("n*.out"))
        assert done.returncode == 0, done.stderr + said + logs
        head, *rows = (place / "ring.csv").read_text(encoding="utf-8").splitlines()
    finally:
        slurm.stop()
    assert head == csv[0] == "algorithm,ranks,bytes,seconds"
    assert [row.rsplit(",", 1)[0] for row in rows] == ["ring,4,4000", "mpi,4,4000"]
    assert [row.split(",")[0] for row in rows] == [row.split(",")[0] for row in csv[1:]]
    assert all(float(row.rsplit(",", 1)[1]) > 0 for row in rows)
