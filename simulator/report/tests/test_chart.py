"""Are points where their figures put them, under the roofs that the kernels use, and names apart from each other?"""

import re

import pytest
from hpml_report import chart, compare
from hpml_report.labels import Label, Placer, meets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def test_a_point_per_level_says_where_it_is_and_which_roof_is_nearest(metrics, record):
    drawn = chart.svg(metrics(record("add(float*)", flops=1_000_000, dram=500_000, l2=1_000_000, l1=2_000_000)), None,
                      chart.WIDE)
    titles = re.findall(r"<title>(.*?)</title>", drawn)
    # 1,000,000 operations in 10 us; 500,000 bytes in 10 us are half of 100 GB/s
    assert titles == [f"1 add: 100 GFLOP/s at {at} FLOP per {level} byte; nearest roof: DRAM 50 %"
                      for level, at in (("DRAM", 2), ("L2", 1), ("L1", 0.5))]
    assert "1 add: DRAM 50 %" in drawn


def test_peaks_are_drawn_as_far_as_kernels_use_them(metrics, record):
    drawn = chart.svg(metrics(record(precision="fp64"), record("f(int)", precision="tensor")), None, chart.WIDE)
    assert "FP64 500 GFLOP/s" in drawn and "tensor 8,000 GFLOP/s" in drawn
    assert "FP32" not in drawn and "FP16" not in drawn
    for roof in ("DRAM 100 GB/s", "L2 400 GB/s", "L1 1,000 GB/s"):
        assert roof in drawn


def test_each_gpu_has_its_own_chart(metrics, record):
    other = record("on_other(float*)")
    other["device"] = 1
    shown = chart.panels(metrics(record(), other, gpu="t4,v100"), None)
    assert [panel.title for panel in shown] == ["t4", "v100"]
    assert "on_other" in chart.svg(metrics(record(), other, gpu="t4,v100"), None, chart.WIDE)


def test_a_program_without_floating_point_has_a_chart_without_points(metrics, record):
    assert "class=\"point" not in chart.svg(metrics(record(flops=0)), None, chart.WIDE)


@pytest.mark.parametrize("form", [chart.WIDE, chart.NARROW])
def test_names_of_kernels_at_one_place_do_not_overlap(monkeypatch, metrics, record, form):
    placers: list[Placer] = []
    real = chart.place
    monkeypatch.setattr(chart, "place", lambda *words: placers.append(real(*words)))
    kernels = [record(f"kernel_number_{i}(float*)", flops=1_000_000 + 1000 * i) for i in range(12)]
    chart.draw(metrics(*kernels), None, form, FigureCanvasAgg)
    boxes = [(text, box) for text, pieces in placers[0].placed for box in pieces]
    assert sum("GB/s" not in text and "GFLOP/s" not in text for text, _ in boxes) == 12
    apart = [(a, b) for i, (a, one) in enumerate(boxes) for b, two in boxes[i + 1:] if a != b and meets(one, two)]
    assert apart == []


def test_a_name_without_room_is_left_out_rather_than_drawn_over_another():
    figure = Figure(figsize=(1, 1), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    figure.draw_without_rendering()
    placer = Placer(figure, axes, [], 8)
    placer.put_around(Label("a name that is much longer than the picture is wide", 0.5, 0.5, "black"))
    assert placer.placed == [] and list(axes.texts) == []


def test_kernels_are_compared_by_name_and_what_is_left_is_told(metrics, record):
    wide = {**record("b(int)"), "grid": [9, 1, 1]}
    mine, other = metrics(record("a(int)", us=20.0), record("b(int)"), record("c(int)")), metrics(record("a(int)"), wide)
    found = compare.pairs(mine, other)
    assert [pair.title for pair in found] == ["a(int)", "b(int)", "c(int)"]
    assert [pair.note for pair in found] == ["", "the two are launched with different grids or blocks",
                                             "only here, not in the baseline"]
    time = compare.rows(found[0])[1]
    assert (time.title, time.ratio, time.remark) == ("time (us)", "2.00", "worse")


def test_one_kernel_on_each_side_is_compared_whatever_its_name(metrics, record):
    (pair,) = compare.pairs(metrics(record("mine(int)")), metrics(record("theirs(int)")))
    assert pair.note.startswith("compared with theirs(int)")
