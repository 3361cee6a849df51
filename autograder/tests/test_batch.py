"""Does a batch give one record each, do nothing twice, lose nothing when it is killed, and never call a failure zero?"""
import contextlib
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from class_kit import GRADER, Class
from hpml_autograder import cgroup
from hpml_autograder.paths import ROOT
from hpml_autograder.record import canonical, seal
from hpml_class.batch import handins


@pytest.fixture
def klass(tmp_path):
    return Class(tmp_path)


def test_one_record_each_and_a_second_run_does_nothing(klass):
    for number in range(4):
        klass.add(f"s{number}", f"points {1000 * number}")
    first = klass.grade()
    assert first.returncode == 0, first.stderr
    assert {name: record["total_millipoints"] for name, record in klass.records().items()} == {
        f"s{number}": 1000 * number for number in range(4)}
    assert [path.name for path in klass.tmp.iterdir()] == ["graded.log"]  # nothing is left of the grading
    before, graded = klass.texts(), klass.graded()
    (klass.out / "students/s0/.record.json.k4dx_7ab.part").write_text("{")  # as one that was killed leaves it
    again = klass.grade()
    assert again.returncode == 0 and "4 of 4 are graded already" in again.stderr
    assert klass.texts() == before and klass.graded() == graded


def test_only_what_changed_is_graded_again(klass):
    klass.add("ann", "points 1000")
    klass.add("bob", "points 2000")
    klass.grade()
    klass.add("bob", "points 3000")
    klass.grade()
    assert klass.graded()[2:] == ["points 3000"]
    assert klass.records()["bob"]["total_millipoints"] == 3000


def test_equal_hand_ins_are_graded_once_and_named_apart(klass):
    klass.add("ann", "points 1000")
    klass.add("bob", "points 1000")
    klass.grade("--jobs", "2")
    assert len(klass.graded()) == 1
    assert {record["submission"]["id"] for record in klass.records().values()} == {"ann", "bob"}


def test_a_failure_of_ours_is_pending_is_tried_again_and_never_zero(klass):
    klass.add("ann", "points 1000")
    klass.add("bob", "infra")
    klass.add("cyd", "crash")
    done = klass.grade()
    assert done.returncode == 3 and "2 could not be graded" in done.stdout
    records = klass.records()
    for name in ("bob", "cyd"):
        assert records[name]["status"] == "infra_error"
        assert {test["verdict"] for test in records[name]["tests"]} == {"XX"}
    assert "bob: the disk is full" in done.stderr and "cyd: the worker was killed by signal 9" in done.stderr
    klass.add("bob", "points 500")
    assert klass.grade().returncode == 3 and klass.records()["bob"]["total_millipoints"] == 500


def test_what_changes_while_it_is_graded_is_graded_again(klass):
    """Its record would else stand in the store under the files that it was."""
    klass.add("ann", "swap")
    klass.add("bob", "points 5000")
    klass.grade("--jobs", "1")
    assert {record["total_millipoints"] for record in klass.records().values()} == {5000}
    assert len(list((klass.out / ".graded").glob("*.json"))) == 1


def test_a_worker_that_dies_once_is_started_again(klass):
    klass.add("ann", f"once {klass.tmp / 'flag'}")
    assert klass.grade().returncode == 0 and len(klass.graded()) == 2


def test_a_later_failure_keeps_the_earlier_record(klass):
    klass.add("ann", "points 1000")
    klass.grade()
    before = klass.records()["ann"]
    klass.add("ann", "infra")
    done = klass.grade()
    assert "1 kept an earlier, better record" in done.stdout
    assert klass.records()["ann"] == before


def test_an_endless_worker_is_stopped(klass):
    klass.add("ann", "sleep 600")
    done = klass.grade("--timeout", "2")
    assert done.returncode == 3 and "no result within 2 s" in done.stderr
    assert len(klass.graded()) == 1  # a second time would take as long


def test_inconclusive_is_tried_three_times_then_left_to_a_human(klass):
    klass.add("ann", "pending")
    for _ in range(4):
        done = klass.grade()
    assert len(klass.graded()) == 3 and done.returncode == 0 and "1 pending" in done.stdout


def test_archives_wrappers_and_hostile_archives(klass):
    klass.add("dir", "points 1000")
    with zipfile.ZipFile(klass.sub / "zipped.zip", "w") as file:
        file.writestr("hw/src/vecaddcpu.cpp", "points 2000\n")
    with tarfile.open(klass.sub / "tarred.tar.gz", "w:gz") as file:
        file.add(klass.sub / "dir", "labs/lab3_cuda/src")
    with zipfile.ZipFile(klass.sub / "slip.zip", "w") as file:
        file.writestr("../vecaddcpu.cpp", "points 2000\n")
    os.symlink("/etc", klass.sub / "link")
    (klass.sub / "notes.txt").write_text("no hand-in", encoding="utf-8")
    done = klass.grade()
    assert done.returncode == 0, done.stderr
    records = klass.records()
    assert {name: record["total_millipoints"] for name, record in records.items()} == {
        "dir": 1000, "zipped": 2000, "tarred": 1000, "slip": 0, "link": 0}
    for name in ("slip", "link"):
        assert {test["verdict"] for test in records[name]["tests"]} == {"PV"}
    assert not list(klass.tmp.rglob("vecaddcpu.cpp"))


def test_odd_names_are_kept_apart_and_harmless(klass):
    for name in ("a\nb", "a b", "--lab", "\u202elab", "x" * 200, "a;rm -rf"):
        klass.add(name, f"points {100 + len(name)}")
    raw = os.fsencode(klass.sub) + b"/\xff\xfe"
    shutil.copytree(os.fsencode(klass.sub / "a b"), raw)
    done = klass.grade()
    assert done.returncode == 0 and "'a;rm -rf' is called a_rm_rf-" in done.stdout and "'\\u202elab' is called lab-" in done.stdout
    names = sorted(path.name for path in (klass.out / "students").iterdir())
    assert len(names) == 7 and "a b" in names
    assert all(handins.is_safe(name) and name.isascii() and len(name) <= handins.LONGEST_NAME for name in names)


def test_students_keep_their_names_and_no_two_share_one(klass):
    """Müller twice, in the two forms that Unicode has for it, is two hand-ins; Li Lei's is an archive."""
    composed, decomposed = "M\u00fcller, Se\u00e1n", "Mu\u0308ller, Sea\u0301n"
    klass.add(composed, "points 1000")
    klass.add(decomposed, "points 2000")
    with zipfile.ZipFile(klass.sub / "李雷.zip", "w") as archive:
        archive.writestr("vecaddcpu.cpp", "points 3000\n")
    (klass.sub / "receipts.csv").write_text(f'handin,received_at\n"{decomposed}",2026-11-20T00:00:00Z\n', encoding="utf-8")
    done = klass.grade()
    assert done.returncode == 0, done.stderr
    points = {name: record["total_millipoints"] for name, record in klass.records().items()}
    (other,) = set(points) - {composed, "李雷"}
    assert sorted(points.values()) == [1000, 2000, 3000] and points["李雷"] == 3000
    assert other.startswith(f"{composed}-") and f"is called {other} here" in done.stdout
    assert klass.records()[composed]["submission"]["received_at"] == "2026-11-20T00:00:00Z"
    rows = {row["id"]: row for row in csv.DictReader((klass.out / "grades.csv").read_text(encoding="utf-8").splitlines())}
    assert set(rows) == set(points)
    for name in ("feedback.md", "feedback.html"):
        assert f"feedback for {composed}" in (klass.out / "students" / composed / name).read_text(encoding="utf-8")
    assert composed in (klass.out / "report.html").read_text(encoding="utf-8")
    doubled = klass.hpml("grade", str(klass.sub / composed), str(klass.sub / decomposed), "--out", str(klass.out), "--lab", "lab3",
                         "--grader", GRADER)
    assert doubled.returncode == 2 and f"two hand-ins are called '{composed}'" in doubled.stderr


def kill_tree(child: subprocess.Popen) -> None:
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def add_six(klass) -> None:
    """No machine is through with them before the first kill."""
    for number in range(6):
        klass.add(f"s{number}", "sleep 0.4" if number % 2 else f"points {1000 * number}", f"// {number}\n")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, str]:
    """What the six give when nobody kills the batch."""
    klass = Class(tmp_path_factory.mktemp("undisturbed"))
    add_six(klass)
    assert klass.grade().returncode == 0
    return klass.texts()


@pytest.mark.parametrize("seed", range(8))
def test_kill_9_at_any_time_loses_nothing(klass, undisturbed, seed):
    """Killed at random moments until it gets through: the same bytes as without, and every record whole on the way."""
    draw = random.Random(seed)
    add_six(klass)
    command = klass.command("grade", str(klass.sub), "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER,
                            "--cuda", "clang", "--jobs", "2")
    kills = 0
    while True:
        child = subprocess.Popen(command, env=klass.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        try:
            status = child.wait(timeout=draw.uniform(0.3, 0.6) * (1.7 ** kills))
        except subprocess.TimeoutExpired:
            kill_tree(child)
            kills += 1
            klass.records()  # whatever is there can be read
            continue
        assert status == 0
        break
    assert klass.texts() == undisturbed and kills > 0


def test_no_worker_outlives_a_killed_batch(klass):
    klass.add("ann", "sleep 600")
    child = subprocess.Popen(klass.command("grade", str(klass.sub), "--out", str(klass.out), "--lab", "lab3", "--grader",
                                           GRADER, "--cuda", "clang"), env=klass.environment(),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while not klass.graded():
        assert child.poll() is None
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    for _ in range(200):
        alive = subprocess.run(["pgrep", "-f", f"hpml_class.batch.worker {klass.out}"], capture_output=True, check=False)
        if alive.returncode != 0:
            return
        time.sleep(0.05)
    raise AssertionError("the worker is still there")


def processes(klass) -> dict[int, str]:
    """Those of a batch: its own, its workers, and what hangs in their sandboxes. A sandbox holds the words as well."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().decode("utf-8", "replace").replace("\0", " ")
            if str(klass.folder) in words:
                found[int(path.parent.name)] = words
    return found


def left_behind(klass, makers: dict[int, str]) -> list[str]:
    """Processes, control groups and temporary files of a batch that has ended."""
    groups = [group for root in cgroup.hierarchy().roots for maker in makers
              for group in root.glob(f"{cgroup.PREFIX}{maker}-*")]
    return [*processes(klass).values(), *map(str, groups), *map(str, klass.tmp.glob("hpml-*"))]


def hanging(klass) -> int:
    return sum(words.startswith("/bin/sh ") for words in processes(klass).values())


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_batch_ends_soon_leaves_nothing_and_goes_on_later(klass, told):
    flag = klass.tmp / "flag"
    for number in range(3):
        klass.add(f"s{number}", f"hang {flag}", f"// {number}\n")
    command = klass.command("batch", str(klass.sub), "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER,
                            "--cuda", "clang", "--jobs", "2")
    child = subprocess.Popen(command, env=klass.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             # who runs in the background of a shell inherits that it is ignored
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        while hanging(klass) < 2:
            assert child.poll() is None
            time.sleep(0.05)
        before = processes(klass)
        child.send_signal(told)
        _, said = child.communicate(timeout=60)
    finally:
        child.kill()
    assert said.endswith("hpml batch: interrupted; the same command goes on from here\n") and child.returncode == 3
    assert left_behind(klass, before) == [] and len(klass.graded()) == 2 and not list(klass.out.rglob("*.problem"))
    flag.touch()
    done = subprocess.run(command, env=klass.environment(), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert sorted(klass.records()) == ["s0", "s1", "s2"] and len(klass.graded()) == 5


def test_receipts_make_hand_ins_late_and_choose_the_one_that_counts(klass):
    klass.add("ann-1", "points 1000")
    klass.add("ann-2", "points 2000")
    klass.add("bob", "points 3000")
    (klass.sub / "receipts.csv").write_text("handin,received_at,student\nann-1,2026-11-20T23:59:00Z,ann\n"
                                            "ann-2,2026-11-23T00:00:00Z,ann\nbob,2026-11-20T23:59:01Z,bob\n", encoding="utf-8")
    (klass.sub / "course.toml").write_text('schema = "hpml.course/v1"\n[due]\nlab3 = 2026-11-20T23:59:00Z\n[late]\n'
                                           'policy = "percent_per_day"\npercent = 20\n', encoding="utf-8")
    assert klass.grade().returncode == 0
    rows = {row["id"]: row for row in csv.DictReader((klass.out / "grades.csv").read_text().splitlines())}
    assert (rows["ann"]["total"], rows["ann"]["late"]) == ("1.000", "0.000")  # 2000 less 60 % is less
    assert (rows["bob"]["total"], rows["bob"]["late"]) == ("2.400", "-0.600")
    assert klass.records()["bob"]["late"] == {"days": 1, "deduction_millipoints": 600, "reason":
                                              "1 late day: received 2026-11-20T23:59:01Z, due 2026-11-20T23:59:00Z"}


def test_receipts_and_extensions_that_belong_to_nobody_are_named(klass):
    for name in ("ann", "bob"):
        klass.add(name, "points 1000")
    (klass.sub / "receipts.csv").write_text("handin,received_at\nann,2026-11-20T00:00:00Z\nbobb,2026-11-20T00:00:00Z\n", encoding="utf-8")
    (klass.sub / "extensions.csv").write_text("student,lab,due_at\nanne,lab3,2026-11-22T00:00:00Z\n", encoding="utf-8")
    done = klass.grade()
    for words in ("no receipt for bob: not counted as late", "hand-ins that are not there: bobb", "handed in nothing: anne"):
        assert words in done.stdout and words in done.stderr.split("graded 1")[0]   # before the work and after it


def test_two_versions_of_the_compiler_of_record_are_named(klass):
    klass.add("ann", "compiler clang 14.0.6")
    klass.add("bob", "compiler clang 14.0.6\n")
    assert "same compiler" not in klass.grade().stdout
    klass.add("cy", "compiler clang 16.0.1")
    assert "not all compiled by the same compiler, so their counters may differ: clang 14.0.6 (2), clang 16.0.1 (1)" in klass.grade().stdout


def test_a_due_time_without_any_receipt_is_named(klass):
    klass.add("ann", "points 1000")
    (klass.sub / "course.toml").write_text('schema = "hpml.course/v1"\n[due]\nlab3 = 2026-11-20T23:59:00Z\n[late]\npolicy = "cutoff"\n',
                                           encoding="utf-8")
    assert "lab3 has a due time, and no receipts.csv says when hand-ins came: nobody is counted as late" in klass.grade().stdout


@pytest.mark.parametrize("arguments, words", [
    (("--key-file", "/nonexistent"), "key file"), (("--course", "/nonexistent"), "/nonexistent"),
    (("--lab", "lab9"), "there is no lab 'lab9'"), (("--gpu", "t5"), "there is no simulated GPU 't5'"),
    (("--jobs", "0"), "give at least 1"), (("--timeout", "-1"), "--timeout -1")])
def test_bad_input_is_one_line_before_any_work(klass, arguments, words):
    klass.add("ann", "points 1000")
    done = klass.grade(*arguments)
    assert done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1
    assert klass.graded() == []


def test_make_grade_names_its_variables():
    done = subprocess.run(["make", "-C", str(ROOT), "grade"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "make grade SUB=folder-of-hand-ins OUT=folder-for-results" in done.stderr


def test_a_git_repository_is_graded_and_none_of_its_hooks_runs(klass):
    klass.add("repo", "points 700")
    os.symlink("/etc/shadow", klass.sub / "repo" / "vecaddgpu00.cu")
    git = ["git", "-C", str(klass.sub / "repo"), "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *arguments], check=True)
    url = f"file://{klass.sub / 'repo'}"
    done = klass.hpml("grade", url, "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER, "--cuda", "clang")
    assert done.returncode == 0, done.stderr
    assert klass.records()["repo"]["total_millipoints"] == 700
    assert not (klass.out / "clones/repo/vecaddgpu00.cu").is_symlink()
    gone = klass.hpml("grade", url + "-gone", "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER)
    assert gone.returncode == 2 and "cannot clone" in gone.stderr and gone.stderr.count("\n") == 1


def commit(folder: Path, tree: str) -> None:
    """A repository whose newest commit has this tree."""
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    made = subprocess.run([*git, "commit-tree", "-m", "one", tree], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([*git, "update-ref", "HEAD", made], check=True)


def git_object(folder: Path, kind: str, *content: str) -> str:
    words = ["mktree"] if kind == "tree" else ["hash-object", "-w", "--stdin"]
    return subprocess.run(["git", "-C", str(folder), *words], input="\n".join(content), check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("bomb", ["many files", "large file"])
def test_a_repository_that_unpacks_to_very_much_is_refused_and_the_others_are_graded(klass, bomb):
    repository = klass.sub.parent / "bomb"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    if bomb == "many files":
        tree = git_object(repository, "tree", *(f"100644 blob {git_object(repository, 'blob', 'x')}\tf{i}" for i in range(10)))
        for _ in range(9):
            tree = git_object(repository, "tree", *(f"040000 tree {tree}\td{i}" for i in range(10)))
    else:
        tree = git_object(repository, "tree", f"100644 blob {git_object(repository, 'blob', '0' * (130 << 20))}\tvecaddgpu00.cu")
    commit(repository, tree)
    klass.add("ann", "points 300")
    done = klass.hpml("grade", f"file://{repository}", str(klass.sub / "ann"), "--out", str(klass.out), "--lab", "lab3", "--grader", GRADER,
                      "--cuda", "clang")
    assert done.returncode == 0, done.stderr
    records = klass.records()
    assert records["ann"]["total_millipoints"] == 300 and records["bomb"]["total_millipoints"] == 0
    assert "the repository has more than" in json.dumps(records["bomb"])
    assert not (klass.out / "clones/bomb").exists()


def test_an_edited_record_is_neither_kept_nor_exported(klass):
    klass.add("ann", "points 300")
    klass.grade()
    path = klass.out / "students/ann/record.json"
    honest = path.read_text(encoding="utf-8")
    record = json.loads(honest)
    test = next(test for test in record["tests"] if test["millipoints"] + 100 <= test["max_millipoints"])
    test["millipoints"] += 100
    record["total_millipoints"] += 100
    path.write_text(json.dumps(record), encoding="utf-8")
    done = klass.hpml("emit", "csv", str(path))
    assert done.returncode == 2 and "it was edited" in done.stderr and done.stderr.count("\n") == 1
    klass.grade()
    assert path.read_text(encoding="utf-8") == honest


def test_a_single_hand_in_has_its_record_on_top(klass):
    done = klass.hpml("grade", "--submission", str(klass.add("ann", "points 100")), "--out", str(klass.out), "--lab", "lab3",
                      "--grader", GRADER, "--cuda", "clang")
    assert done.returncode == 0 and '"total_millipoints": 100,' in (klass.out / "record.json").read_text()
    (klass.sub / "none").mkdir()
    done = klass.hpml("grade", str(klass.sub / "none"), "--out", str(klass.out), "--grader", GRADER)
    assert done.returncode == 2 and "holds no hand-ins" in done.stderr


def test_a_key_that_others_can_read_is_refused(klass):
    klass.add("ann", "points 1000")
    key = klass.tmp / "key"
    key.write_text("k" * 40, encoding="utf-8")
    key.chmod(0o644)
    assert "others may read it" in klass.grade("--key-file", str(key)).stderr
    key.chmod(0o400)
    assert klass.grade("--key-file", str(key)).returncode == 0
    assert klass.records()["ann"]["seed_id"] != "efa1f375"  # that of the public key
    assert "k" * 40 not in "".join(klass.texts().values())


def test_a_record_that_was_sealed_without_the_course_key_is_graded_again_and_not_exported(klass):
    """Anybody can make the hash that a record names; its MAC takes the key."""
    klass.add("ann", "points 1000")
    key = klass.tmp / "key"
    key.write_text("k" * 40, encoding="utf-8")
    key.chmod(0o400)
    assert klass.grade("--key-file", str(key)).returncode == 0
    honest = klass.records()["ann"]
    assert honest["record_mac"]["algorithm"] == "hmac-sha256"
    for path in (next(klass.out.glob(".graded/*.json")), klass.out / "students/ann/record.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        test = next(test for test in record["tests"] if test["millipoints"] + 100 <= test["max_millipoints"])
        test["millipoints"] += 100
        record["total_millipoints"] += 100
        path.write_text(canonical(seal(record) | {"record_mac": record["record_mac"]}), encoding="utf-8")
    done = klass.hpml("emit", "csv", str(klass.out / "students/ann/record.json"), "--key-file", str(key))
    assert done.returncode == 2 and "its MAC does not match" in done.stderr
    assert klass.grade("--key-file", str(key)).returncode == 0
    assert klass.records()["ann"] == honest and len(klass.graded()) == 2
    assert klass.hpml("emit", "csv", str(klass.out / "students/ann/record.json"), "--key-file", str(key)).returncode == 0


def test_many_who_are_alike_in_one_program_are_one_line_of_the_report(klass):
    body = "".join(f"int f{number}(int x) {{ return x * {number} + (x >> {number}) - f(x, y[{number}]); }}\n" for number in range(9))
    for number in range(5):
        klass.add(f"s{number}", "points 100", body if number < 4 else "")
    assert klass.grade().returncode == 0
    summary = json.loads((klass.out / "summary.json").read_text(encoding="utf-8"))
    assert summary["alike_groups"] == [{"file": "vecaddcpu.cpp", "handins": ["s0", "s1", "s2", "s3"]}] and not summary["alike"]
    assert (klass.out / "report.html").read_text(encoding="utf-8").count("4 of 5 hand-ins are alike in vecaddcpu.cpp") == 1
