"""Whatever a program prints or hands over as its result, a judge has a verdict: one that fails on it would leave the
hand-in pending for ever, as our fault."""
import random
import re
from dataclasses import replace

import pytest
from hpml_autograder import pipeline
from hpml_autograder.answers import read_table
from hpml_autograder.case import Run
from hpml_autograder.check import load_checks
from hpml_autograder.paths import find_lab, known_labs
from hpml_autograder.verdict import Verdict

WORDS = ("9" * 5000, "-1", "nan", "inf", "1e999", "", "-0", "\0", "\ufffd", "٣", "²", "9" * 25 + ".5", "0x10", "[", '{"a":')
ROUNDS = 6


def damaged_text(text: str, draw: random.Random) -> str:
    lines = text.splitlines() or [""]
    for _ in range(draw.randint(1, 3)):
        at, words = draw.randrange(len(lines)), draw.choice(WORDS)
        parts = lines[at].split(" ")
        parts[draw.randrange(len(parts))] = words
        lines[at] = draw.choice([words, " ".join(parts), lines[at] + words, "\n".join([lines[at]] * 2)])
    return "\n".join(lines) + "\n"


def damaged(run: Run, draw: random.Random, folder) -> Run:
    if run.dump is None or draw.random() < 0.5:
        return replace(run, stdout=damaged_text(run.stdout, draw))
    data = run.dump.read_bytes()
    path = folder / "dump.bin"
    path.write_bytes(draw.choice([data[:len(data) // 2], data[:-1], data + b"abc", data * 2, b"\xff" * len(data),
                                  draw.randbytes(min(len(data), 1 << 16)), b"1"]))
    return replace(run, dump=draw.choice([path, path, path, None]))


def graded_with_its_lab(lab: str):
    """In the process that has graded the lab's solution already."""
    return pytest.param(lab, marks=pytest.mark.xdist_group(f"grading {lab}"))


@pytest.mark.parametrize("lab", map(graded_with_its_lab, known_labs()))
def test_no_judge_fails_on_what_a_program_leaves(lab, solution_of, tmp_path):
    graded, draw = solution_of(lab), random.Random(3)
    checks = load_checks(graded.dirs.lab, graded.spec)
    plans = pipeline.plans_of(graded.tests, checks, graded.context)
    looked_at = 0
    for test in graded.tests * ROUNDS:
        runs = [graded.runner.runs[case] for case in plans[test.id]]
        own = [at for at, run in enumerate(runs) if graded.spec.find_program(run.case.program).sources]
        if not own:  # written answers, and what a process of ours says
            continue
        at = draw.choice(own)
        runs[at] = damaged(runs[at], draw, tmp_path)
        found = checks[test.generator].judge(test, graded.context, runs)
        assert found.verdict in Verdict and len(found.detail) < 2000, test.id
        looked_at += 1
    assert looked_at > 50


@pytest.mark.xdist_group("grading lab3")
def test_a_result_that_is_missing_is_never_right(solution_of, tmp_path):
    """Where a test looks at a result, no printed word stands for it."""
    graded = solution_of("lab3")
    checks = load_checks(graded.dirs.lab, graded.spec)
    plans = pipeline.plans_of(graded.tests, checks, graded.context)
    for test in graded.tests:
        runs = [graded.runner.runs[case] for case in plans[test.id]]
        if test.kind != "correct" or not any(run.dump for run in runs):
            continue
        for printed in ({}, {"stdout": "122756344698240,1.000\n"}):  # the checksum of part C's largest size
            without = [replace(run, dump=None, **printed) for run in runs]
            assert checks[test.generator].judge(test, graded.context, without).verdict is Verdict.WA, test.id


VALUES = ("nan", "-inf", "1e999", "9" * 5000, "99999999999999999999", "-9223372036854775808", "[]", "{}", "[[]]", "true",
          '"\\u0000"', "'x'", "2020-01-01", "00:00:00", "[" * 200 + "]" * 200, "[" * 5000 + "]" * 5000, '"' + "y" * 60000 + '"',
          "{ a = { a = { a = 1 } } }", "[[1], 2, 'a', {b = 3}]", "0x7fffffffffffffff", "-0.0", "1e308", "=")


@pytest.mark.parametrize("lab", [graded_with_its_lab(lab) for lab in known_labs()
                                 if (find_lab(lab).src / "answers.toml").is_file()])
def test_no_judge_fails_on_what_is_written_into_the_answers(lab, solution_of, tmp_path):
    graded, draw = solution_of(lab), random.Random(4)
    text = (graded.dirs.solution / "answers.toml").read_text(encoding="utf-8")
    checks = load_checks(graded.dirs.lab, graded.spec)
    context = replace(graded.context, src=tmp_path)
    quizzes = [test for test in graded.tests if test.exercise in
               {one.id for one in graded.spec.exercise if one.file == "answers.toml"} or test.kind == "quiz"]
    lines = [at for at, line in enumerate(text.splitlines()) if re.match(r"[\w\"]", line)]
    assert len(quizzes) > 2 and len(lines) > 5
    for at in lines:
        changed = text.splitlines()
        changed[at] = re.split(r"=", changed[at])[0] + "= " + draw.choice(VALUES)
        (tmp_path / "answers.toml").write_text("\n".join(changed), encoding="utf-8")
        for test in quizzes:
            planned = [graded.runner.resolve(case) for case in checks[test.generator].plan(test, context)]
            runs = [graded.runner.runs[case] for case in planned if case in graded.runner.runs]
            if len(runs) == len(planned):  # else for another GPU
                assert len(checks[test.generator].judge(test, context, runs).detail) < 200_000, test.id


@pytest.mark.parametrize("content, words", [
    (b"a = " + b"[" * 1500 + b"]" * 1500, "too deep"), (b"a = " + b"9" * 3900, "64 bits"), (b"a = 9223372036854775808", "64 bits"),
    (b"a = nan", "infinite"), (b"a = [[1e999]]", "infinite"), (b"a = 1\na = 2", "overwrite"), (b"\xff", "utf-8"), (b"a = ", "Invalid value"),
    (b"x" * 300 + b" = 1", "letters"), (b".".join([b"a"] * 1000) + b" = 1", "too deep"),
    (b".".join([b"a"] * 30000) + b" = 1", "4000 bytes"), (b"", "expected schema"),
    (b"[schema]", "expected schema"), (b"schema = 's'", None), (b"schema = 's'\na = -9223372036854775808", None)])
def test_answers_are_a_table_of_moderate_size_or_a_sentence(content, words, tmp_path):
    (tmp_path / "answers.toml").write_bytes(content)
    found = read_table(tmp_path, "s")
    assert isinstance(found, dict) if words is None else words in found and len(found) < 400
    assert read_table(tmp_path / "none", "s") == "answers.toml is missing"
