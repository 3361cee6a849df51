"""What the grader itself reads of a hand-in, with the rights of its user: any bytes give a result or a clear refusal, soon."""
import os
import random

import pytest
from hpml_autograder import answers, dependencies, untrusted
from hpml_autograder.answers import read_answers
from hpml_autograder.labspec import Program
from hpml_autograder.staging import Stage
from hpml_class import requests, similarity
from hpml_class.errors import UsageError

FORM = ('schema = "hpml.regrade-request/v1"\nlab = "lab3"\nhandin = "ann"\nrecord = "4fdd8c3dac7a5a05"\n'
        '[[request]]\ntest = "A2.time"\nreason = "it is fast"\n')
ANSWERS = 'schema = "hpml.lab3.answers/v1"\ngpu = "t4"\n[vecadd]\n"00" = [1.0, 2.0, 3.0]\n[rules]\ncoalescing = "x"\n'
SOURCE = '#include "near.h"\n  #  include <far.h>\nint main() { return 0; }\n'
PIECES = ("[" * 300, "{a=" * 200, '"', "'''", "\0", "\x1b[2J", "\ufeff", "9" * 5000, "1e999", "nan", "-inf", "\\u0000", "[[request]]\n",
          "a" * 3000, ".a" * 1500, "=\n", "#include " * 200, '#include "../../../etc/shadow"\n', "\u202e", "\U0001f600", "\r", "0x" + "f" * 400)


def damaged(text: str, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 5)):
        at, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        text = chance.choice((text[:at] + chance.choice(PIECES) + text[at:], text[:at] + text[end:], text[end:] + text[:at], text * 2))
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randrange(4)):
        data[chance.randrange(len(data) or 1):][:1] = bytes([chance.randrange(256)])
    return bytes(data[:64 * 1024]) + chance.choice((b"", b"\xff", b"\xed\xa0\x80"))


@pytest.mark.parametrize("seed", range(3))
def test_any_answers_are_a_table_of_moderate_size_or_a_sentence(seed, tmp_path):
    chance = random.Random(seed)
    for _ in range(60):
        (tmp_path / answers.FILE).write_bytes(damaged(ANSWERS, chance))
        found = read_answers(tmp_path)
        assert isinstance(found, dict) or found.startswith(answers.FILE) and "\n" not in found


@pytest.mark.parametrize("seed", range(3))
def test_any_request_for_a_regrade_is_read_or_one_line(seed, tmp_path):
    chance = random.Random(seed)
    for _ in range(60):
        path = tmp_path / requests.FILE
        path.write_bytes(damaged(FORM, chance))
        try:
            assert requests.load(path).schema == requests.SCHEMA
        except UsageError as error:
            assert "\n" not in str(error)


def test_a_request_that_is_no_file_is_named_and_not_waited_for(tmp_path):
    (tmp_path / "secret").write_text(FORM, encoding="utf-8")
    (tmp_path / "link.toml").symlink_to(tmp_path / "secret")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.toml")
    with open(tmp_path / "large.toml", "wb") as file:
        file.truncate(1 << 40)
    for path in tmp_path.glob("*.toml"):
        with pytest.raises(UsageError, match=path.name):
            requests.load(path)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_file_includes_only_staged_files_are_looked_at(seed, tmp_path):
    chance = random.Random(seed)
    (tmp_path / "src").mkdir()
    stage = Stage(tmp_path / "src", tmp_path / "work")
    (stage.src / "near.h").write_text("", encoding="utf-8")
    for _ in range(40):
        (stage.src / "own.cpp").write_bytes(damaged(SOURCE, chance))
        found = dependencies.files_of(Program("own", "native", ("own.cpp",)), stage)
        assert {path.name for path in found} <= {"own.cpp", "near.h"} and stage.src / "own.cpp" in found


def test_any_text_has_fingerprints_that_are_no_more_than_its_words():
    chance = random.Random(1)
    for _ in range(60):
        text = damaged(SOURCE, chance).decode("utf-8", "replace")
        assert len(similarity.prints(text)) <= len(text)


@pytest.mark.parametrize("make", [lambda path: path.symlink_to("/etc/passwd"), os.mkfifo, lambda path: path.mkdir(),
                                  lambda path: path.symlink_to("/dev/zero")])
def test_what_lies_where_a_sandbox_could_write_is_read_only_if_it_is_a_file(make, tmp_path):
    make(tmp_path / "dump.bin")
    with pytest.raises(untrusted.Refused):
        untrusted.read(tmp_path / "dump.bin", 1 << 20)
