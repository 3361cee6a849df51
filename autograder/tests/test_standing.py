"""A record says whether its score may stand."""
from types import SimpleNamespace

import pytest
from hpml_autograder.pipeline import Graded
from hpml_autograder.runner import IN_PROCESS, REPLAY


@pytest.mark.parametrize("trusted, simulated, trust, standing", [
    (True, False, IN_PROCESS, "record"), (True, True, REPLAY, "record"), (True, True, IN_PROCESS, "feedback"),
    (False, False, IN_PROCESS, "feedback"), (False, True, REPLAY, "feedback")])
def test_counters_from_the_students_process_are_feedback(trusted, simulated, trust, standing):
    runner = SimpleNamespace(trusted=trusted, trust=trust)
    graded = Graded(SimpleNamespace(simulated=simulated), None, None, [], {}, runner)
    assert graded.standing == standing
