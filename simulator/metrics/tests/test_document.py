"""Is what every producer writes what the schema says, and does the reader see in it what it should?"""
import copy
import json
from pathlib import Path

import jsonschema
import pytest
from hpml_metrics.document import BadMetrics, LineAccess, load, parse

SCHEMA = json.loads((Path(__file__).resolve().parents[1] / "gpusim.metrics.v1.json").read_text(encoding="utf-8"))
PRODUCERS = ("run", "functional", "checked", "replay", "launch", "trapped")
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("producer", PRODUCERS)
def test_a_document_is_what_the_schema_says(documents, producer):
    VALIDATOR.check_schema(SCHEMA)
    assert [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(documents[producer])] == []


@pytest.mark.parametrize("block", SCHEMA["required"])
def test_no_block_may_be_missing(documents, block):
    without = {name: value for name, value in documents["launch"].items() if name != block}
    assert not VALIDATOR.is_valid(without)


@pytest.mark.parametrize("where, value", [
    (("kernels", 0, "cycles"), 1.5), (("kernels", 0, "metrics", "launch__grid_size"), "4"), (("kernels", 0, "new"), 1),
    (("memcpy", 0, "kind"), "memset"), (("api", 0, "result"), None), (("end",), {}), (("leaks", 0, "bytes"), -1)])
def test_the_schema_refuses_what_is_wrong(documents, where, value):
    document = copy.deepcopy(documents["run"])
    at = document
    for key in where[:-1]:
        at = at[key]
    at[where[-1]] = value
    assert not VALIDATOR.is_valid(document)


def test_every_figure_of_the_run_is_that_of_its_replay(documents):
    run, again = parse(documents["run"]), parse(documents["replay"])
    assert [kernel.metrics for kernel in again.kernels] == [kernel.metrics for kernel in run.kernels]
    assert (again.unified, again.leaks) == (run.unified, run.leaks)
    assert [(c.kind, c.bytes) for c in again.copies] == [(c.kind, c.bytes) for c in run.copies]
    assert [(call.name, call.result) for call in again.api] == [(call.name, call.result) for call in run.api]
    assert run.end_us is not None and again.end_us is None


def test_the_reader_sees_what_the_program_did(documents):
    run = parse(documents["run"])
    assert [kernel.name.split("(anonymous namespace)::")[-1].split("(")[0] for kernel in run.kernels] == [
        "arithmetic", "shared_memory", "scattered", "doubled", "doubled"]
    assert run.kernels[0].grid == (80, 1, 1) and run.kernels[1].shared_bytes == 32 * 33 * 4 + 256 * 4
    assert run.kernels[0].executed("dfma") == 24 * 80 * 256
    assert [copy.kind for copy in run.copies + run.fills + run.prefetches] == ["HtoD", "DtoH", "memset", "memset",
                                                                             "prefetch"]
    assert len(run.calls("cudaFree")) == 2 and not any(call.failed for call in run.api)
    assert sorted(run.leaks)[0] == 64 and len(run.leaks) == 6
    assert run.kernels[3].metric("pcie__read_bytes.sum") == 80 * 256 * 4


def test_a_launch_tells_of_its_fault(documents):
    assert parse(documents["launch"]).faults == () and documents["launch"]["end"] == {"status": 0}
    (fault,) = parse(documents["trapped"]).faults
    assert "out_of_bounds" in fault and documents["trapped"]["end"] == {"status": 1}


def test_lines_of_shared_memory_count_passes():
    entry = {"file": "k.cu", "line": 3, "space": "shared", "op": "st", "requests": 2, "wavefronts": 64,
             "ideal_wavefronts": 2, "lane_stride_bytes": None}
    document = minimal()
    document["kernels"][0]["lines"] = [entry]
    assert parse(document).kernels[0].lines == (LineAccess("k.cu", 3, "shared", "st", 2, 64, 2, None),)


def minimal() -> dict:
    none: list = []
    figures: dict = {"flops": {}, "bytes": {}, "arithmetic_intensity": {}, "ceilings": {}, "achieved": {}}
    kernel = {"name": "_Z3add", "demangled": "add(float*)", "grid": [2, 1, 1], "block": [32, 1, 1], "shared_bytes": 0,
              "registers": 8, "registers_estimated": False, "start_us": 1.0, "duration_us": 1.5, "cycles": 9,
              "sampled": False, "sampled_fraction": 1.0, "estimated": False, "warp_instructions": 2,
              "thread_instructions": 64, "metrics": {"m": 3}, "lines": none, "stalls": {}, "roofline": figures,
              "stream": 0, "device": 0}
    return {"schema": "gpusim/metrics/v1", "gpu": "t4", "mode": "auto", "kernels": [kernel], "memcpy": none,
            "memset": none, "prefetch": none, "unified_memory": {}, "api": none, "api_calls": 0, "api_errors": 0,
            "faults": none, "leaks": none, "end": {"status": 0}, "simulator": {}}


def test_the_least_that_the_schema_asks_for_can_be_read():
    VALIDATOR.validate(minimal())
    read = parse(minimal())
    assert read.total("m") == 3 and read.kernels[0].name == "add(float*)" and read.kernels[0].known("other") is None
    with pytest.raises(BadMetrics, match="no metric 'other' for kernel add"):
        read.total("other")


@pytest.mark.parametrize("key", sorted(set(SCHEMA["$defs"]["kernel"]["required"]) - {"name"}) + ["lines"])
def test_a_launch_that_lacks_a_field_is_refused_by_its_name(key):
    document = minimal()
    del document["kernels"][0][key]
    with pytest.raises(BadMetrics, match=f"lacks '{key}'"):
        parse(document)


@pytest.mark.parametrize("key, value", [("schema", "gpusim/metrics/v2"), ("kernels", 7), ("kernels", [{}]),
                                        ("api", [{"name": "x"}]), ("unified_memory", None)])
def test_a_document_of_another_form_is_refused_in_one_line(key, value):
    with pytest.raises(BadMetrics) as caught:
        parse(minimal() | {key: value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text, said", [("{", "is not JSON"), ("", "is not JSON"), ("[]", "schema is None")])
def test_a_bad_file_is_named_with_its_path(tmp_path, text, said):
    path = tmp_path / "metrics.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadMetrics, match=said) as caught:
        load(path)
    assert str(path) in str(caught.value)
