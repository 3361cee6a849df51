"""Does the validator name each defect, with file, line and reason?"""
import re
import subprocess

import pytest
from hpml_quizzes import load, validate
from hpml_quizzes.errors import BadQuestion
from hpml_quizzes.paths import ROOT

NUM = '''title = "A sum"
week = 2
kind = "num"
points = 1
topic = "test"
source = "a test"
text = "What is {a} + {b}, in seconds?"
explanation = "{a} + {b} = {answer}."
[parameters]
a = {from = 1, to = 9}
b = {choose = [10, 20, 30, 40]}
[answer]
value = "a + b"
check = "sum([a, b])"
unit = "s"
decimals = 0
'''
MC = NUM.replace('kind = "num"', 'kind = "mc"').replace("decimals = 0", 'show = ""') + '''[[options]]
value = "a*b"
why = "multiplies"
[[options]]
value = "b - a"
why = "subtracts"
'''
MS = '''title = "Choices"
week = 1
kind = "ms"
points = 2
topic = "test"
source = "a test"
static = true
text = "Which are true?"
explanation = "The first."
[[options]]
text = "It is so"
true = true
group = "it"
[[options]]
text = "It is not so"
true = false
group = "it"
'''


def reasons(tmp_path, solver, text, draws=200):
    path = tmp_path / "question.toml"
    path.write_text(text, encoding="utf-8")
    try:
        return [str(problem) for problem in validate.stress(load.load(path), solver, draws).problems]
    except BadQuestion as error:
        return [str(error)]


@pytest.mark.parametrize("text", [NUM, MC, MS], ids=["num", "mc", "ms"])
def test_sound_questions_pass(tmp_path, solver, text):
    assert reasons(tmp_path, solver, text) == []


DEFECTS = {
    "an unknown key": (NUM, "points = 1", "pionts = 1", r":1: .*missing key 'points'|unknown key 'pionts'; did you mean 'points'"),
    "a misspelt key": (NUM, 'topic = "test"', 'topic = "test"\ncolour = "red"', r":6: .*unknown key 'colour'"),
    "bad TOML": (NUM, "points = 1", "points = = 1", r":4: "),
    "an empty unit": (NUM, 'unit = "s"', 'unit = ""', r":15: .*the unit is empty"),
    "no unit": (NUM, 'unit = "s"\n', "", r":12: .*missing key 'answer.unit'"),
    "no source": (NUM, 'source = "a test"', 'source = " "', r":6: .*the source is empty"),
    "an unused parameter": (NUM, "b = {choose", "c = {choose = [1, 2]}\nb = {choose", r":11: .*parameter c is never used"),
    "a parameter nobody is told": (NUM, "{a} + {b}, in", "{a} + b, in", r":11: .*parameter b decides the answer, but the student"),
    "a parameter that hides a function": (NUM, "b = {choose", "mean = {choose = [1, 2]}\nb = {choose", r":11: .*'mean' is taken: it is a function"),
    "a step named like a keyword": (NUM, "[answer]", '[solve]\nfrom = "a"\n[answer]', r":13: .*'from' cannot be a name"),
    "an unknown name": (NUM, '"a + b"', '"a + d"', r":13: .*there is no 'd'"),
    "a syntax error": (NUM, '"a + b"', '"a + "', r":13: .*not an expression"),
    "a forbidden expression": (NUM, '"a + b"', '"__import__(a)"', r":13: .*no function of expressions"),
    "a lambda": (NUM, '"a + b"', '"(lambda: a)()"', r":13: "),
    "two solvers that disagree": (NUM, '"sum([a, b])"', '"a + (1 if a > 8 else 0) + b"', r":13: .*the two solvers disagree: a \+ b = \d+, .*a = 9"),
    "a check that is the value rearranged": (NUM, '"sum([a, b])"', '"b - (-2*a)/2"', r":14: .*only rearranges the value"),
    "a check that goes through the same step": (NUM, '[answer]\nvalue = "a + b"\ncheck = "sum([a, b])"',
                                                '[solve]\nboth = "a + b"\n[answer]\nvalue = "both"\ncheck = "sum([both])"',
                                                r"value and check both use the step both"),
    "one solver only": (NUM, 'check = "sum([a, b])"\n', "", r":12: .*computed in one way only"),
    "an unreachable value": (NUM, "[parameters]", 'where = ["a < 9"]\n[parameters]', r"parameter a: 1 of its values are unreachable, such as 9"),
    "a guard nothing passes": (NUM, "[parameters]", 'where = ["a > 9"]\n[parameters]', r":9: .*100 draws in a row fail"),
    "an answer too large": (NUM, '"a + b"', '"10**6*(a + b)"', r"not between 1e-4 and 1e6|solvers disagree"),
    "a number shown rounded": (NUM, "b = {choose = [10, 20, 30, 40]}", "b = {choose = [10.25, 20, 30, 40]}", None),
    "a rounded placeholder": (NUM, "{a} + {b}, in", "{a} + {b/3|1}, in", r"depends on display rounding: \{b/3\}"),
    "a distractor that equals the key": (MC, '"b - a"', '"b - a if a < 9 else a + b"', r":\d+: .*a distractor equals the key"),
    "equal distractors": (MC, '"b - a"', '"a*b"', r"two distractors are equal|two options read"),
    "distractors within tolerance": (MC, '"b - a"', '"a*b + 0.0001"', r"two distractors are equal within the tolerance"),
    "two true options": (MC, 'why = "subtracts"', 'why = "subtracts"\ntrue = true', r"a question with one answer has 2 keyed options"),
    "no true option": (MS.replace('"ms"', '"mc"'), "true = true", "true = false", r"has 0 keyed options"),
    "exclusive options both keyed": (MS, "true = false", "true = true", r"contradictory: option \d .* cannot both be true"),
    "every option keyed": (MS.replace('group = "it"\n', ""), "true = false", "true = true", r"every option is keyed, and the question gives no reason"),
    "none of an exhaustive group": (MS.replace("true = true", "true = false"), "static = true", 'static = true\nexhaustive_groups = ["it"]', r"no option is keyed"),
    "the same number in two units": (MS.replace('group = "it"\n', ""), '"It is so"', '"1.8 TFLOPS"', None),
    "an unknown figure": (NUM, "[answer]", '[figure]\nname = "roof"\nalt = "a roof"\n[answer]', r":12: .*no figure 'roof'; there are"),
    "no alt text": (NUM, "[answer]", '[figure]\nname = "ring"\nalt = ""\nprocesses = "a + 2"\n[answer]', r":12: .*no alt text"),
    "a figure that cannot be drawn": (NUM, "[answer]", '[figure]\nname = "ring"\nalt = "x"\nsize = "a"\n[answer]', r"figure ring cannot be drawn"),
    "foreign markup": (NUM, "What is {a}", "What <script>is</script> {a}", r":\d+: .*'<script>' is no markup of ours"),
    "a control character": (NUM, "What is {a}", "What\\u0007 is {a}", r"control character U\+0007"),
    "a lonely brace": (NUM, "{a} + {b}, in", "{a} + {b}} , in", r":7: .*lonely '}'|is not an expression"),
    "an unknown style": (NUM, "{a} + {b}, in", "{a|x} + {b}, in", r":7: .*'x' is no style"),
    "an unknown model": (NUM, "[answer]", '[solve]\nm = {model = "amdal", p = "a"}\n[answer]', r":13: .*model amdal: no model 'amdal'; did you mean 'amdahl'"),
    "a wrong model input": (NUM, "[answer]", '[solve]\nm = {model = "gustafson", serial_fraction = "a", processors = "b"}\n[answer]', r":13: .*'serial_fraction' is \d+, must be between 0 and 1"),
    "an unknown fact": (MS, "true = true", 'fact = "key_properties: colour"', r":\d+: .*says nothing about 'colour'"),
    "a week that is none": (NUM, "week = 2", "week = 14", r":2: .*week is 14, must be 1 to 13"),
    "an unknown kind": (NUM, 'kind = "num"', 'kind = "nun"', r":3: .*kind 'nun' must be one of mc, tf"),
    "a question that never varies": (MS, "static = true\n", "", r"nothing varies between draws"),
}


@pytest.mark.parametrize("what", [what for what in DEFECTS if DEFECTS[what][3]])
def test_defects_are_named_with_file_and_line(tmp_path, solver, what):
    text, old, new, reason = DEFECTS[what]
    assert old in text
    found = reasons(tmp_path, solver, text.replace(old, new))
    assert any(re.search(reason, line) for line in found), found
    assert all(re.match(r".*question\.toml:\d+: question: ", line) for line in found)


def test_decimals_that_are_shown_exactly_pass(tmp_path, solver):
    text, old, new, _ = DEFECTS["a number shown rounded"]
    assert reasons(tmp_path, solver, text.replace(old, new).replace("decimals = 0", "decimals = 2")) == []


def test_the_same_number_in_two_units_is_refused(tmp_path, solver):
    text = MS.replace('group = "it"\n', "").replace('"It is so"', '"1.8 TFLOPS"').replace('"It is not so"', '"1800 GFLOPS"')
    assert any("two options are the same number" in line for line in reasons(tmp_path, solver, text))


def test_a_reason_allows_all_options_to_be_keyed(tmp_path, solver):
    text = MS.replace('group = "it"\n', "").replace("true = false", "true = true")
    assert reasons(tmp_path, solver, text.replace("static = true", 'static = true\nall_true_because = "asked for all"')) == []


def test_true_and_false_must_be_balanced(tmp_path, solver):
    text = MS.replace('"ms"', '"tf"').replace("static = true\n", "").replace("Which are true?", "{claim} {n}?").replace(
        'group = "it"\n', "").replace("true = false", "true = true") + "[parameters]\nn = {from = 1, to = 99}\n"
    assert any("true in 100 % of the draws" in line for line in reasons(tmp_path, solver, text))


def test_the_place_of_the_key_must_vary(tmp_path, solver):
    text = MC.replace("topic", "shuffle = false\ntopic")
    assert reasons(tmp_path, solver, text) == []      # said by the author
    assert any("option" in line or "uniform" in line for line in reasons(tmp_path, solver, MC.replace(
        '[[options]]\nvalue = "b - a"\nwhy = "subtracts"\n', '[[options]]\nvalue = "answer"\nwhy = "same"\n')))


def test_the_command_tells_every_problem_and_fails(tmp_path):
    (tmp_path / "bad.toml").write_text(NUM.replace('"sum([a, b])"', '"sum([a, -b])"'), encoding="utf-8")
    (tmp_path / "good.toml").write_text(NUM, encoding="utf-8")
    done = subprocess.run([ROOT / "tools/hpml", "quiz", "check", "--draws", "20", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"bad\.toml:13: bad: the two solvers disagree", done.stdout)
    assert done.stdout.endswith("1 of 2 questions are sound; 1 problems\n")


@pytest.mark.parametrize("precision", ["decimals = 0", 'tolerance = "1000 %"'])
def test_an_answer_that_nearly_every_number_hits_is_refused(tmp_path, solver, precision):
    text = NUM.replace('"a + b"', '"a/b + 1/7"').replace('"sum([a, b])"', '"(7*a + b)/(7*b)"').replace("{a} + {b}", "{a}/{b} + 1/7")
    assert not any("is right: give more decimals" in line for line in reasons(tmp_path, solver, text.replace("decimals = 0", "decimals = 3")))
    assert any("is right: give more decimals, or a smaller tolerance" in line
               for line in reasons(tmp_path, solver, text.replace("decimals = 0", precision)))
