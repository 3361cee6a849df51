import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "quizzes"), str(Path(__file__).resolve().parent)]

from hpml_quizzes import load, models, quiz  # noqa: E402


@pytest.fixture(scope="session")
def bank():
    return load.load_bank()


@pytest.fixture(scope="session")
def sets(bank):
    return quiz.load_sets(bank)


@pytest.fixture(scope="session")
def solver():
    client = models.Models()
    yield client
    client.close()


@pytest.fixture(scope="session")
def quiz1(sets, solver):
    return quiz.draw_quiz(sets["quiz1"], solver, "public", "v1")
