"""Messages of the judges: they name ranks, calls, bytes, and the term of the cost model that is too large."""
import json
from pathlib import Path

import lab4_cost as cost
import lab4_downpour as downpour
import lab4_links
import lab4_model
import lab4_overlap
import lab4_time
import lab4_traffic
import lab4_waiting
import pytest
from hpml_autograder import labspec, trust
from hpml_autograder.backends import Backends, Setup
from hpml_autograder.check import Context, load_checks
from hpml_autograder.lab import OWN, Case, Run, Verdict
from lab4_observation import Message, Observation, Sent, Slot

LAB = Path(__file__).resolve().parent.parent

CROSSBAR = cost.Machine()


def slot(rank, call="MPI_Send", to=-1, source=-1, size=65548, cell=0, tag=0, **more):
    return Slot(rank, call, to, source, tag, cell, size, **{"finished": False, **more})


def test_a_deadlock_names_ranks_calls_circle_and_the_sizes_that_pass_by_luck():
    observed = Observation(4, tuple(slot(rank, to=(rank + 1) % 4) for rank in range(4)), {})
    words = lab4_waiting.waiting(observed, ["ring:65548"])
    assert "rank 0 waits in MPI_Send to rank 1 (65548 bytes, tag 0)" in words and "in ring with n = 65548." in words
    assert "circle: 0 -> 1 -> 2 -> 3 -> 0" in words
    assert "up to about n = 4096 with Open MPI" in words and "n = 65535 with SMPI" in words


def test_a_deadlock_of_empty_messages_tells_the_sizes_as_well():
    """A chunk of eight ranks' ring is n / 8 elements."""
    observed = Observation(8, tuple(slot(rank, to=(rank + 1) % 8, size=0) for rank in range(8)), {})
    words = lab4_waiting.waiting(observed, ["ring:0"])
    assert "up to about n = 8192 with Open MPI" in words and "n = 131070 with SMPI" in words


def test_a_circle_of_receives_asks_for_the_tags():
    observed = Observation(2, tuple(slot(rank, "MPI_Recv", source=1 - rank) for rank in range(2)), {})
    assert "takes only a message with its own tag" in lab4_waiting.waiting(observed, ["tree:10"])
    sends = Observation(2, tuple(slot(rank, to=1 - rank) for rank in range(2)), {})
    assert "own tag" not in lab4_waiting.waiting(sends, ["tree:10"])


def test_a_circle_of_sendrecv_asks_for_the_tags_and_not_for_buffers():
    observed = Observation(3, tuple(slot(rank, "MPI_Sendrecv", to=(rank + 1) % 3, source=(rank + 2) % 3) for rank in range(3)), {})
    words = lab4_waiting.waiting(observed, ["ring:10"])
    assert "yet no message fits" in words and "buffered" not in words


def test_of_a_run_that_failed_a_circle_is_no_reason_and_the_rank_outside_of_mpi_is_named():
    waits = [slot(rank, "MPI_Sendrecv", to=1 - rank, source=1 - rank) for rank in range(2)]
    failed = lab4_waiting.waiting(Observation(3, (*waits, slot(2, "")), {}), ["ring:10"], hangs=False)
    assert "circle" not in failed and failed.endswith("Rank 2 has not entered the next MPI call.")
    hanging = lab4_waiting.waiting(Observation(3, (waits[0], slot(1, ""), slot(2, "")), {}), ["ring:10"])
    assert hanging.endswith("Ranks 1, 2 have not entered the next MPI call: does a loop never end?")


def test_no_circle_is_claimed_where_ranks_wait_for_one_that_has_ended():
    observed = Observation(3, (slot(0, "MPI_Recv", source=2), slot(1, "MPI_Recv", source=0)), {})
    assert lab4_waiting.cycle(observed.slots) == []
    assert "buffered" not in lab4_waiting.waiting(observed, ["tree:10"])


def test_two_ranks_with_different_tags_are_named_and_not_told_of_buffers():
    observed = Observation(2, (slot(0, to=1, tag=1), slot(1, "MPI_Recv", source=0)), {})
    words = lab4_waiting.waiting(observed, ["tree:10"])
    assert "Rank 0 sends with tag 1 what rank 1 receives with tag 0" in words and "buffered" not in words


def test_ranks_that_have_returned_are_named():
    waits = slot(0, "MPI_Recv", source=1)
    for gone in (slot(1, "", finished=True), slot(1, "MPI_Recv", source=0, cell=1)):
        assert lab4_waiting.waiting(Observation(2, (waits, gone), {}), ["ps:10"]).endswith("in ps with n = 10. Rank 1 has already returned.")
    # a rank in no call may compute, unless a deadlock was seen
    words = [lab4_waiting.waiting(Observation(2, (waits, slot(1, "", deadlock=seen)), {}), ["ps:10"]) for seen in (False, True)]
    assert ["returned" in one for one in words] == [False, True]


def test_of_wrong_traffic_a_vector_with_an_element_for_each_rank_is_shown(tmp_path, monkeypatch):
    sends = {rank: {"sent": [[(rank + 1) % 2, 9, 9, 0, 0]]} for rank in range(2)}
    records = {(cell, rank, 1): json.dumps(sends[rank]).encode() for cell in range(2) for rank in range(2)}
    monkeypatch.setattr(lab4_traffic, "observe", lambda run, context: (Observation(2, (), records), None))
    run = Run(Case("ring_relay", "ring:0:1 ring:1000:2", ranks=2), "exit")
    test = next(test for test in labspec.load(LAB / "lab.toml").test if test.id == "E3.traffic")
    assert lab4_traffic.judge(test, None, [run]).detail.startswith("ring, P = 2, n = 1000: ")


def expected(operation, ranks, n, rank):
    return {peer: Sent(flow.messages, flow.empty, 4 * flow.elements, 4 * flow.largest)
            for peer, flow in lab4_traffic.table.flows(operation, ranks, n, rank).items()}


def test_traffic_of_the_table_passes_with_and_without_empty_messages():
    full = expected("ring", 5, 3, 0)
    assert lab4_traffic.wrong_rank("ring", 5, 3, 0, full) == ""
    lean = {peer: Sent(one.messages - one.empty, 0, one.bytes, one.largest) for peer, one in full.items()}
    assert lab4_traffic.wrong_rank("ring", 5, 3, 0, lean) == ""


@pytest.mark.parametrize("got, words", [
    ({1: Sent(4, 0, 400, 100)}, "the table says 160 bytes, 2.50 times as many (40 floats"),
    ({1: Sent(8, 0, 160, 20), 3: Sent(1, 0, 4, 4)}, "sends 4 bytes in 1 message to rank 3; the table says 0 bytes: in this algorithm it sends to rank 1"),
    ({1: Sent(4, 0, 160, 40)}, "in 4 messages; the table says 8"),
    ({1: Sent(8, 0, 160, 24)}, "the largest message of rank 0 to rank 1 has 24 bytes; the table says 20"),
    ({}, "sends 0 bytes to rank 1")])
def test_other_traffic_names_rank_peer_and_bytes(got, words):
    assert words in lab4_traffic.wrong_rank("ring", 5, 25, 0, got)


def test_a_rank_that_received_too_little_has_its_numbers_from_elsewhere():
    full = {rank: expected("tree", 4, 100, rank) for rank in range(4)}
    assert lab4_traffic.too_little(full, 4, 100) == ""
    full[0] = {}
    assert "rank 1 has received" in lab4_traffic.too_little(full, 4, 100)


def cells(messages, factor, ranks=64, sizes=(1, 1 << 20)):
    """A ring that needs so many messages one after the other, and factor N beta."""
    return [lab4_time.Measured("ring", n, n, 1, ranks, messages * CROSSBAR.alpha + factor * 4 * n * CROSSBAR.beta,
                               cost.predict("ring", ranks, 4 * n, CROSSBAR), 0) for n in sizes]


def test_a_slow_schedule_is_explained_by_the_term_that_is_too_large():
    late = cells(252, 2 * 63 / 64)
    assert "latency term is too large: 252 messages one after the other, should be 126" in lab4_time.slow_term(late[0], late)
    wide = cells(126, 63)
    assert "bandwidth term is too large: 63.00 N beta, should be 1.97 N beta. No link carries more" in lab4_time.slow_term(wide[1], wide)


def test_where_the_worst_has_one_size_the_term_is_that_of_other_ranks():
    alone = cells(999, 2 * 255 / 256, ranks=256, sizes=(16384,))
    words = lab4_time.slow_term(alone[0], [*alone, *cells(252, 2 * 63 / 64)])
    assert words.startswith("On 64 ranks: The latency term is too large: 252 messages")


def flows_of(operation, ranks, n, name=lambda rank: rank):
    """Of all ranks, after ranks have been given other places."""
    return {name(rank): {name(peer): flow for peer, flow in expected(operation, ranks, n, rank).items()} for rank in range(ranks)}


def test_the_link_that_carries_too_much_is_named():
    right, server = (flows_of(operation, 8, 800) for operation in ("ring", "ps"))
    assert lab4_links.busiest_host("ring", 8, 800, right).startswith("No link carries more bytes than in the table")
    assert "rank 0's, carries 22400 bytes out; in the algorithm of the table no link carries more than 5600" in (
        lab4_links.busiest_host("ring", 8, 800, server))


def test_the_uplink_that_carries_too_much_is_named():
    """Far first: the numbers of the ranks are read backwards, bit by bit."""
    far = flows_of("rabenseifner", 64, 6400, lambda rank: int(f"{rank:06b}"[::-1], 2))
    words = lab4_links.busiest_uplink("rabenseifner", 64, 6400, far, 8)
    assert "uplink that ranks 0 to 7 share carries 358400 bytes out; in the order of the table 44800" in words


def test_points_of_a_cell_fall_from_full_to_none():
    [cell] = cells(126, 2 * 63 / 64, sizes=(1,))
    assert lab4_time.points(cell, 1.02, 1.5) == 1
    assert lab4_time.points(cells(189, 0, sizes=(1,))[0], 1.02, 1.5) == pytest.approx(0, abs=1e-3)
    assert 0.4 < lab4_time.points(cells(159, 0, sizes=(1,))[0], 1.02, 1.5) < 0.6


def test_fat_tree_formulas_give_the_figures_of_the_specification():
    """Section 6.4: near first 11.83 ms, two levels 12.0 ms, for 4 MiB on 64 ranks (simulated)."""
    assert lab4_time.fat_tree_seconds("rabenseifner", 64, 4 << 20) == pytest.approx(11.83e-3, rel=1e-3)
    assert lab4_time.fat_tree_seconds("hier8", 64, 4 << 20) == pytest.approx(12.0e-3, rel=1e-2)


@pytest.mark.parametrize("name, microseconds", [("ring", 1468), ("ps", 14474), ("tree", 1379), ("rd", 689), ("rabenseifner", 327)])
def test_cost_model_gives_the_simulated_figures_of_the_specification(name, microseconds):
    """Section 6.2: P = 64, 128 KiB."""
    assert cost.predict(name, 64, 128 << 10, CROSSBAR) == pytest.approx(microseconds * 1e-6, rel=2.5e-3)


def test_bucket_formula_gives_the_table_of_the_specification():
    """Section 11: 50 layers of 1 MiB, 1 ms each, 8 ranks."""
    for mib, milliseconds in ((25, 98.7), (10, 84.1), (4, 79.2), (2, 78.9), (1, 81.4)):
        one = lab4_overlap.Pass(mib * lab4_overlap.LAYER_BYTES)
        assert one.predicted() == pytest.approx(milliseconds * 1e-3, rel=5e-3), mib


def trained(messages, pushes):
    record = json.dumps({"hash": 1, "pushes": pushes}).encode()
    return Observation(3, (), {(0, 0, 1): record}, tuple(messages))


def message(source, to, tag, size, sent):
    return Message(source, to, tag, 0, size, sent, sent, sent, sent + 1)


EXCHANGE = [message(1, 0, 1, 2560, 0), message(0, 1, 2, 2560, 1), message(2, 0, 1, 2560, 0), message(0, 2, 3, 0, 3),
            message(1, 0, 1, 2560, 4), message(0, 1, 3, 0, 5)]


def test_staleness_follows_from_the_order_of_the_answers():
    assert downpour.staleness_of([1, 2, 3, 1, 1]) == [(1, 0), (2, 1), (3, 2), (1, 2), (1, 0)]
    assert downpour.pushed(trained(EXCHANGE, [])) == [1, 2, 1]
    assert downpour.wrong_log(trained(EXCHANGE, [[1, 0], [2, 1], [1, 1]]), 3) == ""
    words = downpour.wrong_log(trained(EXCHANGE, [[1, 0], [2, 0], [1, 1]]), 3)
    assert "push 1: the log says worker 2, staleness 0; the messages say worker 2, staleness 1" in words


@pytest.mark.parametrize("messages, words", [
    (EXCHANGE, ""), (EXCHANGE[:-1], "there were 3 pushes, 1 answers with weights and 1 with kStop; expected 3, 1 and 2"),
    ([*EXCHANGE, message(1, 2, 1, 4, 9)], "rank 1 has sent rank 2 a message of 4 bytes with tag 1"),
    ([message(1, 0, 1, 40, 0), *EXCHANGE[1:]], "rank 1 has sent rank 0 a message of 40 bytes with tag 1")])
def test_messages_of_the_server_are_gradients_and_weights(messages, words):
    assert downpour.wrong_messages(trained(messages, []), 3) == words


def flows_of_rings(ranks, sizes, factor=1):
    """What all ranks say if each bucket is a ring; `factor` times the bytes of rank 1."""
    records = {}
    for rank in range(ranks):
        rings = [flow for n in sizes for flow in lab4_traffic.table.flows("ring", ranks, n, rank).values()]
        size = sum(flow.elements for flow in rings) * 4 * (factor if rank == 1 else 1)
        row = [(rank + 1) % ranks, sum(flow.messages for flow in rings), sum(flow.empty for flow in rings), size, 0]
        records[0, rank, 1] = json.dumps({"sent": [row]}).encode()
    return Observation(ranks, (), records)


def test_buckets_are_rings_of_whole_layers():
    run = Run(Case("overlap_relay", "scramble 4 1000 0.001 6000 1", ranks=3), "exit")
    assert lab4_overlap.bucket_sizes(run) == [1500, 2000, 500]  # layers of 500, 1500, 500, 1500 floats, the last one first
    assert lab4_overlap.wrong_traffic(run, flows_of_rings(3, [1500, 2000, 500])) is None
    assert lab4_overlap.wrong_traffic(run, flows_of_rings(3, [1500, 2000, 500], 2)).verdict is Verdict.WA
    silent = lab4_overlap.wrong_traffic(run, flows_of_rings(3, [0]))
    assert silent.verdict is Verdict.PV and "came another way" in silent.detail


def test_figures_that_points_are_paid_for_are_counted_outside_of_student_code():
    """So a grading of record has the standing of one."""
    spec = labspec.load(LAB / "lab.toml")
    backends = Backends(spec, Setup(trusted=True))
    checks = load_checks(LAB, spec)
    context = Context(spec, LAB / "src", {}, "", "", "sim")
    plans = {test.id: checks[test.generator].plan(test, context) for test in spec.test}
    for test in spec.test:
        assert trust.standing(True, [test], plans, backends) == trust.RECORD, test.id


@pytest.mark.parametrize("name, ranks, words", [("ring", 3, "(P - 1) / P computed in double"), ("hier", 16, "computed in double"),
                                                ("tree", 3, "whole steps"), ("ps", 3, ""), ("rd", 8, "")])
def test_the_hint_of_a_wrong_prediction_is_about_its_own_formula(name, ranks, words):
    said = lab4_model.predict_hint(name, ranks)
    assert words in said and bool(said) == bool(words)


def planned(name, key):
    spec = labspec.load(LAB / "lab.toml")
    test = next(test for test in spec.test if test.id == name)
    return load_checks(LAB, spec)[test.generator].plan(test, Context(spec, LAB / "src", {}, "", "", "sim", key=key))


@pytest.mark.parametrize("name", ["E0.small", "E1.correct.public", "E3.correct.halves", "E4.unbuffered", "E5.traffic", "E6.fit", "E6.predict",
                                  "E8.time", "E9.straggler", "E10.staleness", "E10.throughput"])
def test_every_run_is_asked_for_with_numbers_that_nobody_is_told(name):
    assert not set(planned(name, b"one")) & set(planned(name, b"two"))


def test_a_training_that_is_timed_has_a_rate_and_steps_of_its_own():
    settings = [dict(word.split("=") for word in case.args.split()) for key in (b"1", b"2", b"3") for case in planned("E9.straggler", key)]
    for name in ("steps", "rate", "compute"):
        assert len({one[name] for one in settings}) > 1
    assert planned("E10.throughput", b"1")[0] in planned("E10.staleness", b"1")


def test_of_a_simulation_in_one_process_the_relay_makes_the_same_sums():
    """On SMPI a rank can read the numbers of the others."""
    cases = planned("E4.unbuffered", b"1")
    assert [case.program for case in cases] == ["rd_smpi"] * 3 + ["rd_relay"] * 3
    assert all(dict(case.env).get(OWN) for case in cases[3:]) and set(cases[3:]) <= set(planned("E4.traffic", b"1"))


def test_the_rate_with_a_slow_worker_is_bounded_by_that_of_workers_that_never_wait():
    """As the specification has it for eight workers, one of them five times slower: three times the synchronous rate."""
    assert downpour.THROUGHPUT * downpour.synchronous_ratio(8, 5) == pytest.approx(3)
    assert downpour.synchronous_ratio(8, 1) == 1
