"""Can an archive write outside its directory, fill the disk, or stop the grader?"""
import gzip
import io
import random
import stat
import struct
import tarfile
import zipfile

import pytest
from hpml_autograder.archive import Caps, Refused, unpack


def make_zip(path, files, mode=0):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, content)
    return path


def make_tar(path, members, mode="w:gz"):
    with tarfile.open(path, mode) as file:
        for info, content in members:
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return path


def tar_info(name, kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_a_tar_is_unpacked(tmp_path, mode):
    archive = make_tar(tmp_path / "a.tar", [(tar_info("src/a.cu"), b"a"), (tar_info("./b.cu"), b"bb")], mode)
    unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/src/a.cu").read_bytes() == b"a" and (tmp_path / "out/b.cu").read_bytes() == b"bb"


def test_a_zip_is_unpacked_without_its_modes(tmp_path):
    unpack(make_zip(tmp_path / "a.zip", [("src/", b""), ("src/a.cu", b"a")], stat.S_IFREG | 0o4777), tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out/src/a.cu").stat().st_mode) & 0o7111 == 0


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/etc/evil", "-rf", "a\nb", "a\\..\\b", "a\x1b[2J", "x" * 300,
                                  "/".join("d" * 20) + "/f"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path, name):
    for archive in (make_zip(tmp_path / "a.zip", [("ok.cu", b"1"), (name, b"2")]),
                    make_tar(tmp_path / "a.tar", [(tar_info("ok.cu"), b"1"), (tar_info(name), b"2")])):
        with pytest.raises(Refused):
            unpack(archive, tmp_path / "out" / archive.suffix[1:])
    assert {path.name for path in tmp_path.iterdir()} == {"a.zip", "a.tar", "out"}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE])
def test_links_and_devices_are_refused(tmp_path, kind):
    archive = make_tar(tmp_path / "a.tar", [(tar_info("a.cu", kind, "/etc/shadow"), b"")])
    with pytest.raises(Refused, match="neither a file nor a folder"):
        unpack(archive, tmp_path / "out")


def test_a_symbolic_link_in_a_zip_is_refused(tmp_path):
    with pytest.raises(Refused, match="neither a file"):
        unpack(make_zip(tmp_path / "a.zip", [("a.cu", "/etc/shadow")], stat.S_IFLNK | 0o777), tmp_path / "out")


def test_a_bomb_is_refused_before_it_is_written(tmp_path):
    archive = make_zip(tmp_path / "a.zip", [("a.cu", b"\0" * (40 << 20))])
    with pytest.raises(Refused, match="larger than allowed"):
        unpack(archive, tmp_path / "out")
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*")) < 17 << 20


def test_a_header_that_asks_for_a_gigabyte_is_refused(tmp_path):
    """A GNU long name of 1 GiB of zeros, which compresses to one MiB."""
    header = tarfile.TarInfo("long")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    archive = tmp_path / "a.tar.gz"
    with gzip.open(archive, "wb") as file:
        file.write(header.tobuf(tarfile.GNU_FORMAT))
        for _ in range(64):
            file.write(bytes(1 << 20))
    with pytest.raises(Refused, match="65536 are allowed"):
        unpack(archive, tmp_path / "out")


def test_caps_on_count_size_and_doubles(tmp_path):
    many = make_zip(tmp_path / "many.zip", [(f"f{number}", b"") for number in range(20)])
    with pytest.raises(Refused, match="more than 10 entries"):
        unpack(many, tmp_path / "o1", Caps(entries=10))
    with pytest.raises(Refused, match="bytes; 5 are allowed"):
        unpack(many, tmp_path / "o2", Caps(archive_bytes=5))
    with pytest.raises(Refused, match="occurs twice"):
        unpack(make_zip(tmp_path / "case.zip", [("A.cu", b""), ("a.cu", b"")]), tmp_path / "o3")


def test_random_bytes_are_refused_or_harmless(tmp_path):
    """Damaged archives of both kinds: nothing but Refused, nothing outside."""
    zipped = make_zip(tmp_path / "a.zip", [("src/a.cu", b"hello" * 100), ("b.cu", b"x")]).read_bytes()
    tarred = make_tar(tmp_path / "a.tar", [(tar_info("src/a.cu"), b"hello" * 100)], "w").read_bytes()
    for seed in range(400):
        draw = random.Random(seed)
        data = bytearray(draw.choice((zipped, tarred, draw.randbytes(600))))
        for _ in range(draw.randrange(1, 20)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        damaged = tmp_path / "damaged"
        damaged.write_bytes(bytes(data[:draw.randrange(1, len(data) + 1)]))
        try:
            unpack(damaged, tmp_path / "out" / str(seed))
        except Refused as refused:
            assert "\n" not in str(refused)
    assert {path.name for path in tmp_path.iterdir()} == {"a.zip", "a.tar", "damaged", "out"}


def test_a_zip_with_a_directory_of_very_many_entries_is_refused_before_it_is_read(tmp_path):
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 10, 10, 5000 * len(entry), 0, 0)
    (tmp_path / "x.zip").write_bytes(entry * 5000 + end)
    with pytest.raises(Refused, match="more than 4096 entries"):
        unpack(tmp_path / "x.zip", tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_tar_with_a_name_or_property_of_megabytes_is_refused_before_it_is_read(tmp_path, kind):
    header = tarfile.TarInfo("x")
    header.type, header.size = kind, 1 << 20
    (tmp_path / "x.tar").write_bytes(header.tobuf() + f"{1 << 20} a=".encode() + bytes(1 << 20))
    with pytest.raises(Refused, match="65536 are allowed"):
        unpack(tmp_path / "x.tar", tmp_path / "out")
