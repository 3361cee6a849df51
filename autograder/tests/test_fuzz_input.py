"""Whatever is handed in, or written into a lab.toml: one clear line or a result, never a traceback."""
import os
import random
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest
from hpml_autograder import collect as collecting
from hpml_autograder import elf, labspec
from hpml_autograder.errors import UsageError
from hpml_autograder.labspec import Submit

ROOT = Path(__file__).resolve().parents[2]

LAB3 = (ROOT / "labs/lab3_cuda/lab.toml").read_text(encoding="utf-8")
SUBMIT = Submit(("a.cu", "b.cpp", "sub/c.txt"), 1000)
WORDS = ("true", "-1", "99999999999999999999", "\"\"", "[]", "{}", "1e999", "nan", "\"\\u0000\"", "[[]]", "'x'",
         "2020-01-01")


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_lab_description_is_one_line_or_still_one(seed, tmp_path):
    chance = random.Random(seed)
    lines = LAB3.splitlines()
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(lines))
        kind = chance.randrange(5)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, chance.choice(lines))
        elif kind == 2 and "=" in lines[at]:
            lines[at] = lines[at].split("=")[0] + "= " + chance.choice(WORDS)
        elif kind == 3:
            lines[at] = "".join(chr(chance.randrange(1, 0x250)) for _ in range(20))
        else:
            lines[at] = lines[at][:chance.randrange(len(lines[at]) + 1)]
    path = tmp_path / "lab.toml"
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    try:
        spec = labspec.load(path)
    except UsageError as error:
        assert str(path) in str(error) and "\n" not in str(error).strip()
        return
    assert sum(test.max_millipoints for test in spec.test if not spec.is_bonus(test)) == spec.total_millipoints


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"\x00" * 100, b"a = " + b"[" * 500,
                                     b"x = \"" + b"y" * 10 ** 6])
def test_bytes_that_are_no_lab_description_are_named(content, tmp_path):
    path = tmp_path / "lab.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="lab.toml"):
        labspec.load(path)


def test_a_lab_description_may_only_name_files_below_itself(tmp_path):
    for name in ("../x.cu", "/etc/shadow", "a/../../x", ""):
        table = tomllib.loads(LAB3)
        text = LAB3.replace(f'"{table["submit"]["files"][0]}", ', f'"{name}", ', 1)
        (tmp_path / "lab.toml").write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="lab.toml"):
            labspec.load(tmp_path / "lab.toml")


def plant(folder, chance: random.Random) -> None:
    """Anything in the place of a file of the hand-in."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("a.cu", "b.cpp", "sub", "sub/c.txt", "evil\nname", "-rf", "\udcff\udcfe", "x" * 200):
        path = folder / name
        try:
            what = chance.randrange(9)
            if what == 0:
                path.write_bytes(chance.randbytes(chance.choice((0, 10, 1000, 1001, 5000))))
            elif what == 1:
                path.symlink_to(chance.choice(("/etc/shadow", "a.cu", "/dev/zero", "nowhere", ".")))
            elif what == 2:
                os.mkfifo(path)
            elif what == 3:
                path.mkdir()
            elif what == 4:
                with socket.socket(socket.AF_UNIX) as sock:
                    sock.bind(str(path))
            elif what == 5:
                with open(path, "wb") as file:
                    file.truncate(1 << 30)
            elif what == 6:
                os.link("/etc/hostname", path)
            elif what == 7:
                path.write_bytes(b"int main() {}\n")
                path.chmod(0o6777)
        except OSError:
            continue


@pytest.mark.parametrize("seed", range(200))
def test_any_tree_gives_a_state_for_every_file_and_nothing_from_outside(seed, tmp_path):
    plant(tmp_path / "hand-in", random.Random(seed))
    files = collecting.collect(tmp_path / "hand-in", SUBMIT)
    assert [file.name for file in files] == list(SUBMIT.files)
    for file in files:
        assert file.state in (collecting.TAKEN, collecting.MISSING, collecting.REFUSED)
        assert len(file.content) <= SUBMIT.max_bytes and b"root:" not in file.content
        assert "\n" not in file.note


def test_a_folder_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "c.txt").write_text("secret", encoding="utf-8")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "sub").symlink_to(tmp_path / "outside")
    assert collecting.collect(tmp_path / "in", SUBMIT)[2].state == collecting.REFUSED


def test_a_hard_link_is_refused(tmp_path):
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (tmp_path / "in").mkdir()
    os.link(tmp_path / "secret", tmp_path / "in" / "a.cu")
    assert collecting.collect(tmp_path / "in", SUBMIT)[0].state == collecting.REFUSED


@pytest.fixture(scope="module")
def honest_object(tmp_path_factory) -> bytes:
    folder = tmp_path_factory.mktemp("object")
    (folder / "x.cpp").write_text("#include <vector>\nstd::vector<int> f(int n) { return std::vector<int>(n); }\n", encoding="utf-8")
    subprocess.run(["c++", "-c", "x.cpp", "-o", "x.o"], cwd=folder, check=True)
    return (folder / "x.o").read_bytes()


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_object_is_read_or_none_and_never_more_than_the_file(honest_object, seed, tmp_path):
    chance, data = random.Random(seed), bytearray(honest_object)
    headers = int.from_bytes(data[40:48], "little")
    for _ in range(chance.randint(1, 6)):
        first, end = chance.choice(((0, 64), (headers, len(data)), (0, len(data))))
        at = chance.randrange(first, end)
        data[at:at + 8] = chance.choice((chance.randbytes(8), b"\xff" * 8, bytes(8)))[:len(data) - at]
    path = tmp_path / "x.o"
    path.write_bytes(data[:chance.choice((len(data), chance.randrange(len(data))))])
    try:
        found = elf.read(path)
        found.dynamic_tags()
    except elf.NotAnObject:
        return
    assert all(len(section.content) <= len(data) for section in found.sections)


def test_an_object_that_takes_too_much_memory_is_not_read(tmp_path):
    with open(tmp_path / "x.o", "wb") as file:
        file.truncate(elf.MOST_BYTES + 1)
    with pytest.raises(elf.NotAnObject, match="more than 64 MB"):
        elf.read(tmp_path / "x.o")
