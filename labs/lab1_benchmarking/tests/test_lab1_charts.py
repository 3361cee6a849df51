"""Charts and page from numbers made up here."""
import json
import re
import shutil
import subprocess

import lab1_charts as charts
import lab1_more_charts as more
import lab1_page as page
import lab1_scaling as scaling
import lab1_series as series
import pytest
from lab1_output import Printed


PRODUCTS = [series.Product("naive", 512, 0.5, 0.5, 0.25), series.Product("vector", 512, 0.05, 5.0, 14.2)]


def made_up() -> tuple[list[series.Point], series.Roof]:
    points = []
    for exercise, t in zip(("C1", "C2", "C3", "C4", "C5"), (1e-3, 3e-4, 2e-4, 0.2, 2e-4)):
        for n, factor in ((10**6, 1), (10**8, 150)):
            time = t * factor
            points.append(series.Point(exercise, n, 4, Printed(n, time, 8 * n / time / 1e9, 2 * n / time / 1e9, float(n))))
    ladder = {kernel: [(1 << 14, 100.0), (1 << 20, 60.0), (1 << 28, 12.0)] for kernel in ("read", "dot", "triad")}
    return points, series.Roof({"avx2": 90.0, "sse2": 24.0}, ladder)


def test_charts_of_the_same_numbers_are_the_same_bytes_and_name_every_point(tmp_path):
    points, roof = made_up()
    drawn = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        drawn.append([*charts.draw_roofline(points, PRODUCTS, roof, tmp_path / name), *charts.draw_ladder(roof, tmp_path / name)])
    assert [path.name for path in drawn[0]] == ["lab1_roofline.svg", "lab1_roofline.png", "lab1_ladder.svg",
                                                "lab1_ladder.png"]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(*drawn))
    svg = drawn[0][0].read_text(encoding="utf-8")
    assert all(name in svg for name in charts.NAMES.values()) and "200 GFLOP/s, 30 GB/s" in svg and "matrices, vector" in svg
    assert "KiB" not in svg and charts.size_label(2**20) == "1.05 MB"


def test_the_roof_bends_at_the_ridge():
    x, y = charts.line(200, 30)
    assert x[1] == 200 / 30 and y[1] == y[2] == 200 and y[0] == charts.LOW * 30


def test_the_page_stands_alone_and_prints(tmp_path):
    points, roof = made_up()
    text = page.write(tmp_path / "lab1.html", (series.table_rows(points), series.product_rows(PRODUCTS)),
                      (points, PRODUCTS), roof, ["a <fact>"],
                      more.draw_scaling(scaling.Scaling(((1, 1.0), (2, 0.6))), tmp_path)[:1]).read_text("utf-8")
    assert text.count("<svg") == 3 and "Amdahl" in text
    assert "a &lt;fact&gt;" in text and "@media print" in text
    assert not re.search(r"(src|href)=\"[^#]", text)
    figures = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))
    assert [figure["id"] for figure in figures] == ["roofline", "ladder"]
    assert len(figures[0]["points"]) == 12 and len(figures[1]["points"]) == 9


def test_ratios_are_of_the_smaller_size():
    says = series.ratios(made_up()[0])  # 1e-3, 3e-4, 2e-4, 0.2 and 2e-4 s
    assert says.startswith("times at N = 1000000: C1 / C2 = 3.33 ") and "C4 / C1 = 200 (usual: more than 20)" in says


def test_a_browser_draws_every_mark(tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no browser to open the page with")
    points, roof = made_up()
    path = page.write(tmp_path / "lab1.html", (series.table_rows(points), []), (points, PRODUCTS), roof, [])
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile",
                           "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.count("<circle") == 12 + 9 and done.stdout.count("<polyline") == 3 + 3, done.stderr[-500:]
    assert "NaN" not in done.stdout and "undefined" not in done.stdout.split("<script")[0]


def test_what_is_inconclusive_is_a_ring_in_both_ladders(tmp_path):
    def case(size, verdict):
        return {"unit": "byte", "name": f"read/{size}", "size": size, "best_rate_per_s": 1e10, "verdict": verdict}
    peak = {"unit": "flop", "level": "sse2", "best_rate_per_s": 1e10}
    roof = series.roof_of({"cases": [peak, case(4096, "tight"), case(8192, "inconclusive: the machine is busy")]})
    assert [point["hollow"] for point in page.ladder_figure(roof)["points"]] == [False, True]
    assert "rings: inconclusive" in charts.draw_ladder(roof, tmp_path)[0].read_text(encoding="utf-8")


def test_the_answers_part_is_what_the_judge_accepts():
    import tomllib

    import lab1_answers as answers
    points, _ = made_up()
    table = tomllib.loads(series.answers_toml(points, solved=True))
    assert answers.points(table) == [""] * 10 and answers.exact(table) == [""]


def test_neither_the_bench_nor_a_reason_tells_what_the_roof_is():
    import tomllib

    import lab1_answers as answers
    points, _ = made_up()
    table = tomllib.loads(series.answers_toml(points))
    assert {row["fraction"] for row in table["q2_points"]} == {0}
    for row in table["q2_points"]:
        row["fraction"] = 0.123
    roof, first = answers.roof(answers.INTENSITY), points[0]
    said = answers.points(table)[0]
    assert "0.123 is not the part" in said and f"{first.gflops / roof:.3g}" not in said and f"{roof:g}" not in said


def test_a_measurement_fills_in_a_whole_answer_and_again():
    import tomllib

    import lab1_answers as answers
    points, _ = made_up()
    starter = (charts.Path(answers.__file__).parents[1] / "src/answers.toml").read_text(encoding="utf-8")
    once = series.solved(starter, points, "a machine")
    assert series.solved(once, points, "a machine") == once and once.count("# Measured: a machine\n") == 1
    table = tomllib.loads(once)
    for problems in (answers.points, answers.exact, answers.selection("q2_under", lambda part: part < 0.5),
                     answers.selection("q2_above", lambda part: part > 1)):
        assert not any(problems(table)), problems(table)
    assert table["q2_bound"] == "" and table["q4_R"]["C4"] == 10**8


def test_the_error_of_naive_sums_grows_and_that_of_pairwise_sums_does_not():
    found = more.sum_errors("tenths", [2**10, 2**16, 2**20])
    assert found["naive"][0] < found["naive"][1] < found["naive"][2] and max(found["pairwise"]) < 1e-6


def test_a_fit_finds_the_law_that_made_the_times(tmp_path):
    known = scaling.Scaling(tuple((p, 0.1 + 0.9 / p) for p in (1, 2, 4, 8)))
    assert known.fit() == pytest.approx((0.1, 0.9)) and known.words().startswith("1:1.000000 2:0.550000")
    for path in more.draw_scaling(known, tmp_path):
        assert path.stat().st_size > 0
    assert "F = 0.900" in (tmp_path / "lab1_scaling.svg").read_text("utf-8")


@pytest.mark.alone  # a signal samples it, which needs the main thread: the processes of pytest-xdist may run tests in another
def test_the_measured_program_scales_and_is_sampled(tmp_path):
    times = dict(scaling.measure_scaling().times)
    assert set(times) == set(scaling.THREADS) and min(times.values()) > 0
    samples = scaling.measure_samples()
    assert 0 < samples.truth < 1 and samples.hits[-1] <= samples.totals[-1]
    assert all(path.exists() for path in more.draw_samples(samples, tmp_path))
