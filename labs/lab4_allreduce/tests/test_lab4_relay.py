"""The relay's report becomes the same observation as the harness's file."""
import json

import lab4_relay
import lab4_waiting
import pytest
from lab4_observation import Unreadable, sent

REPORT = {
    "schema": "hpml.relay/v1", "ranks": 2, "blocked": [],
    "regions": [{"begin_s": [100.0, 100.0], "end_s": [100.001, 100.002], "sent": [[0, 1, 2, 0, 80, 40], [1, 0, 1, 1, 0, 0]],
                 "left": [{"rank": 0, "kind": "send", "peer": 1}]}],
    "per_rank": [{"stdout": '0 {"hash":7,"sent":[],"begin":5,"leftover":null}\n', "finalized": True},
                 {"stdout": "0 nonsense\n", "finalized": True}]}


def test_times_traffic_and_leftovers_are_the_relays_and_not_the_ranks_word():
    observed = lab4_relay.observation(REPORT, 100)
    first, second = observed.json(0, 0), observed.json(0, 1)
    assert first["hash"] == 7 and second["hash"] is None
    assert (first["begin"], second["end"]) == (0, pytest.approx(0.002))
    assert sent(first)[1].bytes == 80 and sent(second)[0].empty == 1
    assert first["leftover"] is None and second["leftover"] == 0
    assert observed.finished


def test_a_report_is_recognised_by_its_first_byte(tmp_path):
    path = tmp_path / "dump"
    path.write_text(json.dumps(REPORT))
    assert lab4_waiting.load(path).ranks == 2
    path.write_text(json.dumps({**REPORT, "schema": "other"}))
    with pytest.raises(Unreadable):
        lab4_waiting.load(path)


def test_blocked_ranks_are_shown_with_their_calls():
    blocked = [{"rank": rank, "call": "MPI_Send",
                "waits_for": [{"rank": rank, "kind": "send", "peer": 1 - rank, "tag": 0, "bytes": 4000}]} for rank in (0, 1)]
    report = {**REPORT, "blocked": blocked, "per_rank": [{"stdout": "", "finalized": False}] * 2}
    words = lab4_waiting.waiting(lab4_relay.observation(report, 100), ["ring:1000"])
    assert "rank 0 waits in MPI_Send to rank 1 (4000 bytes, tag 0); rank 1 waits in MPI_Send to rank 0" in words
    assert "circle: 0 -> 1 -> 0" in words
