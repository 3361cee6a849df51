"""The relay's report becomes the same observation as the harness's file."""
import json
from copy import deepcopy
from pathlib import Path

import lab4_relay
import lab4_waiting
import pytest
from hpml_autograder import labspec
from hpml_autograder.lab import Case, Context, Run, Verdict
from lab4_observation import Unreadable, sent

LAB = Path(__file__).resolve().parent.parent

SLOT_S = 100
REPORT = {
    "schema": "hpml.relay/v1", "ranks": 2, "blocked": [], "outside": {"sent": [], "collectives": [], "left": []},
    "regions": [{"begin_s": [100.0, 100.0], "end_s": [100.001, 100.002], "sent": [[0, 1, 2, 0, 80, 40], [1, 0, 1, 1, 0, 0]],
                 "left": [], "collectives": [], "compute_s": [0.0, 0.0]}],
    "per_rank": [{"stdout": '0 json {"hash":7,"sent":[],"begin":5}\n0 floats 0000803f\n', "finalized": True},
                 {"stdout": "0 of mine\n0 json nonsense\n", "finalized": True}]}
PENDING = {"rank": 0, "kind": "send", "peer": 1, "tag": 5, "bytes": 12, "call": "MPI_Isend", "met": False}


def changed(path, value):
    """The report with one entry set: path "regions.0.left"."""
    report = deepcopy(REPORT)
    place = report
    *way, last = (int(word) if word.isdigit() else word for word in path.split("."))
    for word in way:
        place = place[word]
    place[last] = value
    return report


def observed(report):
    return lab4_relay.observation(report, SLOT_S)


def test_times_and_traffic_are_the_relays_and_not_the_ranks_word():
    found = observed(REPORT)
    first, second = found.json(0, 0), found.json(0, 1)
    assert first["hash"] == 7 and second["hash"] is None
    assert (first["begin"], second["end"]) == (0, pytest.approx(0.002))
    assert sent(first)[1].bytes == 80 and sent(second)[0].empty == 1
    assert found.floats(0, 0).tolist() == [1.0]
    assert found.finished and not found.stray and not found.unmatched


@pytest.mark.parametrize("path, value, words", [
    ("outside.sent", [[1, 0, 2, 0, 80, 40]], "rank 1 has sent 80 bytes in 2 messages to rank 0 outside of the measured call"),
    ("outside.collectives", [[1, "MPI_Barrier", 1]], "rank 1 has called MPI_Barrier"),
    ("regions.0.collectives", [[0, "MPI_Comm_split", 1]], "rank 0 has called MPI_Comm_split"),
    ("regions.0.begin_s", [100.0, 100.5], "rank 1 did not begin cell 0"),
    ("regions.0.begin_s", [None, 100.0], "rank 0 did not begin cell 0")])
def test_what_ranks_do_beside_the_measured_call_is_seen(path, value, words):
    assert words in observed(changed(path, value)).stray


@pytest.mark.parametrize("path", ["regions.0.left", "outside.left"])
def test_a_message_that_nobody_receives_is_named(path):
    assert "rank 1 has not received a message of 12 bytes, tag 5, from rank 0" in observed(changed(path, [PENDING])).unmatched
    assert "rank 0 has returned before its MPI_Isend of 12 bytes was over" in observed(changed(path, [{**PENDING, "met": True}])).unmatched
    waits = {**PENDING, "kind": "receive", "peer": "any"}
    assert "rank 0 has begun a receive from any rank" in observed(changed(path, [waits])).unmatched


def test_a_result_that_is_printed_twice_is_nobodys():
    with pytest.raises(Unreadable):
        observed(changed("per_rank.0.stdout", '0 json {"hash":8}\n0 json {"hash":7}\n'))


@pytest.mark.parametrize("report, cells, verdict", [
    (REPORT, "ring:10", None), (REPORT, "ring:10 ring:20", Verdict.PV), (changed("regions", []), "steps=5", Verdict.PV),
    (changed("outside.sent", [[1, 0, 2, 0, 80, 40]]), "ring:10", Verdict.PV),
    (changed("outside.left", [PENDING]), "ring:10", Verdict.WA)])
def test_only_runs_whose_measured_calls_are_all_there_is_are_judged(report, cells, verdict, tmp_path):
    dump = tmp_path / "dump"
    dump.write_text(json.dumps(report))
    context = Context(labspec.load(LAB / "lab.toml"), LAB / "src", {}, "", "", "sim")
    found, outcome = lab4_waiting.observe(Run(Case("ring_relay", cells, ranks=2), "exit", dump=dump), context)
    assert (outcome and outcome.verdict) is verdict and (found is None) is (verdict is not None)


def test_a_report_is_recognised_by_its_first_byte(tmp_path):
    path = tmp_path / "dump"
    path.write_text(json.dumps(REPORT))
    assert lab4_waiting.load(path).ranks == 2
    path.write_text(json.dumps({**REPORT, "schema": "other"}))
    with pytest.raises(Unreadable):
        lab4_waiting.load(path)


def test_a_report_that_cannot_be_read_is_not_quoted_whole(tmp_path):
    path = tmp_path / "dump"
    path.write_bytes(b"{" + b"\xff" * 5000)
    with pytest.raises(Unreadable) as found:
        lab4_waiting.load(path)
    assert "UnicodeDecodeError" in str(found.value) and len(str(found.value)) < 300


def test_blocked_ranks_are_shown_with_their_calls():
    blocked = [{"rank": rank, "call": "MPI_Send",
                "waits_for": [{"rank": rank, "kind": "send", "peer": 1 - rank, "tag": 0, "bytes": 4000}]} for rank in (0, 1)]
    report = {**REPORT, "blocked": blocked, "per_rank": [{"stdout": "", "finalized": False}] * 2}
    words = lab4_waiting.waiting(observed(report), ["ring:1000"])
    assert "rank 0 waits in MPI_Send to rank 1 (4000 bytes, tag 0); rank 1 waits in MPI_Send to rank 0" in words
    assert "circle: 0 -> 1 -> 0" in words
