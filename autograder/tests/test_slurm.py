"""Are the records the same from this machine, one node, two nodes and a node that dies while it grades?"""
import shutil
import subprocess
import time

import pytest
import slurm_kit
from class_kit import GRADER, Class
from slurm_kit import Slurm

pytestmark = pytest.mark.skipif(bool(slurm_kit.why_not()), reason=f"no Slurm here: {slurm_kit.why_not()}")


@pytest.fixture(scope="module")
def slurm():
    cluster = Slurm()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


class SlurmClass(Class):
    """A class whose hpml talks to the test's Slurm."""

    def __init__(self, folder, cluster: Slurm) -> None:
        super().__init__(folder)
        self.cluster = cluster

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "SLURM_CONF": str(self.cluster.config), "PATH": slurm_kit.SEARCH}

    def batch(self, *arguments: str) -> list[str]:
        return self.command("batch", str(self.sub), "--out", str(self.out), "--lab", "lab3", "--grader", GRADER, "--cuda",
                            "clang", "--slurm", "--chunk", "3", *arguments)


@pytest.fixture
def klass(tmp_path, slurm):
    made = SlurmClass(tmp_path, slurm)
    for number in range(12):
        made.add(f"s{number:02}", f"points {500 * number}" if number % 3 else "sleep 0.3", f"// {number}\n")
    return made


@pytest.fixture
def expected(klass):
    assert klass.grade().returncode == 0
    texts = klass.texts()
    shutil.rmtree(klass.out)
    (klass.tmp / "graded.log").unlink()
    return texts


def run(klass, *arguments):
    return subprocess.run(klass.batch(*arguments), env=klass.environment(), capture_output=True, text=True, check=False,
                          timeout=400)


@pytest.mark.parametrize("nodes", [("n1",), ("n1", "n2")])
def test_records_are_those_of_this_machine(klass, expected, slurm, nodes):
    slurm.only(*nodes)
    done = run(klass, "--wait")
    assert done.returncode == 0, done.stderr
    assert klass.texts() == expected and len(klass.graded()) == 12
    again = run(klass, "--wait")
    assert again.returncode == 0 and "0 hand-ins to grade" in again.stdout and len(klass.graded()) == 12


def test_the_end_runs_as_a_job_of_its_own(klass, expected, slurm):
    slurm.only("n1", "n2")
    assert run(klass).returncode == 0
    slurm.wait_for(lambda: (klass.out / "grades.csv").exists() and not slurm.run("squeue", "--noheader"), "jobs")
    assert klass.texts() == expected


def test_a_node_that_dies_loses_nothing(klass, slurm):
    slurm.only("n1", "n2")
    klass.add("s00", "sleep 4", "// 0\n")  # graded when the node goes
    child = subprocess.Popen(klass.batch("--wait"), env=klass.environment(), stdout=subprocess.PIPE, text=True)
    try:
        slurm.wait_for(lambda: "sleep 4" in klass.graded(), "grading")
        node = slurm.run("squeue", "--noheader", "--states=RUNNING", "--format=%N %K").split("\n")
        victim = next(line.split()[0] for line in node if line.endswith(" 0"))
        slurm.kill_node(victim)
        slurm.wait_for(lambda: "PD" in slurm.run("squeue", "--noheader", "--format=%t") or child.poll() is not None, "requeue")
        end = time.monotonic() + 200
        while child.poll() is None and time.monotonic() < end:
            for job in slurm.run("squeue", "--noheader", "--array", "--states=PENDING", "--format=%i").split():
                slurm.run("scontrol", "update", f"jobid={job}", "starttime=now")  # Slurm waits two minutes by itself
            time.sleep(0.5)
        assert child.wait(timeout=10) == 0
    finally:
        child.kill()
        child.wait()
        slurm.start_node(victim)
        slurm.run("scontrol", "update", f"nodename={victim}", "state=resume")
    assert klass.graded().count("sleep 4") == 2  # begun on the dead node, ended on the other
    texts = klass.texts()
    shutil.rmtree(klass.out)
    assert klass.grade().returncode == 0 and klass.texts() == texts


def test_without_slurm_it_says_what_to_do(klass):
    environment = {**klass.environment(), "PATH": "/nowhere"}
    done = subprocess.run(["/usr/bin/python3", *klass.batch()], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "sbatch is not installed here; without --slurm" in done.stderr
