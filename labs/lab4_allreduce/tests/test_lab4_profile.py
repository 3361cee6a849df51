"""Who waited for whom, and the critical path, on timelines that are easy to see."""
import json

import lab4_profile as profile
import pytest
from lab4_observation import Message
from lab4_timeline import Call, Timeline, of_report


def message(source: int, to: int, sent: float, received: float, end: float) -> Message:
    return Message(source, to, 0, 0, 8, sent, received, max(sent, received), end)


def chain() -> Timeline:
    """0 sends to 1 from 0 to 2; 1 then sends to 2, which has waited from 0 on."""
    calls = [[Call("MPI_Send", 0, 2)], [Call("MPI_Recv", 0, 2), Call("MPI_Send", 2, 5)], [Call("MPI_Recv", 0, 5)]]
    return Timeline(calls, [message(0, 1, 0, 0, 2), message(1, 2, 2, 0, 5)], latency_s=1, bytes_per_s=8)


def one_call_for_all() -> Timeline:
    """1 and 2 send to 0 at once, over its one link; 0 has posted both receives and waits once. Then 0 sends to 1 what 1 has asked
    for at the time 3 only."""
    calls = [[Call("MPI_Waitall", 0, 4), Call("MPI_Send", 4, 6)], [Call("MPI_Send", 0, 4), Call("MPI_Recv", 4.5, 6)],
             [Call("MPI_Send", 0, 4)]]
    return Timeline(calls, [message(1, 0, 0, 0, 4), message(2, 0, 0, 0, 4), message(0, 1, 4, 4.5, 6)], latency_s=1, bytes_per_s=8)


def path(found: Timeline) -> list[tuple[int, int, int]]:
    return [(step.rank, step.message.source, step.message.to) for step in found.critical_path()]


def test_a_receive_waits_until_its_send_has_begun():
    assert [chain().waited(rank) for rank in chain().ranks] == [0, 0, 2.0]
    assert list(chain().intervals(2)) == [("wait", 0, 2), ("receive", 2, 5)]


def test_a_transfer_that_many_calls_ask_for_is_one_interval():
    polls = [[Call("MPI_Send", 0, 2)], [Call("MPI_Test", 0, 0.5), Call("MPI_Test", 0.5, 1.5), Call("MPI_Test", 1.5, 3)]]
    found = Timeline(polls, [message(0, 1, 0, 0, 2)], latency_s=1, bytes_per_s=8)
    assert list(found.intervals(1)) == [("receive", 0, 2), ("wait", 2, 3)]


def test_the_critical_path_goes_over_the_rank_that_was_waited_for():
    assert path(chain()) == [(1, 0, 1), (2, 1, 2)]


def test_non_blocking_calls_wait_for_their_messages_and_not_for_the_call_that_ends_them():
    found = one_call_for_all()
    assert [found.waited(rank) for rank in found.ranks] == [0.5, 0, 0]
    assert path(found) == [(1, 1, 0), (1, 0, 1)]  # 0 waits for the receive of 1, which was in its send before


def test_messages_that_share_a_link_are_named():
    assert "2 of 3 messages share a link with others and take up to 2.0 times as long as alone" in profile.sentence(
        Timeline(one_call_for_all().calls, [message(1, 0, 0, 0, 4), message(2, 0, 0, 0, 4), message(0, 1, 4, 4, 6)], 1, 8))
    assert "share a link" not in profile.sentence(Timeline(chain().calls, [message(0, 1, 0, 0, 2)], 1, 8))


def test_the_matrix_has_the_bytes_from_row_to_column():
    assert chain().matrix() == [[0, 8, 0], [0, 0, 8], [0, 0, 0]]


def test_times_of_a_report_count_from_the_start_of_the_measured_region():
    report = {"ranks": 2, "platform": {"latency_s": 1, "bytes_per_s": 8}, "regions": [{"begin_s": [100, 100], "end_s": [102, 102]}],
              "timeline": {"cut": False, "messages": [[0, 1, 0, 0, 8, 100, 100, 100, 102], [1, 0, 0, -1, 8, 200, 200, 200, 202]],
                           "calls": [[0, "sleep", 0, 100], [0, "MPI_Send", 100, 102], [1, "MPI_Recv", 100, 102]]}}
    found = of_report(report)
    assert found.messages == [message(0, 1, 0, 0, 2)]
    assert found.calls == [[Call("MPI_Send", 0, 2)], [Call("MPI_Recv", 0, 2)]]
    assert of_report({**report, "regions": []}) is None


def test_page_and_trace_show_every_call():
    found = {"ring": chain(), "tree": None}
    page = profile.page(found)
    assert "Rank 2 waits longest for its partners" in page and "does not end as it should yet" in page
    trace = json.loads(profile.perfetto(found))["traceEvents"]
    calls = [event for event in trace if event["ph"] == "X"]
    assert [event["name"] for event in calls] == ["MPI_Send", "MPI_Recv", "MPI_Send", "MPI_Recv"]
    assert calls[3]["args"] == {"transfers": ["8 bytes from rank 1"], "waited_us": 2e6, "critical_path": True}
    assert not calls[0]["args"]["critical_path"]


@pytest.mark.parametrize("found", [chain(), one_call_for_all()])
def test_both_ends_of_an_arrow_lie_in_a_call_of_their_rank(found):
    trace = json.loads(profile.perfetto({"ring": found}))["traceEvents"]
    ends = [event for event in trace if event["ph"] in "sf"]
    assert len(ends) == 2 * len(found.messages)
    for end in ends:
        assert any(call["ph"] == "X" and call["tid"] == end["tid"] and call["ts"] < end["ts"] < call["ts"] + call["dur"]
                   for call in trace)
