"""The questions, judged on a table made up here."""
import lab1_answers as answers
import pytest

TIMES = {"C1": (1e-3, 0.4), "C2": (3e-4, 0.2), "C3": (2e-4, 0.05), "C4": (0.2, 60.0), "C5": (2e-4, 0.05)}


def table() -> dict:
    rows = []
    for exercise, times in TIMES.items():
        for n, t in zip((10**6, 3 * 10**8), times):
            rows.append({"exercise": exercise, "N": n, "T_s": t, "gflops": 2 * n / t / 1e9,
                         "fraction": 2 * n / t / 1e9 / 7.5})
    return {"q2_points": rows, "q4_exact": 3 * 10**8,
            "q4_R": {"C1": 16777216, "C2": 67108864, "C3": 300000000, "C4": 16777216, "C5": 268435456}}


def test_the_roof_of_the_given_machine():
    assert answers.roof(answers.INTENSITY) == 7.5
    good = {"q2_ridge": 6.667, "q2_roof_gflops": 7.5, "q2_bound": "memory"}
    assert answers.roofline(good) == ["", "", ""]
    assert sum(map(bool, answers.roofline({**good, "q2_ridge": 6.6, "q2_bound": "compute"}))) == 2


def test_points_are_recomputed_from_their_own_times():
    assert answers.points(table()) == [""] * 10
    copied = table()
    copied["q2_points"][0]["T_s"] *= 1.02
    assert sum(map(bool, answers.points(copied))) == 1
    assert "C1 1000000" in answers.points(copied)[0]


@pytest.mark.parametrize("spoil", [lambda rows: rows.pop(), lambda rows: rows[0].pop("T_s"),
                                   lambda rows: rows[0].update(T_s=0), lambda rows: rows[0].update(N=True),
                                   lambda rows: rows[1].update(N=10**6), lambda rows: rows[0].update(exercise="C6")])
def test_an_incomplete_table_is_named(spoil):
    bad = table()
    spoil(bad["q2_points"])
    assert answers.points(bad)[0].startswith("q2_points")


def test_points_under_and_above_the_roof_are_those_of_the_own_table():
    under = answers.selection("q2_under", lambda part: part < 0.5)
    good = ["C1 1000000", "C1 300000000", "C2 300000000", "C4 1000000", "C4 300000000"]
    assert under({**table(), "q2_under": good}) == [""]
    assert under({**table(), "q2_under": good[1:]}) != [""]
    above = answers.selection("q2_above", lambda part: part > 1)
    assert above({**table(), "q2_above": ["C3 1000000", "C3 300000000", "C5 1000000", "C5 300000000"]}) == [""]


def test_sums_that_floats_cannot_give_are_refused():
    assert answers.values(table()) == [""] * 5
    wrong = table()
    wrong["q4_R"]["C1"] = 300000000
    wrong["q4_R"]["C3"] = 299000000
    assert [bool(sentence) for sentence in answers.values(wrong)] == [True, False, True, False, False]


def test_the_second_halfs_effect_needs_both_and_nothing_wrong():
    right = ["removes_warmup", "fewer_samples_more_variance"]
    assert answers.effect({"q1_effect": right}) == answers.effect({"q1_effect": [*right, "biased_low_vs_all"]}) == [""]
    for wrong in (right[:1], [*right, "halves_the_bandwidth"], "removes_warmup", [1]):
        assert answers.effect({"q1_effect": wrong}) != [""]
