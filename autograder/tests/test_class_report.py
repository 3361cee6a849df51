"""Does the class report count rightly, name who needs a look and why, and let nobody's words act in it?"""
import random
import re
from html.parser import HTMLParser

import pytest
import random_records
from hpml_class.classreport import data as report
from hpml_class.classreport import page
from hpml_class.classreport.figures import bins
from hpml_class.similarity import Cluster, Group, Pair, clusters, groups, pairs, prints

KERNEL = """
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // one element each
  for (; i < n; i += gridDim.x * blockDim.x) { c[i] = a[i] + b[i]; if (c[i] > 100.0f) { c[i] = 100.0f - a[i] * 2.0f; } }
}
int sum(const float *c, int n) { double s = 0; for (int k = 0; k < n; ++k) { s += c[k] * c[k]; } return (int)s % 97; }
"""
OTHER = """
void merge(int *left, int *right, int *into, int m) {
  while (m-- > 0) { *into++ = (*left <= *right) ? *left++ : *right++; }
  switch (m) { case 0: break; case 1: into[0] = ~into[1]; break; default: return; }
  do { m <<= 1; into[m & 3] ^= left[m] | right[m]; } while (m < 64 && !into[m]);
}
"""


def make(number: int, **fields) -> dict:
    record = {**random_records.make(3), "status": "ok", "late": {"days": 0, "deduction_millipoints": 0}, **fields}
    record["submission"] = {**record["submission"], "id": f"s{number}"}
    return record


def one_test(verdict: str, points: int, **fields) -> dict:
    return {"id": "E0.t", "exercise": "E0", "kind": "correct", "visibility": "public", "max_millipoints": 1000,
            "millipoints": points, "verdict": verdict, "checked": "", "detail_public": "", "detail_staff": "",
            "metrics": {}, **fields}


def collected(records, alike=()):
    return report.collect("Lab", 0, ((f"s{number}", record) for number, record in enumerate(records)), alike)


def test_the_distribution_counts_everybody_once():
    assert bins([0, 99, 100, 999, 1000], 1000) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    records = [make(number, tests=[one_test("AC", 100 * number)], total_millipoints=100 * number, max_millipoints=1000)
               for number in range(11)]
    found = report.summary(collected(records))
    assert found["total_millipoints"] == {"mean": 500, "median": 500, "low": 250, "high": 750, "least": 0, "most": 1000}
    assert found["tests"] == {"E0.t": {"AC": 11}} and found["handins"] == found["graded"] == 11


def test_what_we_failed_to_grade_is_no_zero_in_the_statistics():
    good = make(0, tests=[one_test("AC", 1000)], total_millipoints=1000, max_millipoints=1000)
    failed = make(1, status="infra_error", tests=[one_test("XX", 0, detail_staff="disk full")], total_millipoints=0)
    found = report.summary(collected([good, failed]))
    assert found["total_millipoints"]["mean"] == 1000 and found["infra_error"] == 1
    assert found["look"]["s1"] == ["could not be graded: disk full"]


@pytest.mark.parametrize("tests, words", [
    ([one_test("INC", 0)], "pending: E0.t"), ([one_test("PV", 0, detail_public="dlopen")], "policy violation in E0: dlopen"),
    ([one_test("CE", 0, detail_public="a.cu does not compile: a.cu:1: error")], "E0 does not compile: a.cu:1: error"),
    ([one_test("AC", 1000), one_test("WA", 0, id="E0.h", visibility="hidden")], "E0 passes the public tests and fails E0.h"),
    ([one_test("WA", 0)], "scores what the unmodified starter scores")])
def test_who_needs_a_look_and_why(tests, words):
    status = "inconclusive" if tests[0]["verdict"] == "INC" else "ok"
    total = sum(test["millipoints"] for test in tests)
    (row, reasons), = collected([make(0, status=status, tests=tests, total_millipoints=total)]).look()
    assert row.id == "s0" and any(words in reason for reason in reasons)


def test_who_has_everything_right_needs_none():
    record = make(0, tests=[one_test("AC", 1000)], total_millipoints=1000)
    assert collected([record]).look() == []


def test_the_alike_and_the_slow_are_named():
    records = [make(number, tests=[one_test("AC", 1000)], total_millipoints=1000,
                    volatile={"wall_s": {"total": 100.0 if number == 5 else 10.0}}) for number in range(10)]
    look = report.summary(collected(records, [Pair("s1", "s2", 0.9, 20)]))["look"]
    assert look == {"s1": ["90% alike with s2"], "s2": ["90% alike with s1"], "s5": ["slow: 100 s, the median is 10 s"]}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attributes)
        if tag not in ("meta", "rect", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("rect", "line"):
            assert self.open.pop() == tag


def test_the_page_is_whole_and_nobodys_words_act_in_it():
    records = [random_records.make(seed) for seed in range(60)]
    for record in records:
        record["submission"]["id"] += "<script>alert(1)</script>"
    text = page.render(collected(records, [Pair(records[1]["submission"]["id"], records[2]["submission"]["id"], 0.8, 9)]))
    tags = Tags()
    tags.feed(text)
    assert tags.open == [] and "script" not in tags.found and "img" not in tags.found
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert not re.search("url\\(|@import", text)
    assert text.count("<svg") == 1 + 4 + len({test["id"] for record in records for test in record["tests"]})


def test_an_empty_class_has_a_page():
    assert "<h1>" in page.render(collected([]))


def test_renamed_and_reformatted_programs_are_alike():
    renamed = re.sub(r"\b(a|b|c|i|k|s|n)\b", lambda match: match.group() * 3, KERNEL).replace("  ", "\t").replace("100.0f", "7")
    assert prints(KERNEL) == prints(renamed.replace("one element each", "changed"))
    found = pairs({"ann": prints(KERNEL), "bob": prints(renamed), "cyd": prints(OTHER)})
    assert [(pair.first, pair.second, pair.share) for pair in found] == [("ann", "bob", 1.0)]


def test_what_the_starter_gave_and_what_everybody_writes_is_no_hint():
    class_of = {f"s{number}": prints(KERNEL) for number in range(30)}
    assert pairs(class_of) == []
    assert pairs({"ann": prints(KERNEL), "bob": prints(KERNEL)}, starter=prints(KERNEL)) == []
    class_of |= {"x": prints(KERNEL + OTHER), "y": prints(OTHER + KERNEL)}
    assert not any({pair.first, pair.second} & set(f"s{number}" for number in range(30)) for pair in pairs(class_of))


def written_alone(seed: int) -> set[str]:
    """Of a program that nobody else has written."""
    draw = random.Random(seed)
    return prints(" ".join(draw.choice(("+", "-", "*", "/", "(", ")", "[", "]", "if", "for", "while", "x", "1", "="))
                           for _ in range(200)))


@pytest.mark.parametrize("alike, alone, found", [(31, 29, [31]), (4, 6, [4]), (3, 7, []), (12, 48, []), (13, 47, [13])])
def test_more_than_a_fifth_of_a_class_that_are_alike_are_one_group(alike, alone, found):
    class_of = {f"a{number:02}": prints(KERNEL) | {f"own {number}"} for number in range(alike)}
    class_of |= {f"b{number:02}": written_alone(number) for number in range(alone)}
    result = groups(class_of, (), "add.cu")
    assert [len(group.members) for group in result] == found
    assert all(group.file == "add.cu" and group.members[0] < "b" for group in result)
    assert groups(class_of, prints(KERNEL), "add.cu") == []


def test_two_sources_are_two_groups():
    class_of = {f"s{number:02}": prints(KERNEL if number < 12 else OTHER) for number in range(22)}
    assert [sorted(group.members)[0] for group in groups(class_of, (), "a.cu")] == ["s00", "s12"]


def test_a_group_is_one_line_of_the_report():
    records = [make(number, tests=[one_test("AC", 1000)], total_millipoints=1000) for number in range(60)]
    found = report.collect("Lab", 0, ((f"s{number}", record) for number, record in enumerate(records)), [],
                           [Group("a.cu", tuple(f"s{number}" for number in range(31)))])
    assert page.render(found).count("31 of 60 hand-ins are alike in a.cu: probably given code or a shared source; look at two "
                                    "of them, s0 and s1") == 1
    assert report.summary(found)["alike_groups"][0]["file"] == "a.cu" and report.summary(found)["look"] == {}


def test_short_or_empty_programs_say_nothing():
    assert prints("") == set() and pairs({"a": prints("int x;"), "b": prints("int x;")}) == []


def test_who_hang_together_are_one_line_however_many_pairs_they_are():
    names = [f"s{number}" for number in range(7)]
    found = [Pair(one, other, 0.9, 30) for at, one in enumerate(names) for other in names[at + 1:]]
    found += [Pair("s7", "s8", 0.7, 12), Pair("s8", "s9", 1.0, 14)]
    assert clusters(found) == [Cluster(("s7", "s8", "s9"), 0.7, 1.0, 14), Cluster(tuple(names), 0.9, 0.9, 30)]
    records = [make(number, tests=[one_test("AC", 1000)], total_millipoints=1000) for number in range(10)]
    data = collected(records, found)
    text = page.render(data).split("<h2>Alike</h2>")[1].split("<h2>")[0]
    assert text.count("<tr>") == 3 and "s0; s1; s2; s3; s4; s5; s6" in text and "70% to 100%" in text
    assert dict((row.id, reasons) for row, reasons in data.look())["s0"] == ["90% alike with s1, s2, s3 and 3 more"]


def test_what_the_page_leaves_out_of_the_alike_is_said():
    found = [Pair(f"a{number:03}", f"b{number:03}", 0.9, 30) for number in range(60)]
    ids = [pair.first for pair in found] + [pair.second for pair in found]
    records = [{**make(0), "submission": {**make(0)["submission"], "id": name}} for name in ids]
    assert "10 more are in summary.json" in page.render(collected(records, found))
