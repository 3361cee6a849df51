"""Does the page say which source line asks how much of memory?"""
from hpml_report import page, source_lines
from hpml_report.metrics import parse


def entry(line, sectors, ideal=400, space="global", stride=4):
    parts = "wavefronts" if space == "shared" else "sectors"
    return {"file": "k.cu", "line": line, "space": space, "op": "ld", "requests": 100, parts: sectors,
            f"ideal_{parts}": ideal, "lane_stride_bytes": stride}


def with_lines(record, metrics_file, *lines):
    return parse("m.json", metrics_file({**record(), "lines": list(lines)}))


def test_the_line_with_the_most_beyond_need_comes_first(record, metrics_file):
    launch = with_lines(record, metrics_file, entry(3, 400), entry(4, 3200, stride=2000),
                        entry(5, 800)).launches[0]
    assert [at.line for at in source_lines.costliest(launch)] == [4, 5, 3]
    assert source_lines.cells(source_lines.costliest(launch)[0]) == ["100", "32.00", "4.00", "2000 B"]


def test_the_page_has_the_lines_and_marks_the_costly_ones(record, metrics_file):
    text = page.lines_section(with_lines(record, metrics_file, entry(3, 400), entry(14, 3200, stride=None),
                                         entry(20, 200, 100, "shared", 0)))
    assert "k.cu:14" in text and "differs" in text and "same address" in text
    assert text.count('class="worse"') == 2


def test_without_lines_there_is_no_section(record, metrics_file):
    assert page.lines_section(with_lines(record, metrics_file)) == ""
