"""The judge's own answers about schedules."""
from dataclasses import replace

import lab4_cost as cost
import lab4_schedule as schedule
import pytest
from lab4_cost import Machine

MACHINE = Machine()


def asked(make, ranks, chunks, size):
    return schedule.Question("", ranks, (size,) * chunks, tuple(make(ranks)), MACHINE)


@pytest.mark.parametrize("make, ranks, chunks, operation", [
    (schedule.ring, 5, 5, "ring"), (schedule.sharded, 6, 6, "ring"), (schedule.doubling, 8, 2, "rd")])
def test_right_schedules_are_valid_and_take_what_the_cost_model_says(make, ranks, chunks, operation):
    found = schedule.answer(asked(make, ranks, chunks, 1000))
    assert (found.valid, found.rank, found.chunk) == (True, -1, -1)
    assert found.seconds == pytest.approx(cost.predict(operation, ranks, 1000 * chunks, MACHINE))


def test_the_server_receives_all_at_a_time_over_one_port():
    found = schedule.answer(asked(schedule.server, 6, 1, 1000))
    assert found.valid and found.seconds == pytest.approx(2 * (MACHINE.alpha + 5 * 1000 * MACHINE.beta))


def test_the_first_wrong_chunk_is_the_lowest_ranks():
    whole = asked(schedule.ring, 4, 4, 8)
    last = whole.schedule[-1]
    found = schedule.answer(replace(whole, schedule=whole.schedule[:-1]))
    assert (found.valid, found.rank, found.chunk) == (False, last.to, last.chunk)


def test_a_term_that_is_there_twice_is_wrong():
    whole = asked(schedule.doubling, 2, 2, 8)
    again = replace(whole.schedule[0], step=1)
    assert schedule.answer(replace(whole, schedule=(*whole.schedule, again))).valid is False


def test_questions_are_defined_and_of_both_kinds():
    for seed in (1, 2, 3):
        answers = [schedule.answer(question) for question in schedule.questions(seed)]
        assert {answer.valid for answer in answers} == {True, False}
        for question in schedule.questions(seed):
            steps = [one.step for one in question.schedule]
            assert steps == sorted(steps) and schedule._defined(question.schedule)
