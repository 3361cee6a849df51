"""Are bad files and bad words refused in one line with exit code 2, and good ones served with the same bytes?"""

import json

import pytest
from hpml_report.cli import main


@pytest.fixture
def good(tmp_path, record, metrics_file):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(metrics_file(
        record("void scale<float>(float*)", precision="fp32", flops=5_000_000),
        record("count(int*)", flops=0, start=120.0),
        record("void scale<float>(float*)", us=30.0, start=140.0),
        memcpy=[{"kind": "HtoD", "bytes": 4096, "start_us": 50.0, "duration_us": 3.0, "stream": 0, "device": 0}],
        api=[{"name": "cudaMalloc", "start_us": 60.0, "duration_us": 20.0, "result": "cudaSuccess"}],
        unified_memory={"demand_paging": True, "fault_groups": 3, "cpu_faults": 1})), encoding="utf-8")
    return str(path)


def test_text_shows_every_kernel_once_with_its_launches(good, capsys):
    assert main(["profile", good]) == 0
    shown = capsys.readouterr().out
    assert shown.count("void scale<float>(float*)") == 1
    assert "2 launches" in shown and "fault_groups 3" in shown
    assert shown.startswith("t4, mode auto: 3 launches of 2 kernels, 50 us in kernels, 3 us in 1 copies")


def test_a_metric_is_printed_per_launch(good, capsys):
    name = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
    assert main(["profile", good, "--metric", name]) == 0
    assert capsys.readouterr().out.splitlines() == [f"scale<float>\t{name}\t1.0", f"count\t{name}\t1.0",
                                                    f"scale<float>\t{name}\t1.0"]


def test_an_unknown_metric_is_an_error_that_names_near_ones(good, capsys):
    assert main(["profile", good, "--metric", "sm__througput.avg.pct_of_peak_sustained_elapsed"]) == 2
    said = capsys.readouterr().err
    assert "did you mean sm__throughput.avg.pct_of_peak_sustained_elapsed" in said and said.count("\n") == 1


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_the_same_file_gives_the_same_bytes(good, tmp_path, suffix):
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    assert [main(["roofline", good, "-o", str(path)]) for path in files] == [0, 0]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert str(tmp_path).encode() not in files[0].read_bytes()


def test_the_page_is_one_file_with_all_its_parts(good, tmp_path):
    page = tmp_path / "r.html"
    assert main(["profile", good, "-o", str(page), "--baseline", good]) == 0
    text = page.read_text(encoding="utf-8")
    for part in ("Summary", "Compared with the baseline", "Kernels", "Roofline", "Stalls", "Memory", "Unified memory",
                 "Time line", "void scale&lt;float&gt;(float*)", "cudaMalloc", "HtoD 4,096 bytes"):
        assert part in text, part
    outside = [word for word in ("<link", "<img", "<iframe", " src=", "@import", "url(http") if word in text]
    assert outside == []
    assert "Not in the chart, for they do no floating-point operations: 2 count." in text


def test_names_cannot_break_out_of_the_page(tmp_path, record, metrics_file):
    source, page = tmp_path / "m.json", tmp_path / "r.html"
    source.write_text(json.dumps(metrics_file(record("<script>alert(1)</script>"))), encoding="utf-8")
    assert main(["profile", str(source), "-o", str(page)]) == 0
    assert "<script>alert" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("content, said", [
    ("{", "is not JSON"), ("[]", "schema is None"), ('{"schema": "x"}', "schema is 'x'"),
    ('{"schema": "gpusim/metrics/v1", "gpu": "t4", "mode": "auto", "kernels": [{}]}', "lacks 'demangled'"),
    ('{"schema": "gpusim/metrics/v1", "gpu": "t4", "mode": "auto", "kernels": 7}', "wrong kind")])
def test_a_bad_file_is_one_line(tmp_path, capsys, content, said):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    assert main(["profile", str(path)]) == 2
    err = capsys.readouterr().err
    assert said in err and str(path) in err and err.count("\n") == 1


def test_a_program_without_kernels_has_nothing_to_show(tmp_path, capsys, metrics_file):
    path = tmp_path / "none.json"
    path.write_text(json.dumps(metrics_file()), encoding="utf-8")
    assert main(["profile", str(path)]) == 2
    assert "has no kernels" in capsys.readouterr().err


@pytest.mark.parametrize("words, said", [
    (["roofline", "m.json", "-o", "r.gif"], "r.gif"), (["roofline", "m.json", "-o", "/nowhere/r.svg"], "/nowhere"),
    (["profile", "m.json", "-o", "r.svg"], ".html"), (["roofline", "m.json"], "-o"), (["profile", "/no.json"], "/no.json"),
    (["profile", "m.json", "--baseline", "/no.json"], "/no.json")])
def test_wrong_use_is_one_line(good, capsys, words, said):
    assert main([good if word == "m.json" else word for word in words]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


def test_without_matplotlib_the_package_to_install_is_named(good, capsys, monkeypatch, tmp_path):
    def absent(_options, _metrics, _baseline):
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    monkeypatch.setattr("hpml_report.cli.draw", absent)
    assert main(["roofline", good, "-o", str(tmp_path / "r.svg")]) == 3
    err = capsys.readouterr().err
    assert "apt-get install python3-matplotlib" in err and err.count("\n") == 1
