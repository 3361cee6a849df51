"""Does a lost point name the line, and what its threads do there?"""
import pytest
from hpml_autograder.evidence import worst_line
from hpml_autograder.metrics import BankConflict, Kernel, LineAccess


def line(number=14, op="ld", requests=100, parts=3200, ideal=400, stride=8000, space="global") -> LineAccess:
    return LineAccess("k.cu", number, space, op, requests, parts, ideal, stride)


def kernel(*lines: LineAccess) -> Kernel:
    return Kernel("k", (1, 1, 1), (32, 1, 1), 1.0, False, {}, lines)


def test_it_says_where_how_much_and_how_far_apart():
    assert worst_line(kernel(line()), "global", ["ld"]) == (
        "k.cu, line 14: 32 sectors per load where 4 would do; neighbouring threads read addresses 2000 floats "
        "(8000 bytes) apart")


@pytest.mark.parametrize("entry, words", [
    (line(op="st", stride=32), "write addresses 8 floats (32 bytes) apart"),
    (line(ideal=800, stride=8208), "read addresses 1026 doubles (8208 bytes) apart"),
    (line(stride=None), "32 sectors per load where 4 would do"),
    (line(stride=0, parts=500), "read the same address"),
    (line(stride=-2000), "500 floats (2000 bytes) apart"),
    (line(space="shared", parts=3200, ideal=100, stride=128), "32 passes per load where 1 would do; neighbouring "
     "threads read addresses 128 bytes apart"),
])
def test_the_words_follow_the_access(entry, words):
    assert worst_line(kernel(entry), entry.space).endswith(words)


def test_bank_conflicts_name_lanes_words_and_bank():
    rows = BankConflict(4, tuple(1 + lane // 16 * 32 for lane in range(32)))
    entry = LineAccess("k.cu", 40, "shared", "ld", 100, 200, 100, 0, rows)
    assert worst_line(kernel(entry), "shared") == (
        "k.cu, line 40: 2 passes per load where 1 would do; lanes 0 and 16 read words 1 and 33, both in bank 1; the next row "
        "begins 32 words further; 33, which is a padding of 1, has no conflict")


def test_it_names_the_line_with_the_most_beyond_need():
    lines = (line(7, parts=400), line(8, requests=1000, parts=8000, ideal=4000), line(9, parts=3200))
    assert worst_line(kernel(*lines), "global").startswith("k.cu, line 8:")
    assert worst_line(kernel(line(3, parts=300), line(4, requests=9000, parts=36000, ideal=36000)), "global") == ""
    assert worst_line(kernel(line(3, parts=300), line(4, requests=9000, parts=36000, ideal=36000)), "global",
                      most=True).startswith("k.cu, line 4: 9000 requests, 36000 sectors")


def test_without_line_numbers_it_says_nothing():
    assert worst_line(kernel(), "global") == ""
    assert worst_line(kernel(line(op="st")), "global", ["ld"]) == ""
