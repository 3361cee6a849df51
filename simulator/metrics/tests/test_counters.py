"""The table of the counters: has every counter its row, and is every row counted?"""
import re

from hpml_metrics.counters import STALL, TABLE, counters, stall_meanings

PROGRAM = {name for name, row in counters().items() if row.counted == "program"}


def counted(documents) -> dict[str, float]:
    """The largest figure that any document has, by the counter's name."""
    most: dict[str, float] = {}
    for document in documents.values():
        for values in [kernel["metrics"] for kernel in document["kernels"]] + [document["unified_memory"]]:
            for name, value in values.items():
                most[name] = max(most.get(name, 0), value)
    return most


def test_every_counter_of_a_document_has_a_row(documents):
    assert [name for name in counted(documents) if name not in counters()] == []


def test_every_row_is_counted(documents):
    found = counted(documents)
    never = [name for name, row in counters().items() if not found.get(name) and row.kind != "always 0"]
    assert never == []


def test_what_the_model_lacks_is_always_0(documents):
    lacking = [name for name, row in counters().items() if row.kind == "always 0"]
    found = counted(documents)
    assert lacking and [found[name] for name in lacking] == [0] * len(lacking)


def test_counters_stand_in_the_order_of_the_table(documents):
    for document in documents.values():
        for kernel in document["kernels"]:
            assert list(kernel["metrics"]) == [name for name in counters() if name in kernel["metrics"]]
        if document["unified_memory"]:
            assert list(document["unified_memory"]) == [name for name in counters() if name in PROGRAM]


def test_exact_counters_are_in_every_mode_and_the_same(documents):
    exact = [name for name, row in counters().items() if row.kind == "exact" and row.counted == "exec"]
    assert len(exact) > 30
    for timed, untimed in zip(documents["run"]["kernels"], documents["functional"]["kernels"], strict=True):
        for name in exact:
            if name != "gpusim__managed_leaf_faults.sum":  # how many leaves fault depends on when they are touched
                assert timed["metrics"][name] == untimed["metrics"][name], (timed["name"], name)
        assert not [name for name in untimed["metrics"] if counters()[name].counted == "timing"]


def test_every_reason_to_wait_has_a_meaning(documents):
    for kernel in documents["run"]["kernels"]:
        assert list(kernel["stalls"]) == list(stall_meanings())
        assert all(STALL.format(reason) in kernel["metrics"] for reason in kernel["stalls"])


def test_the_table_is_whole():
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(counters()) == len(lines) - 1, "a name stands twice"
    for row in counters().values():
        assert row.unit and row.meaning and row.kind in ("exact", "modelled", "always 0"), row
        assert row.counted in ("device", "exec", "timing", "program"), row
        assert re.fullmatch(r"\w+", row.name) if row.name in PROGRAM else re.fullmatch(
            r"(launch|gpusim|gpu|sm|smsp|l1tex|lts|dram|pcie)__\w+(\.\w+){0,3}", row.name), row
