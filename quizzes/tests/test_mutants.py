"""Is a wrong operator in what computes a key noticed?"""
from hpml_quizzes import load, mutate
from test_validator import NUM


def test_no_change_of_one_operator_gives_a_question_of_the_bank_a_wrong_key(bank, solver):
    results = {name: mutate.examine(template, solver, 8) for name, template in bank.items()}
    assert {name: [one.change for one in result.survived] for name, result in results.items() if result.survived} == {}
    assert sum(result.noticed for result in results.values()) > 300


def test_a_second_way_that_uses_the_first_is_blind_and_named(tmp_path, solver):
    path = tmp_path / "question.toml"
    blind = NUM.replace('[answer]\nvalue = "a + b"', '[solve]\ntotal = "a + b"\n[answer]\nvalue = "total"')
    for check, survived in (("sum([total])", ["a + b -> a - b"]), ("sum([a, b])", [])):
        path.write_text(blind.replace('check = "sum([a, b])"', f'check = "{check}"'), encoding="utf-8")
        assert [one.change for one in mutate.examine(load.load(path), solver, 20).survived] == survived


def test_conditions_of_must_hold_are_a_second_way(tmp_path, solver):
    path = tmp_path / "question.toml"
    alone = NUM.replace('check = "sum([a, b])"\n', "").replace('kind = "num"\n', 'kind = "num"\nmust_hold = ["answer - b == a"]\n')
    path.write_text(alone, encoding="utf-8")
    assert mutate.examine(load.load(path), solver, 20).noticed == 1
