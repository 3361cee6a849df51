"""Who waited for whom, and the critical path, on timelines that are easy to see."""
import json

import lab4_profile as profile
from lab4_profile import Event, Timeline


def chain() -> list[list[Event]]:
    """0 sends to 1 from 0 to 2; 1 then sends to 2, which has waited from 0 on."""
    return [[Event(0, "MPI_Send", 1, -1, 8, 0.0, 2.0)],
            [Event(1, "MPI_Recv", -1, 0, 8, 0.0, 2.0), Event(1, "MPI_Send", 2, -1, 8, 2.0, 5.0)],
            [Event(2, "MPI_Recv", -1, 1, 8, 0.0, 5.0)]]


def test_a_receive_waits_until_its_send_has_begun():
    rows = profile.waits(chain())
    assert [[event.waited for event in row] for row in rows] == [[0], [0, 0], [2.0]]
    assert rows[2][0].partner == (1, 1)


def test_the_critical_path_goes_over_the_rank_that_was_waited_for():
    assert profile.critical_path(profile.waits(chain())) == [(1, 0), (2, 0)]


def test_page_and_trace_show_every_call():
    rows = profile.waits(chain())
    found = {"ring": Timeline(rows, [[0, 8, 0], [0, 0, 8], [0, 0, 0]], profile.critical_path(rows)), "tree": None}
    page = profile.page(found)
    assert "Rank 2 waits longest for its partners" in page and "does not end as it should yet" in page
    trace = json.loads(profile.perfetto(found))["traceEvents"]
    assert sum(event["ph"] == "X" for event in trace) == 4
    assert [event["args"]["critical_path"] for event in trace if event["ph"] == "X"] == [False, True, False, True]
