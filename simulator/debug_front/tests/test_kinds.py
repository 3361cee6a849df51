"""Are values of all types shown as numbers, and do their writers follow through local memory?"""
import functools
import re

import pytest
from debug_sessions import HERE, Session, compiled, line_of


line_with = functools.partial(line_of, (HERE / "kinds.cu").read_text())


@pytest.fixture(scope="module", params=["clang", "nvcc"])
def kinds(request, tmp_path_factory):
    return compiled(request, tmp_path_factory, HERE / "kinds.cu", "kinds")


@pytest.fixture
def debug(kinds):
    session = Session(kinds)
    yield session
    session.close()


LAST, SUM = line_with("out[i + 32] ="), line_with("out[i] =")


def shown(debug: Session, expression: str) -> str:
    return debug(f"print {expression}").partition(" = ")[2].strip()


def test_numbers_of_16_bits_are_numbers(debug):
    debug(f"break kinds.cu:{LAST} if i == 7 && halves[i] > 3 && brains[i] == 14")
    assert "thread (7,0,0)" in debug("run")
    assert (shown(debug, "halves[3]"), shown(debug, "brains[3] + 0.5"), shown(debug, "*halves@3")) == ("1.5", "6.5", "{0, 0.5, 1}")
    assert debug("x/3hf halves").endswith(":\t0\t0.5\t1\n")
    debug("set var halves[3] = -0.1")
    debug("set var brains[3] = 1e30")
    assert shown(debug, "halves[3]").startswith("-0.0999") and shown(debug, "brains[3]").startswith("1.0")


def test_bytes_without_a_sign_and_constants_of_enumerations_are_what_the_source_says(debug):
    debug(f"break kinds.cu:{LAST} if color == blue")
    assert "thread (3,0,0)" in debug("run")
    assert (shown(debug, "byte"), shown(debug, "byte / 2"), shown(debug, "color"), shown(debug, "Color::green + 1")) == ("203", "101", "blue", "6")
    assert debug("set var color = green").startswith("color = green\n") and shown(debug, "color") == "green"
    assert debug("whatis byte") == "type = unsigned char\n" and debug("ptype halves") == "type = __half *\n"
    assert "functions cannot be called" in debug("print byte()") and "`set var NAME" in debug("print byte = 3")


@pytest.mark.parametrize("lane", [3, 20])
def test_the_writer_of_a_local_variable_is_found_whatever_its_size(debug, lane):
    debug(f"break kinds.cu:{SUM} if i == {lane}")
    debug("run")
    debug("tbreak " + str(LAST))
    debug("continue")
    debug(f"cuda thread {lane}")
    text = debug(f"who/4 out[{lane}]")
    for value, of in ((f"{lane}.25", "reals[1] = i"), (str(1000 + lane), "words[1] = 1000"), (str(100 + lane), "bytes[1] = 100")):
        assert re.search(rf"from .* = {re.escape(value)}(?: '.')?: kinds\.cu:{line_with(of)}, block \(0,0,0\) thread \({lane},0,0\)", text), text


def test_an_error_that_is_the_same_in_all_lanes_is_told_once(debug):
    debug("break kinds")
    debug("run")
    assert debug("lanes nothing").count("no variable 'nothing'") == 1


def test_what_cannot_be_done_is_told_once(debug):
    debug("break kinds")
    debug("run")
    assert debug("finish").count("the kernel itself") == 1 and debug("reverse-finish").count("the kernel itself") == 1
