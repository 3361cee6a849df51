"""Are the Dockerfile's steps read as docker reads them, and can a cell without full marks pass for one with them?"""
import json
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOOLS / "platforms"))
import cells  # noqa: E402
import dockerfile  # noqa: E402
import rootfs  # noqa: E402


def test_the_trees_own_dockerfile_is_understood() -> None:
    steps = dockerfile.parse((TOOLS.parent / "Dockerfile").read_text(encoding="utf-8"))
    assert steps[0].word == "FROM" and steps[-1].word == "CMD" and list(dockerfile.stages(steps)) == ["packages", "check", "build", ""]
    assert any(step.word == "RUN" and "tools/bootstrap tests" in step.text for step in steps)
    assert any(step.word == "COPY" and step.copied() == (["."], ".", {"chown": "student"}) for step in steps)


def test_the_development_container_is_the_image_and_its_user_an_ordinary_one() -> None:
    folder = TOOLS.parent / ".devcontainer"
    told = json.loads((folder / "devcontainer.json").read_text(encoding="utf-8"))
    file, context = ((folder / told["build"][name]).resolve() for name in ("dockerfile", "context"))
    assert (file, context) == (TOOLS.parent / "Dockerfile", TOOLS.parent)
    made = [step.text for step in dockerfile.parse(file.read_text(encoding="utf-8")) if "useradd" in step.text]
    assert any(told["remoteUser"] in text for text in made)


def test_comments_are_left_out_and_continued_lines_are_one() -> None:
    steps = dockerfile.parse("# a\nRUN one && \\\n  # in between\n    two\n\nCOPY a b c/\n")
    assert steps == [dockerfile.Step("RUN", "one &&  two"), dockerfile.Step("COPY", "a b c/")]
    assert steps[1].copied() == (["a", "b"], "c/", {})


def test_a_stage_begins_with_another_and_copies_from_a_third() -> None:
    made = dockerfile.stages(dockerfile.parse("FROM a:1 AS one\nRUN x\nFROM one AS two\nFROM a:1\nCOPY --from=two /p /q\nCOPY --chown=u r s\n"))
    assert {name: steps[0].stage()[0] for name, steps in made.items()} == {"one": "a:1", "two": "one", "": "a:1"}
    assert made["one"][1:] == [dockerfile.Step("RUN", "x")]
    assert rootfs.stages_copied(made[""]) == ["two"]


@pytest.mark.parametrize("text", ["ADD a b", "HEALTHCHECK NONE", "run ls"])
def test_an_instruction_that_is_not_carried_out_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not one of FROM, RUN"):
        dockerfile.parse(text)


@pytest.mark.parametrize("text", ["--link a b", "a"])
def test_a_copy_that_is_not_carried_out_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="COPY"):
        dockerfile.Step("COPY", text).copied()


def outcome(folder: Path, status: int, points: int, verdict: str) -> cells.Result:
    log, record = folder / "log", folder / "lab3.json"
    log.write_text("a table\nsandbox: L1 (what it protects)\nTotal\n", encoding="utf-8")
    record.write_text(json.dumps({"tests": [{"id": "A1", "verdict": verdict}], "total_millipoints": points,
                                  "max_millipoints": 100000}), encoding="utf-8")
    return cells.result(record, status, 1.0, log)


def test_full_marks_are_every_point_every_test_and_status_0(tmp_path: Path) -> None:
    assert outcome(tmp_path, 0, 100000, "AC") == cells.Result("100/100", 1.0, "L1", True)
    assert not outcome(tmp_path, 1, 100000, "AC").full
    assert not outcome(tmp_path, 0, 99500, "AC").full
    assert outcome(tmp_path, 0, 100000, "WA") == cells.Result("100/100", 1.0, "L1; A1 WA", False)


def test_a_cell_that_graded_nothing_says_its_last_line(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("one\nit is broken\n", encoding="utf-8")
    assert cells.result(tmp_path / "none.json", 3, 1.0, tmp_path / "log") == \
        cells.Result("-", 1.0, "status 3: it is broken", False)


def test_what_decides_the_packages_decides_whether_an_image_is_made_again(tmp_path: Path) -> None:
    for name in ("Dockerfile", "tools/bootstrap", "labs/lab1_a/lab.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one", encoding="utf-8")
    first = rootfs.fingerprint(tmp_path)
    (tmp_path / "README.md").write_text("changed", encoding="utf-8")
    assert rootfs.fingerprint(tmp_path) == first
    (tmp_path / "labs/lab1_a/lab.toml").write_text("two", encoding="utf-8")
    assert rootfs.fingerprint(tmp_path) != first


def test_a_container_has_neither_a_network_nor_control_groups_nor_all_rights() -> None:
    words = rootfs.entered(Path("/r"), "container", network=False)
    assert "--unshare-net" in words and words[words.index("/sys/fs/cgroup") - 1] == "--tmpfs" and "CAP_SYS_ADMIN" not in words
    assert "/sys/fs/cgroup" in rootfs.entered(Path("/r"), "whole", network=False)
    assert rootfs.entered(Path("/r"), "chroot", network=True)[-2:] == ["/usr/sbin/chroot", "/mnt"]
